// Writing without JSON: objects, queries, relationships, transactions.

import Foundation
import Larder

@Entity struct User {
    @Identity var id: Int
    var login: String
    @Relationship(inverse: "user", ordered: false, delete: .cascade, policy: .replace)
    var issues: Many<Issue>
}

@Entity struct Label {
    @Identity var name: String
}

@Entity struct Issue {
    @Identity var id: Int
    var title: String
    var state = "open"
    var edits = 0
    @Relationship(inverse: "issues") var user: One<User>
    var labels: Many<Label>
}

let store = try Store.inMemory(entities: Issue.self, User.self, Label.self)

// snippet.save
let ann = User(id: 1, login: "ann", issues: .unchanged)
let issue = Issue(
    id: 7, title: "It burns", user: One(ann), labels: [Label(name: "bug"), Label(name: "fire")])
// Inserts what the store does not have, and updates what it has, by its identity.
try store.save(issue)

// snippet.transaction
try store.write { context in
    // One statement for all of them.
    try context.update(Issue.where { $0.title.contains("burns") }) {
        $0.state.set("closed")
        $0.edits.increment()
    }
    try context.edit(\.labels, of: issue).add(One(Label(name: "done")))
    // A part that may fail alone: this identity is taken.
    _ = try? context.savepoint { try context.insert(ann) }
}

// snippet.delete
// What the relationships' delete rules say goes too, or keeps it from going.
let gone = try store.delete(Issue.where { $0.state == "closed" })

// snippet.async
// The same without blocking a thread: what `read` and `write` are in async code, and as promises.
func openCount(in store: Store) async throws -> Int {
    try await store.read { try $0.count(Issue.where { $0.state == "open" }) }
}
let titles = store.promise.read { try $0.fetch(Issue.all) }.then { $0.map(\.title) }

// snippet.hide
print(gone, try await openCount(in: store), try await titles.value)
