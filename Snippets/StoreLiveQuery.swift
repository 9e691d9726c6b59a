// A list on the screen that is what the store holds.

import Larder

@Entity struct Issue {
    @Identity var id: Int
    var title: String
    var isOpen = true
}

#if canImport(SwiftUI)
import SwiftUI

// snippet.view
struct IssueList: View {
    @State private var issues: LiveQuery<Issue>

    init(store: Store) {
        let open = Issue.where { $0.isOpen == true }.sorted { $0.title.ascending }
        _issues = State(initialValue: LiveQuery(open, in: store))
    }

    var body: some View {
        List(issues.objects, id: \.id) { issue in Text(issue.title) }
    }
}
// snippet.end
#endif

// snippet.search
@MainActor func show(_ text: String, in issues: LiveQuery<Issue>) {
    issues.query = Issue.where { $0.title.contains(text, ignoringCase: true) }
}
// snippet.end
