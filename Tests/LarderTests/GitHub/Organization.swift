import Foundation
import Larder

@Entity(keys: .snakeCase)
struct Organization {
    @Identity var id: Int
    var login: String
    @Attribute("description") var summary: String?
    var avatarURL: URL
    @Attribute("public_repos") var publicRepositories: Int?
}
