// Live queries: what a store holds, now and whenever it changes.

import Foundation
import Larder

@Entity struct Issue {
    @Identity var id: Int
    var title: String
    var isOpen = true
}

let store = try Store.inMemory(entities: Issue.self)

// snippet.sequence
let watching = Task {
    for try await issues in store.observe(Issue.where { $0.isOpen == true }) {
        print("\(issues.count) are open")
    }
}

// snippet.callback
let observation = store.observe(Issue.all.sorted { $0.title.ascending }).start { issues in
    print(issues.map(\.title))
}

// snippet.changes
let changing = Task {
    for try await change in store.observeChanges(of: Issue.all) {
        print(change.deletions, change.insertions, change.moves, change.updates)
    }
}

// snippet.values
let counting = Task {
    for try await share in store.observe({ snapshot in
        [try snapshot.count(Issue.where { $0.isOpen == true }), try snapshot.count(Issue.all)]
    }) {
        print(share)
    }
}

// snippet.stop
watching.cancel()
observation.cancel()

// snippet.hide
changing.cancel()
counting.cancel()
