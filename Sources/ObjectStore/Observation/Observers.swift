import LarderPromises

/// Somebody who wants to know what transactions change.
protocol Observing: AnyObject, Sendable {
    /// Takes note of what has been committed; called on the writer's queue, so that it must be
    /// quick.
    func note(_ changes: Changes)
}

/// All who observe a store.
final class Observers: Sendable {
    private struct Entry: Sendable {
        weak var observer: (any Observing)?
    }

    private let entries = Guarded<[ObjectIdentifier: Entry]>([:])

    /// Whether anybody observes, so that changes must be recorded.
    var isActive: Bool { entries.withLock { !$0.isEmpty } }

    /// Adds an observer, which removes itself before it goes.
    func add(_ observer: any Observing) {
        entries.withLock { $0[ObjectIdentifier(observer)] = Entry(observer: observer) }
    }

    /// Removes an observer.
    func remove(_ id: ObjectIdentifier) {
        entries.withLock { $0[id] = nil }
    }

    /// Tells all observers what has been committed.
    func publish(_ changes: Changes) {
        // Outside of the lock: the last reference to an observer may be the one taken here.
        for observer in entries.withLock({ $0.values.map(\.observer) }) {
            observer?.note(changes)
        }
    }
}
