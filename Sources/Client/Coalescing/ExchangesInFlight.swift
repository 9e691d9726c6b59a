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

    private let exchanges = Guarded<[RequestKey: SharedExchange]>([:])
    private let stopwatch: @Sendable () -> Stopwatch
    private let delay: @Sendable (Duration) -> Promise<Void>

    init(clock: some Clock<Duration> = ContinuousClock()) {
        stopwatch = { Stopwatch(clock) }
        delay = { .delay(for: $0, clock: clock) }
    }

    /// The number of exchanges in flight.
    var count: Int { exchanges.withLock(\.count) }

    /// Lets a request in.
    func enter(
        _ member: SharedExchange.Member, as key: RequestKey, isRefusing: Bool
    ) -> Entry {
        exchanges.withLock { exchanges in
            if let shared = exchanges[key] {
                if isRefusing, !shared.isOver { return .refused }
                if let id = shared.join(member) { return .joined(shared, id: id) }
            }
            let shared = SharedExchange(
                timeout: member.request.timeout ?? .seconds(60), stopwatch: stopwatch())
            exchanges[key] = shared
            return .first(shared, id: shared.join(member) ?? 0)
        }
    }

    /// Takes out an exchange that is over.
    func remove(_ shared: SharedExchange, as key: RequestKey) {
        exchanges.withLock { exchanges in
            if exchanges[key] === shared { exchanges[key] = nil }
        }
    }

    /// Calls `ring` after a time, unless the promise is cancelled before.
    func alarm(after duration: Duration, _ ring: @escaping @Sendable () -> Void) -> Promise<Void> {
        delay(duration).then(on: .immediate) { ring() }
    }
}
