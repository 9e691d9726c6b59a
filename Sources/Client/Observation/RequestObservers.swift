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

/// What happens to one request, for those who want to hear of it.
///
/// They hear of one event after the other, all in the same order, whichever threads bring them about: what
/// comes while one is told, be it by an observer's doing, is told next, by whoever tells that one.
final class RequestTrace: Sendable {
    private struct State {
        var attempts = 0
        var isOver = false
        /// The events that are to be told.
        var events: [RequestEvent] = []
        /// Whether some thread tells events, which will tell all that there are.
        var isTelling = false
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
        let url = url(of: request)
        tell { attempts in
            attempts += 1
            return .sent(request.head.method, url: url, attempt: attempts)
        }
    }

    func redirect(to request: TransportRequest) {
        tell(.redirected(request.head.method, url: url(of: request)))
    }

    /// Tells an event; without effect behind the last one.
    func tell(_ kind: RequestEvent.Kind) {
        tell { _ in kind }
    }

    private func tell(_ kind: (_ attempts: inout Int) -> RequestEvent.Kind) {
        let isOthers = state.withLock { state in
            guard !state.isOver else { return true }
            let event = RequestEvent(
                request: request, endpoint: endpoint, kind: kind(&state.attempts),
                elapsed: stopwatch.elapsed)
            state.isOver = event.isEnd
            state.events.append(event)
            defer { state.isTelling = true }
            return state.isTelling
        }
        guard !isOthers else { return }
        while let event = nextEvent() {
            for observer in observers { observer(event) }
        }
    }

    private func nextEvent() -> RequestEvent? {
        state.withLock { state in
            guard !state.events.isEmpty else {
                state.isTelling = false
                return nil
            }
            return state.events.removeFirst()
        }
    }

    private func url(of request: TransportRequest) -> String {
        redaction.adding(request.secretNames).url(request.urlText)
    }
}
