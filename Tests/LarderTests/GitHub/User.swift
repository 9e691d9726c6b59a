import Foundation
import Larder

@Entity(keys: .snakeCase)
struct User {
    @Identity var id: Int
    @Attribute(indexed: true) var login: String
    var avatarURL: URL
    var type: String?
    var siteAdmin: Bool?
}
