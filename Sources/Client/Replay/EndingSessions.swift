import LarderObjectStore
import LarderPromises

/// The sessions that have ended, and of which a store may have something, whichever of its clients has been told.
final class EndingSessions: Sendable {
    private struct Entry: Sendable {
        weak var store: Store?
        let sessions: EndingSessions
    }

    private static let known = Guarded<[ObjectIdentifier: Entry]>([:])

    let clearings = Guarded(KeptClearings())
    /// Of clients that have logged out, with which all goes that is kept.
    let clearingsOfAll = Guarded(KeptClearings())

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
