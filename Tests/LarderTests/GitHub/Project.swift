import Larder

@Entity(keys: .snakeCase)
struct Project {
    @Identity var id: Int
    var name: String
    var body: String?
    var number: Int
    var state: String
    var creator: One<User>
}
