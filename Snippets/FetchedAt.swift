// When objects were last fetched: asking, sorting, letting go.

import Foundation
import Larder

// snippet.entity
@Entity(fetchedAt: true) struct Issue {
    @Identity var id: Int
    var title: String
}

// snippet.evictions
var configuration = Store.Configuration()
configuration.evictions = [Eviction(Issue.self, olderThan: .seconds(30 * 86_400), keeping: 10_000)]
// snippet.hide
let store = try Store.inMemory(entities: Issue.self, configuration: configuration)
let yesterday = Date(timeIntervalSinceNow: -86_400)
// snippet.show
try store.evict()
try store.evict(Issue.self, fetchedBefore: yesterday)

// snippet.queries
let stale = Issue.where { $0.fetchedAt < yesterday }.sorted { $0.fetchedAt.ascending }
let own = Issue.where { $0.fetchedAt.isNil }  // The app has made them.
for (title, date) in try store.select(stale, { ($0.title, $0.fetchedAt) }) {
    print(title, date ?? .distantPast)
}
