// Questions to a store: conditions, order, pages, aggregates, related objects.

import Foundation
import Larder

@Entity struct User {
    @Identity var id: Int
    var login: String
    @Relationship(inverse: "user", ordered: false) var issues: Many<Issue>
}

@Entity struct Label {
    @Identity var id: Int
    var name: String
}

@Entity struct Issue {
    @Identity var id: Int
    @Attribute(searchable: true) var title: String
    var state = "open"
    var comments = 0
    var createdAt: Date
    var closedAt: Date?
    @Relationship(inverse: "issues") var user: One<User>
    var labels: Many<Label>
}

let store = try Store.inMemory(entities: Issue.self, User.self, Label.self)

// snippet.conditions
// Through a to-one relationship as if its columns were the entity's own …
let ofAnn = Issue.where { $0.user.login == "ann" && !$0.title.hasPrefix("WIP", ignoringCase: true) }
// … and over a to-many one by a condition on its objects.
let bugs = Issue.where { $0.labels.contains { $0.name == "bug" } && $0.comments.isIn(1...10) }
let busy = User.where { $0.issues.count { $0.state == "open" } > 20 }
// Arithmetic, dates, nil.
let slow = Issue.where {
    $0.closedAt.isNil || $0.closedAt.seconds(since: $0.createdAt.optional) > 7 * 86_400
}

// snippet.predicate
let discussed = try Issue.where(#Predicate { $0.comments > 3 && $0.title.contains("fire") })

// snippet.search
// What somebody types, quotes and all: the last word may be the beginning of one.
let found = Issue.matching("log in fai", by: .lastPrefix).sortedByRelevance().limit(20)
for hit in try store.hits(found) {
    print(hit.object.title, hit.snippet.marked("<b>", "</b>"))
}

// snippet.order
let newest = bugs.sorted { [$0.closedAt.descending.nullsFirst, $0.createdAt.descending] }.limit(20)

// snippet.text
// The same from text, such as a user's: a mistake says in which column it stands.
let typed = try Issue.all
    .where("user.login = 'ann' and comments > 3", in: store)
    .sorted("-createdAt,title", in: store)

// snippet.fetch
let issues = try store.fetch(newest)
let one = try store.find(Issue.self, id: 42)
let isAny = try store.contains(busy)
let number = try store.count(slow)

// snippet.aggregates
let most = try store.value(Issue.all) { $0.comments.max }
let byState = try store.select(Issue.all, groupedBy: { $0.state }) { $0.id.count }
let byStateAndUser = try store.select(
    Issue.all, groupedBy: { ($0.state, $0.user.login) }, { ($0.id.count, $0.createdAt.max) })
for (title, login) in try store.select(ofAnn, { ($0.title, $0.user.login ?? "?") }) {
    print(title, login)
}

// snippet.including
// Four statements, however many issues there are: issues, users, links of labels, labels.
for (issue, user, labels) in try store.fetch(Issue.all, including: \.user, \.labels) {
    print(issue.title, user?.login ?? "somebody", labels.map(\.name))
}

// snippet.pages
var page = try store.page(Issue.all.sorted { $0.createdAt.descending }, size: 50)
while let next = page.next {
    page = try store.page(Issue.all.sorted { $0.createdAt.descending }, size: 50, after: next)
}

// snippet.snapshot
// All that a snapshot reads belongs together, whatever is written meanwhile.
let share = try store.read { snapshot in
    Double(try snapshot.count(bugs)) / Double(max(try snapshot.count(Issue.all), 1))
}

// snippet.sql
let login = "ann"
let rows = try store.rows(
    "SELECT state, count(*) AS n FROM \(Issue.self) JOIN \(User.self) ON User.id = Issue.user WHERE login = \(login) GROUP BY state"
)
for row in rows { print(row["state"] as Any, row["n"] as Any) }

// snippet.hide
print(
    try store.count(discussed), try store.count(typed), issues, one as Any, isAny, number, byState,
    byStateAndUser, most as Any, share)
