import LarderPromises

/// What a request has been sent as by a policy that refuses others: as long as it may be sent again, these are refused
/// between its attempts, too.
final class ExchangeClaim: Sendable {
    private let inFlight: ExchangesInFlight
    /// One for each content and credential that it has been sent with; nil once it is not sent again.
    private let keys = Guarded<[RequestKey]?>([])

    init(in inFlight: ExchangesInFlight) {
        self.inFlight = inFlight
    }

    deinit { release() }

    /// Lets others be sent.
    func release() { inFlight.release(self) }

    /// Adds a key; false where it is released.
    func add(_ key: RequestKey) -> Bool {
        keys.withLock { keys in
            keys?.append(key)
            return keys != nil
        }
    }

    /// Ends it, and returns the keys that it had.
    func end() -> [RequestKey] { keys.withLock { $0.take() ?? [] } }
}
