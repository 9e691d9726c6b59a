/// A rule for how long `retry` waits before each further attempt.
public struct Backoff: Sendable {
    private let duration: @Sendable (_ failures: Int) -> Duration

    /// Creates a backoff from the number of attempts that have failed, one and up.
    public init(_ duration: @escaping @Sendable (_ failures: Int) -> Duration) {
        self.duration = duration
    }

    /// The wait after so many failures.
    public func duration(after failures: Int) -> Duration {
        duration(failures)
    }

    /// No wait.
    public static let none = Backoff { _ in .zero }

    /// The same wait each time.
    public static func constant(_ duration: Duration) -> Backoff {
        Backoff { _ in duration }
    }

    /// A wait that grows by `factor` each time, up to `limit`.
    ///
    /// - Parameters:
    ///   - jitter: The share of the wait that is left to chance, from 0 to 1, so that many clients
    ///     do not come back at once.
    ///   - chance: A number from 0 up to 1, asked for once a wait.
    public static func exponential(
        from first: Duration, factor: Double = 2, upTo limit: Duration = .seconds(60),
        jitter: Double = 0.5,
        chance: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) -> Backoff {
        let (limit, jitter) = (max(limit, .zero), min(max(0, jitter), 1))
        let factor = factor < 0 ? 0 : factor
        return Backoff { failures in
            var wait = max(first, .zero)
            // Whatever has not reached its limit in so many steps is not going to.
            for _ in 1..<min(max(failures, 1), 1_000) {
                // Seen before it is computed, as a duration that does not fit ends the process.
                guard wait < limit, wait / limit * factor < 1 else {
                    wait = limit
                    break
                }
                wait = wait * factor
            }
            return min(wait, limit) * (1 - jitter * min(max(0, chance()), 1))
        }
    }
}
