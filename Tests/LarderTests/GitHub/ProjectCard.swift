import Foundation
import Larder

@Entity(keys: .snakeCase)
struct ProjectCard {
    @Identity var id: Int
    var note: String?
    var contentURL: URL?
    var columnURL: URL
    var creator: One<User>
}
