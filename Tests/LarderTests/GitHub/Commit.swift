import Foundation
import Larder

@Entity(keys: .snakeCase)
struct Commit {
    @Identity var sha: String
    @Attribute("commit.message") var message: String?
    @Attribute("commit.author.name") var authorName: String?
    @Attribute("commit.author.date") var date: Date?
    var author: One<User>?
    var parents: Many<Commit>
}
