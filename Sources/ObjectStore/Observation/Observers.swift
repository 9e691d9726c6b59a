import Dispatch
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

    /// A field, as a closure that is itself lent to generic code comes back in two more each time.
    private struct Activity {
        var tell: (@Sendable (_ isActive: Bool) -> Void)?
    }

    /// The queue on which observed values are read, one after the other.
    let queue = DispatchQueue(label: "larder.store.observers")
    /// The callback for when the first has come or the last has gone.
    private let activity = Guarded(Activity())
    private let entries = Guarded<[ObjectIdentifier: Entry]>([:])

    /// Whether anybody observes, so that changes must be recorded.
    var isActive: Bool { entries.withLock { !$0.isEmpty } }

    /// Sets what is to be done when the first has come or the last has gone.
    func onActivity(_ body: @escaping @Sendable (_ isActive: Bool) -> Void) {
        activity.withLock { $0.tell = body }
    }

    /// Adds an observer, which removes itself before it goes.
    func add(_ observer: any Observing) {
        let isFirst = entries.withLock { entries in
            entries[ObjectIdentifier(observer)] = Entry(observer: observer)
            return entries.count == 1
        }
        if isFirst { tellActivity() }
    }

    /// Removes an observer.
    func remove(_ id: ObjectIdentifier) {
        let isLast = entries.withLock { $0.removeValue(forKey: id) != nil && $0.isEmpty }
        if isLast { tellActivity() }
    }

    private func tellActivity() {
        // Under the lock, so that what is said last is what is true.
        activity.withLock { $0.tell?(isActive) }
    }

    /// Those who were told, until they are let go.
    private final class Told: Sendable {
        let observers: Guarded<[any Observing]>

        init(_ observers: [any Observing]) { self.observers = Guarded(observers) }

        func letGo() {
            let last = observers.withLock { observers in
                defer { observers = [] }
                return observers
            }
            withExtendedLifetime(last) {}
        }
    }

    /// Tells all observers what has been committed.
    ///
    /// The last reference to one may be the one taken here, and takes along what the app has its handler keep: it goes
    /// on the observers' queue, where nothing is locked and no transaction open.
    func publish(_ changes: Changes) {
        let told = Told(entries.withLock { $0.values.compactMap(\.observer) })
        told.observers.withLock { observers in
            for observer in observers { observer.note(changes) }
        }
        queue.async { told.letGo() }
    }
}
