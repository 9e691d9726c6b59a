import Foundation
import Larder

@Entity(keys: .snakeCase)
struct Event {
    struct Payload: JSONAttribute {
        var action: String?
        var size: Int?
    }

    @Identity var id: String
    var type: String
    @Attribute("public") var isPublic: Bool
    var createdAt: Date
    var payload: Payload?
    @Attribute("repo.name") var repositoryName: String
    var actor: One<User>
}
