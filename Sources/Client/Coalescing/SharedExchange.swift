import LarderPromises

/// An exchange that several identical requests wait for.
final class SharedExchange: Sendable {
    /// A request that waits.
    struct Member: Sendable {
        let request: TransportRequest
        let onStep: @Sendable (ExchangeStep) -> Void
        let completion: @Sendable (Result<TransportResponse, any Error>) -> Void
    }

    /// A member, and what it is still to be told, by the thread on which it has joined.
    private struct Place {
        let member: Member
        /// The steps that it is to be told first; nil where it is told of each as it is taken.
        var backlog: [ExchangeStep]?
        /// The result that comes after these.
        var result: Result<TransportResponse, any Error>?
    }

    private struct State {
        var members: [Int: Place] = [:]
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
            case .joined: break
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

    /// Adds a request and returns its number; nil where it is over.
    ///
    /// All but the first hear of nothing before they have caught up.
    func join(_ member: Member) -> Int? {
        state.withLock { state in
            guard !state.isOver else { return nil }
            defer { state.nextID += 1 }
            let isFirst = state.nextID == 0
            state.members[state.nextID] = Place(
                member: member, backlog: isFirst ? nil : state.steps)
            return state.nextID
        }
    }

    /// Tells a request that has joined of the steps to where the exchange is, and of what comes meanwhile,
    /// in their order.
    func catchUp(_ id: Int) {
        while let place = takeBacklog(of: id) {
            for step in place.backlog ?? [] { place.member.onStep(step) }
            if let result = place.result {
                place.member.completion(result.answering(place.member.request))
            }
        }
    }

    /// Takes what a request is still to be told; nil where it has caught up.
    private func takeBacklog(of id: Int) -> Place? {
        state.withLock { state in
            guard let place = state.members[id], let backlog = place.backlog else { return nil }
            if place.result != nil {
                state.members[id] = nil
            } else {
                state.members[id]?.backlog = backlog.isEmpty ? nil : []
            }
            return place
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
            guard let member = state.members.removeValue(forKey: id)?.member else {
                return (nil, nil)
            }
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
            for id in state.members.keys { state.members[id]?.backlog?.append(step) }
            return state.members.filter { $0.value.backlog == nil }
        }
        guard case .redirected = step else {
            // Nobody else wants to know.
            for place in waiting.values where place.member.request.isTimed {
                place.member.onStep(step)
            }
            return
        }
        for member in members(of: waiting) { member.onStep(step) }
    }

    /// Gives those who wait their result, in the order in which they came.
    func end(with result: Result<TransportResponse, any Error>) {
        let (waiting, exchange) = state.withLock { state in
            let (waiting, exchange) = (state.members, state.exchange)
            var late = waiting.filter { $0.value.backlog != nil }
            for id in late.keys { late[id]?.result = result }
            state = State(members: late, isOver: true)
            return (waiting.filter { $0.value.backlog == nil }, exchange)
        }
        // It holds this as well.
        withExtendedLifetime(exchange) {}
        for member in members(of: waiting) { member.completion(result.answering(member.request)) }
    }

    private func members(of waiting: [Int: Place]) -> [Member] {
        waiting.sorted { $0.key < $1.key }.map(\.value.member)
    }
}

extension Result where Success == TransportResponse {
    /// The response as the answer to a request that is identical to the one that was sent.
    fileprivate func answering(_ request: TransportRequest) -> Result {
        map { response in
            guard response.redirects.isEmpty else { return response }
            var response = response
            response.sent = SentRequest(request, sharing: response.sent)
            return response
        }
    }
}
