import LarderPromises

/// The time that all attempts of a request have between them, and the waits of interceptors inside of them.
final class RetryTime: Sendable {
    private let deadline: Duration
    private let elapsed: @Sendable () -> Duration
    /// Whether nothing but waits takes of it, as attempts may last as long as something moves.
    private let isOfWaits: Bool
    private let waited = Guarded(Duration.zero)

    init(
        _ deadline: Duration, of request: TransportRequest,
        elapsed: @escaping @Sendable () -> Duration
    ) {
        (self.deadline, self.elapsed) = (deadline, elapsed)
        isOfWaits = request.idleTimeout != nil
    }

    /// What is left of it.
    var left: Duration {
        deadline - (isOfWaits ? waited.withLock { $0 } : elapsed())
    }

    /// Adds a wait that is over.
    func add(_ wait: Duration) {
        waited.withLock { $0 += wait }
    }

    /// Holds an attempt to what is left.
    func bound(_ request: inout TransportRequest) {
        guard !isOfWaits else { return }
        let left = left
        request.timeout = max(min(request.timeout ?? left, left), .milliseconds(1))
    }
}
