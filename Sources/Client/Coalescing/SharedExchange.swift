import LarderPromises

/// An exchange that several identical requests wait for.
final class SharedExchange: Sendable {
    /// A request that waits.
    struct Member: Sendable {
        let request: TransportRequest
        let onStep: @Sendable (ExchangeStep) -> Void
        let completion: @Sendable (Result<TransportResponse, any Error>) -> Void
    }

    private struct State {
        var members: [Int: Member] = [:]
        var nextID = 0
        /// Whether it has ended, or nobody waits any more; then nobody can join it.
        var isOver = false
        var exchange: RedirectedExchange?
        /// The arrivals of those who joined before the exchange was there.
        var early: [RequestQueue.Ticket] = []
        /// What was sent last, behind a redirect.
        var redirected: SentRequest?
        /// Whether that, or the first one, waits for its turn; nil before that is known.
        var isWaiting: Bool?

        /// The steps to where it is.
        var steps: [ExchangeStep] {
            var steps: [ExchangeStep] = []
            if let redirected { steps.append(.redirected(redirected)) }
            if isWaiting == true { steps.append(.waits) }
            return steps
        }

        mutating func note(_ step: ExchangeStep) {
            switch step {
            case .redirected(let sent): (redirected, isWaiting) = (sent, nil)
            case .waits: isWaiting = isWaiting ?? true
            case .goesOn: isWaiting = false
            }
        }
    }

    private let state = Guarded(State())
    private let timeout: Duration
    private let stopwatch: Stopwatch

    init(timeout: Duration, stopwatch: Stopwatch) {
        self.timeout = timeout
        self.stopwatch = stopwatch
    }

    /// What is left of its time.
    var timeLeft: Duration { timeout - stopwatch.elapsed }

    var isOver: Bool { state.withLock(\.isOver) }

    /// Adds a request; nil where it is over.
    ///
    /// - Returns: Its number, and the steps that led to where it is, of which it is not told.
    func join(_ member: Member) -> (id: Int, steps: [ExchangeStep])? {
        state.withLock { state in
            guard !state.isOver else { return nil }
            defer { state.nextID += 1 }
            state.members[state.nextID] = member
            return (state.nextID, state.steps)
        }
    }

    /// Sends the request; false where nobody waits for it any more.
    func begin(_ exchange: RedirectedExchange, with request: TransportRequest) -> Bool {
        let (isOver, early) = state.withLock { state in
            if !state.isOver { state.exchange = exchange }
            defer { state.early = [] }
            return (state.isOver, state.early)
        }
        guard !isOver else { return false }
        for ticket in early { exchange.raise(to: ticket) }
        exchange.send(request)
        return true
    }

    /// Lets it wait for its turn by the best rank of those who wait for it.
    func raise(to ticket: RequestQueue.Ticket) {
        let exchange = state.withLock { state in
            if state.exchange == nil, !state.isOver { state.early.append(ticket) }
            return state.exchange
        }
        exchange?.raise(to: ticket)
    }

    /// Takes a request out, with an error for its result; without effect where it has one.
    func leave(_ id: Int, with error: TransportError) {
        let (member, exchange) = state.withLock { state -> (Member?, RedirectedExchange?) in
            guard let member = state.members.removeValue(forKey: id) else { return (nil, nil) }
            guard state.members.isEmpty else { return (member, nil) }
            state.isOver = true
            return (member, state.exchange.take())
        }
        exchange?.cancel()
        member?.completion(.failure(error))
    }

    /// Tells those who wait of a step.
    func tell(_ step: ExchangeStep) {
        let waiting = state.withLock { state in
            state.note(step)
            return state.members
        }
        guard case .redirected = step else {
            // Nobody else wants to know.
            for member in waiting.values where member.request.isTimed { member.onStep(step) }
            return
        }
        for member in members(of: waiting) { member.onStep(step) }
    }

    /// Gives those who wait their result, in the order in which they came.
    func end(with result: Result<TransportResponse, any Error>) {
        let (waiting, exchange) = state.withLock { state in
            defer { state = State(isOver: true) }
            return (state.members, state.exchange)
        }
        // It holds this as well.
        withExtendedLifetime(exchange) {}
        for member in members(of: waiting) { member.completion(result.answering(member.request)) }
    }

    private func members(of waiting: [Int: Member]) -> [Member] {
        waiting.sorted { $0.key < $1.key }.map(\.value)
    }
}

extension Result where Success == TransportResponse {
    /// The response as the answer to a request that is identical to the one that was sent.
    fileprivate func answering(_ request: TransportRequest) -> Result {
        map { response in
            guard response.redirects.isEmpty else { return response }
            var response = response
            response.sent = SentRequest(request)
            return response
        }
    }
}
