import Larder

@Entity(keys: .snakeCase)
struct Team {
    @Identity var id: Int
    var name: String
    var slug: String
    var permission: String
    var privacy: String?
    var organization: One<Organization>?
}
