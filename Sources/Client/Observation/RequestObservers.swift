import LarderPromises
import Synchronization

/// Those who want to hear what happens to a client's requests.
final class RequestObservers: Sendable {
    typealias Observer = @Sendable (RequestEvent) -> Void

    private struct Entry: Sendable {
        let id: Int
        let isConcerned: @Sendable (any Endpoint) -> Bool
        let observer: Observer
        /// Whether its owner still lives.
        let isAlive: @Sendable () -> Bool
    }

    private struct State {
        var entries: [Entry] = []
        var lastID = 0
    }

    private let state = Guarded(State())
    /// Whether there are any, which is all that a request asks where there are none.
    private let isObserved = Atomic(false)
    private static let lastRequest = Atomic(0)

    /// Adds an observer and returns its number.
    func add(
        where isConcerned: @escaping @Sendable (any Endpoint) -> Bool,
        isAlive: @escaping @Sendable () -> Bool = { true }, _ observer: @escaping Observer
    ) -> Int {
        state.withLock { state in
            state.lastID += 1
            state.entries.append(
                Entry(
                    id: state.lastID, isConcerned: isConcerned, observer: observer,
                    isAlive: isAlive))
            isObserved.store(true, ordering: .relaxed)
            return state.lastID
        }
    }

    func remove(_ ids: Set<Int>) {
        let removed = state.withLock { state in
            let removed = state.entries.filter { ids.contains($0.id) }
            state.entries.removeAll { ids.contains($0.id) }
            isObserved.store(!state.entries.isEmpty, ordering: .relaxed)
            return removed
        }
        // What it holds may end here, under no lock.
        withExtendedLifetime(removed) {}
    }

    /// The trace of a request that is enqueued; nil where nobody wants to hear of it.
    func trace(of endpoint: any Endpoint, _ redaction: Redaction) -> RequestTrace? {
        guard isObserved.load(ordering: .relaxed) else { return nil }
        let entries = state.withLock(\.entries)
        let gone = Set(entries.lazy.filter { !$0.isAlive() }.map(\.id))
        // All of them at once, as they may be many.
        if !gone.isEmpty { remove(gone) }
        let observers = entries.filter { !gone.contains($0.id) && $0.isConcerned(endpoint) }
        guard !observers.isEmpty else { return nil }
        return RequestTrace(
            Self.lastRequest.add(1, ordering: .relaxed).newValue, of: endpoint, redaction,
            observers.map(\.observer))
    }
}
