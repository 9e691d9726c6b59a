import Foundation
import Larder

@Entity(keys: .snakeCase)
struct Gist {
    struct File: JSONAttribute {
        var filename: String?
        var size: Int?
    }

    @Identity var id: String
    @Attribute("description") var summary: String?
    @Attribute("public") var isPublic: Bool
    var files: [String: File]?
    var createdAt: Date
    var owner: One<User>
}
