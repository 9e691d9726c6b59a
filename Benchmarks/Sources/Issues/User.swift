package import Larder

/// Who wrote an issue.
@Entity(keys: .snakeCase)
package struct User {
    @Identity package var id: Int
    package var login: String
    package var avatarURL: String
    package var type: String
    package var siteAdmin: Bool
}
