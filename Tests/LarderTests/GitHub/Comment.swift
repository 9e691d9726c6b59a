import Foundation
import Larder

@Entity(keys: .snakeCase)
struct Comment {
    @Identity var id: Int
    var body: String
    var createdAt: Date
    var path: String?
    @Attribute("commit_id") var commit: String?
    var user: One<User>
}
