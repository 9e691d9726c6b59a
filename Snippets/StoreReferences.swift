// References: links to objects that have not arrived.

import Foundation
import Larder

@Entity struct User {
    @Identity var login: String
    var name: String
}

@Entity struct Issue {
    @Identity var id: Int
    var title: String
    var user: One<User>
    var assignee: One<User>?
    @Relationship(partial: true) var watchers: Many<User>
}

let store = try Store.inMemory(entities: Issue.self, User.self)

// snippet.arrive
let json = #"""
    {"id": 1, "title": "It burns", "user": "ann", "assignee": {"login": "bob", "name": "Bob"},
     "watchers": [{"login": "cleo"}, "ann"]}
    """#
// `ann` and `cleo` are references: the store knows who they are, and no more.
let issue = try store.import(Issue.self, from: Data(json.utf8))

// snippet.links
print(issue.user)  // One<User>(id: ann)
print(issue.user.id == "ann", try issue.user.isComplete)  // true false
print(try issue.user.find()?.name ?? "not there yet")
print(try issue.watchers.count, try issue.watchers.fetch().count)  // 2 0

for (issue, user, assignee) in try store.fetch(Issue.all, including: \.user, \.assignee) {
    print(issue.title, user?.name ?? "somebody", assignee?.name ?? "nobody")
}

// snippet.missing
// What is still to be fetched.
let logins = try store.select(User.references) { $0.login }  // ["ann", "cleo"]

// snippet.complete
try store.import(User.self, from: Data(#"{"login": "ann", "name": "Ann"}"#.utf8))
print(try issue.user.fetch().name)  // Ann

// snippet.delete
// Nobody by this name, the server says: the links to it go too.
try store.delete(User.references.where { $0.login == "cleo" })

// snippet.hide
print(logins, try issue.watchers.count)
