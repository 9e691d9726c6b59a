package import Foundation
package import Larder

/// An issue as `make-issues.py` writes it.
@Entity(keys: .snakeCase)
package struct Issue {
    @Identity package var id: Int
    package var number: Int
    package var title: String
    package var body: String?
    package var state: String
    package var comments: Int
    package var score: Double
    package var locked: Bool
    package var createdAt: Date
    package var user: One<User>
    @Relationship(ordered: false) package var labels: Many<Label>
}
