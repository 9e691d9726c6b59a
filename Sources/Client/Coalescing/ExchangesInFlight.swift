import LarderPromises

/// The exchanges of a transport that identical requests may join.
final class ExchangesInFlight: Sendable {
    /// What becomes of a request.
    enum Entry: Sendable {
        /// It is the first, whose exchange is to begin.
        case first(SharedExchange, id: Int)
        /// It has joined one, and is to catch up with the way that this has come before.
        case joined(SharedExchange, id: Int)
        case refused
    }

    private struct State {
        var exchanges: [RequestKey: SharedExchange] = [:]
        /// The requests that others are refused for between their attempts.
        var claims: [RequestKey: ObjectIdentifier] = [:]
    }

    private let state = Guarded(State())
    private let stopwatch: @Sendable () -> Stopwatch
    private let delay: @Sendable (Duration) -> Promise<Void>

    init(clock: some Clock<Duration> = ContinuousClock()) {
        stopwatch = { Stopwatch(clock) }
        delay = { .delay(for: $0, clock: clock) }
    }

    /// The number of exchanges in flight, and of what is claimed between attempts.
    var count: Int { state.withLock { $0.exchanges.count + $0.claims.count } }

    /// Lets a request in.
    ///
    /// - Parameter claim: That of the request whose attempt it is, which gets the key where this is sent.
    func enter(
        _ member: SharedExchange.Member, as key: RequestKey, isRefusing: Bool,
        for claim: ExchangeClaim? = nil
    ) -> Entry {
        state.withLock { state in
            if isRefusing, let holder = state.claims[key],
                holder != claim.map({ ObjectIdentifier($0) })
            {
                return .refused
            }
            if let shared = state.exchanges[key] {
                if isRefusing, !shared.isOver { return .refused }
                if let id = shared.join(member) { return .joined(shared, id: id) }
            }
            let shared = SharedExchange(
                timeout: member.request.timeout ?? .seconds(60), stopwatch: stopwatch())
            state.exchanges[key] = shared
            if let claim, claim.add(key) { state.claims[key] = ObjectIdentifier(claim) }
            return .first(shared, id: shared.join(member) ?? 0)
        }
    }

    /// Takes out an exchange that is over.
    func remove(_ shared: SharedExchange, as key: RequestKey) {
        state.withLock { state in
            if state.exchanges[key] === shared { state.exchanges[key] = nil }
        }
    }

    /// Takes out what a request has claimed, which claims nothing from then on.
    func release(_ claim: ExchangeClaim) {
        state.withLock { state in
            for key in claim.end() where state.claims[key] == ObjectIdentifier(claim) {
                state.claims[key] = nil
            }
        }
    }

    /// Calls `ring` after a time, unless the promise is cancelled before.
    func alarm(after duration: Duration, _ ring: @escaping @Sendable () -> Void) -> Promise<Void> {
        delay(duration).then(on: .immediate) { ring() }
    }
}
