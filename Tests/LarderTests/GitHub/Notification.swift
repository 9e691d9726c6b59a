import Larder

@Entity(keys: .snakeCase)
struct Notification {
    @Identity var id: String
    var reason: String
    @Attribute("unread") var isUnread: Bool
    @Attribute("subject.title") var subject: String
    @Attribute("subject.type") var kind: String
    var repository: One<Repository>
}
