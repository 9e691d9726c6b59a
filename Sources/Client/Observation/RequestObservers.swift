import HTTPTypes
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

    func remove(_ id: Int) {
        let removed = state.withLock { state in
            let removed = state.entries.filter { $0.id == id }
            state.entries.removeAll { $0.id == id }
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
        for entry in entries where !entry.isAlive() { remove(entry.id) }
        let observers = entries.filter { $0.isAlive() && $0.isConcerned(endpoint) }
        guard !observers.isEmpty else { return nil }
        return RequestTrace(
            Self.lastRequest.add(1, ordering: .relaxed).newValue, of: endpoint, redaction,
            observers.map(\.observer))
    }
}

/// What happens to one request, for those who want to hear of it.
final class RequestTrace: Sendable {
    private struct State {
        var attempts = 0
        var isOver = false
    }

    private let request: Int
    private let endpoint: any Endpoint
    private let redaction: Redaction
    private let observers: [RequestObservers.Observer]
    private let stopwatch = Stopwatch(ContinuousClock())
    private let state = Guarded(State())

    init(
        _ request: Int, of endpoint: any Endpoint, _ redaction: Redaction,
        _ observers: [RequestObservers.Observer]
    ) {
        (self.request, self.endpoint, self.redaction) = (request, endpoint, redaction)
        self.observers = observers
    }

    func send(_ request: TransportRequest) {
        let attempt = state.withLock { state in
            state.attempts += 1
            return state.attempts
        }
        tell(.sent(request.head.method, url: url(of: request), attempt: attempt))
    }

    func redirect(to request: TransportRequest) {
        tell(.redirected(request.head.method, url: url(of: request)))
    }

    /// Tells the last event; without effect where another one was.
    func end(_ kind: RequestEvent.Kind) {
        let isFirst = state.withLock { state in
            defer { state.isOver = true }
            return !state.isOver
        }
        if isFirst { call(kind) }
    }

    func tell(_ kind: RequestEvent.Kind) {
        if !state.withLock(\.isOver) { call(kind) }
    }

    private func url(of request: TransportRequest) -> String {
        redaction.adding(request.secretNames).url(request.urlText)
    }

    private func call(_ kind: RequestEvent.Kind) {
        let event = RequestEvent(
            request: request, endpoint: endpoint, kind: kind, elapsed: stopwatch.elapsed)
        for observer in observers { observer(event) }
    }
}
