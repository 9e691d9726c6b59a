// A promise that several chains share.

import Larder
import Synchronization

/// A token that is asked for once, however many requests need it.
final class TokenSource: Sendable {
    private let refreshing = Mutex<Promise<String>?>(nil)

    /// The token that there is or that is being asked for; after a failure it is asked for anew.
    func token() -> Promise<String> {
        refreshing.withLock { refreshing in
            if let refreshing, !refreshing.isRejected { return refreshing }
            // Cancelling a request that waits for the token leaves it to the others.
            let refresh = Promise { "a fresh token" }.shielded()
            refreshing = refresh
            return refresh
        }
    }

    /// Forgets a token that the server no longer takes.
    func expire() {
        refreshing.withLock { $0 = nil }
    }
}

let source = TokenSource()
let cancelled = source.token().then { print("not called with \($0)") }
cancelled.cancel()
let used = source.token().then { "Bearer \($0)" }

// snippet.hide
print(try await used.value)
