import Foundation
import Larder

@Entity(keys: .snakeCase)
struct ProjectColumn {
    @Identity var id: Int
    var name: String
    var createdAt: Date
}
