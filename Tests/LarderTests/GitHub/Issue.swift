import Foundation
import Larder

@Entity(keys: .snakeCase)
struct Issue {
    enum State: String, AttributeValue { case open, closed }

    @Identity var id: Int
    var number: Int
    @Attribute(searchable: true) var title: String
    var body: String?
    var state: State
    var locked: Bool
    var comments: Int
    var createdAt: Date
    var updatedAt: Date
    var closedAt: Date?
    @Attribute("html_url") var url: URL
    @Attribute("pull_request.html_url") var pullRequestURL: URL?
    var user: One<User>?
    var assignee: One<User>?
    var milestone: One<Milestone>?
    var labels: Many<Label>
}
