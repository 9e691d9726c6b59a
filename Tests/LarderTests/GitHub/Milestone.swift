import Foundation
import Larder

@Entity(keys: .snakeCase)
struct Milestone {
    @Identity var id: Int
    var number: Int
    var title: String
    var state: Issue.State
    var dueOn: Date?
    var creator: One<User>?
}
