import HTTPTypes
import LarderPromises

/// What happens to one request, for those who want to hear of it.
///
/// They hear of one event after the other, all in the same order, whichever threads bring them about: what
/// comes while one is told, be it by an observer's doing, is told next, by whoever tells that one.
final class RequestTrace: Sendable {
    private struct State {
        var attempts = 0
        var isOver = false
        /// What is known of the last attempt.
        var timings = RequestTimings()
        /// Whether its last exchange has had its turn in the queue, which may be told before the wait for it.
        var hadTurn = false
        /// Since when it waits for that, and to be stored.
        var (waitsSince, storesSince): (Duration?, Duration?)
        var isParsed = false
        /// The events that are to be told.
        var events: [RequestEvent] = []
        /// Whether some thread tells events, which will tell all that there are.
        var isTelling = false

        /// The timings at a time since the request was enqueued.
        func timings(at now: Duration) -> RequestTimings {
            var timings = timings
            if let waitsSince { timings.queue = (timings.queue ?? .zero) + now - waitsSince }
            return timings
        }
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

    // MARK: - Attempts

    /// Tells that its request has been made.
    func build(_ request: TransportRequest) {
        tell(.built(request.head.method, url: url(of: request)))
    }

    /// Tells that it is sent, and returns the number of that attempt.
    func send(_ request: TransportRequest) -> Int {
        let url = url(of: request)
        var attempt = 0
        tell { state, _ in
            state.attempts += 1
            attempt = state.attempts
            state.timings = RequestTimings()
            (state.hadTurn, state.waitsSince, state.isParsed) = (false, nil, false)
            return .sent(request.head.method, url: url, attempt: attempt)
        }
        return attempt
    }

    /// Tells of a step of an attempt's; of one before the last, only where that is led elsewhere.
    func step(_ step: ExchangeStep, in attempt: Int) {
        switch step {
        case .joined: break
        case .redirected(let sent):
            let url = url(of: sent.request)
            tell { state, _ in
                if state.attempts == attempt { state.hadTurn = false }
                return .redirected(sent.request.head.method, url: url)
            }
        case .waits:
            tell { state, now in
                guard state.attempts == attempt, !state.hadTurn, state.waitsSince == nil else {
                    return nil
                }
                state.waitsSince = now
                return .queued
            }
        case .goesOn:
            state.withLock { state in
                guard state.attempts == attempt else { return }
                state.hadTurn = true
                state.timings = state.timings(at: stopwatch.elapsed)
                state.waitsSince = nil
            }
        }
    }

    /// Takes the times of an attempt's exchange.
    func note(_ timings: RequestTimings, of attempt: Int) {
        state.withLock { state in
            guard state.attempts == attempt else { return }
            state.timings = state.timings.ofExchange(timings)
        }
    }

    // MARK: - The store

    /// Tells that its content has been read as a document, the first time.
    func parse() {
        tell { state, _ in
            guard !state.isParsed else { return nil }
            state.isParsed = true
            return .parsed
        }
    }

    /// Takes the time of storing from now on, unless it is taken.
    func beginStoring() {
        state.withLock { state in
            state.storesSince = state.storesSince ?? stopwatch.elapsed
        }
    }

    /// Takes the time of storing up to now, unless that has been taken.
    func endStoring() {
        state.withLock { state in
            guard let since = state.storesSince, state.timings.store == nil else { return }
            state.timings.store = stopwatch.elapsed - since
        }
    }

    // MARK: - Telling

    /// Tells an event; without effect behind the last one.
    func tell(_ kind: RequestEvent.Kind) {
        tell { _, _ in kind }
    }

    /// Tells an event, if there is one by then.
    private func tell(_ kind: (_ state: inout State, _ now: Duration) -> RequestEvent.Kind?) {
        let isOthers = state.withLock { state in
            let now = stopwatch.elapsed
            guard !state.isOver, let kind = kind(&state, now) else { return true }
            let event = RequestEvent(
                request: request, endpoint: endpoint, kind: kind, elapsed: now,
                timings: state.timings(at: now))
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
