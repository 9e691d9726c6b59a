import LarderObjectStore
import LarderPromises

/// Those who are about to remove all that is kept, by their numbers: until they have, it is nobody's.
struct KeptClearings: Sendable {
    private var open: Set<Int> = []
    private var failed: Set<Int> = []
    private var last = 0

    /// Whether something may be left that was to be removed.
    var isGoingOn: Bool { !open.isEmpty || !failed.isEmpty }

    /// Begins one.
    mutating func begin() -> Int {
        last += 1
        open.insert(last)
        return last
    }

    /// Ends one.
    ///
    /// - Parameter isDone: Whether nothing is left, nor of what those before have failed to remove.
    mutating func end(_ number: Int, isDone: Bool) {
        open.remove(number)
        if isDone {
            failed = failed.filter { $0 > number }
        } else {
            failed.insert(number)
        }
    }
}

/// The sessions that have ended, and of which a store may have something, whichever of its clients has been told.
final class EndingSessions: Sendable {
    private struct Entry: Sendable {
        weak var store: Store?
        let sessions: EndingSessions
    }

    private static let known = Guarded<[ObjectIdentifier: Entry]>([:])

    let clearings = Guarded(KeptClearings())

    /// Those of a store, for as long as that is there.
    static func of(_ store: Store) -> EndingSessions {
        known.withLock { known in
            let id = ObjectIdentifier(store)
            if let entry = known[id], entry.store === store { return entry.sessions }
            known = known.filter { $0.value.store != nil }
            let sessions = EndingSessions()
            known[id] = Entry(store: store, sessions: sessions)
            return sessions
        }
    }
}
