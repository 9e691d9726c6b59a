import Foundation
import Larder

@Entity(keys: .snakeCase)
struct Issue {
    @Identity var id: Int
    var number: Int
    var title: String
    var body: String?
    var state: String
    var comments: Int
    var score: Double
    var locked: Bool
    var createdAt: Date
    var user: One<User>
    @Relationship(ordered: false) var labels: Many<Label>
}

@Entity(keys: .snakeCase)
struct User {
    @Identity var id: Int
    var login: String
    var avatarURL: String
    var type: String
    var siteAdmin: Bool
}

@Entity
struct Label {
    @Identity var id: Int
    var name: String
    var color: String
    @Attribute("default") var isDefault: Bool
}
