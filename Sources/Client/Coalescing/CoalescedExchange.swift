import LarderPromises

/// A request's part in an exchange that identical requests share.
final class CoalescedExchange: Exchange {
    /// A place among those who wait.
    private struct Membership {
        let shared: SharedExchange
        let id: Int
        var alarm: Promise<Void>?
    }

    private struct State {
        var membership: Membership?
        var isCancelled = false
        var isOver = false
    }

    private let configuration: Client.Configuration
    private let policy: Coalescing
    private let ticket: RequestQueue.Ticket?
    private let caching: CachingStage?
    private let turn: Int
    private let session: Session.Mark?
    private let claim: ExchangeClaim?
    private let onStep: @Sendable (ExchangeStep) -> Void
    private let completion: @Sendable (Result<TransportResponse, any Error>) -> Void
    private let state = Guarded(State())

    /// Creates a part that has not begun.
    ///
    /// The parameters are those of ``RedirectedExchange``, and the number of times that something that is kept had been
    /// made invalid. What others share is of one session. The claim is that of the request whose attempt it is.
    init(
        over configuration: Client.Configuration, _ policy: Coalescing,
        _ ticket: RequestQueue.Ticket?, _ caching: CachingStage? = nil,
        of session: Session.Mark? = nil, turn: Int = 0, for claim: ExchangeClaim? = nil,
        onStep: @escaping @Sendable (ExchangeStep) -> Void,
        completion: @escaping @Sendable (Result<TransportResponse, any Error>) -> Void
    ) {
        self.configuration = configuration
        self.policy = policy
        self.ticket = ticket
        self.caching = caching
        (self.session, self.turn, self.claim) = (session, turn, claim)
        self.onStep = onStep
        self.completion = completion
    }

    /// Joins an identical request, or sends this one.
    func send(_ request: TransportRequest) {
        guard !state.withLock(\.isCancelled) else {
            return completion(.failure(TransportError.cancelled))
        }
        let key = RequestKey(
            request, of: policy, over: configuration, caching?.policy, in: session, turn: turn)
        let member = SharedExchange.Member(request: request, onStep: onStep) { result in
            self.end(with: result)
        }
        let inFlight = configuration.exchangesInFlight
        switch inFlight.enter(
            member, as: key, isRefusing: policy.mode == .refusing, for: claim)
        {
        case .refused: completion(.failure(ClientError(.duplicate)))
        case .joined(let shared, let id):
            onStep(.joined)
            if let ticket { shared.raise(to: ticket) }
            shared.catchUp(id)
            keep(Membership(shared: shared, id: id), within: request.timeout ?? .seconds(60))
        case .first(let shared, let id):
            keep(Membership(shared: shared, id: id), within: nil)
            let exchange = RedirectedExchange(
                over: configuration, ticket, caching, of: session,
                onStep: { shared.tell($0) },
                completion: { result in
                    inFlight.remove(shared, as: key)
                    shared.end(with: result)
                })
            if !shared.begin(exchange, with: request) { inFlight.remove(shared, as: key) }
        }
    }

    /// Gives up this part, and the exchange where it is the last.
    func cancel() {
        let membership = state.withLock { state in
            state.isCancelled = true
            return state.membership
        }
        membership?.shared.leave(membership?.id ?? 0, with: .cancelled)
    }

    private func keep(_ membership: Membership, within time: Duration?) {
        let (shared, id) = (membership.shared, membership.id)
        let isCancelled = state.withLock { state in
            if !state.isOver { state.membership = membership }
            return state.isCancelled
        }
        guard !isCancelled else { return shared.leave(id, with: .cancelled) }
        guard let time, time < shared.timeLeft else { return }
        let alarm = configuration.exchangesInFlight.alarm(after: time) {
            let message = "The exchange that the request has joined took longer than its time."
            shared.leave(id, with: TransportError(.timedOut, message))
        }
        let isOver = state.withLock { state in
            state.membership?.alarm = alarm
            return state.isOver
        }
        if isOver { alarm.cancel() }
    }

    private func end(with result: Result<TransportResponse, any Error>) {
        let membership = state.withLock { state in
            state.isOver = true
            return state.membership.take()
        }
        membership?.alarm?.cancel()
        completion(result)
    }
}
