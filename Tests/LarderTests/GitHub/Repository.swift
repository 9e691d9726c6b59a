import Foundation
import Larder

@Entity(keys: .snakeCase)
struct Repository {
    @Identity var id: Int
    var name: String
    var fullName: String
    @Attribute("private") var isPrivate: Bool
    @Attribute("description") var summary: String?
    @Attribute("fork") var isFork: Bool
    @Attribute("stargazers_count") var stars: Int?
    var createdAt: Date?
    @Attribute("license.key") var licenseKey: String?
    var owner: One<User>
}
