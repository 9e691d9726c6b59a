import Dispatch

/// Waits for what an observer is handed.
final class Delivery: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func arrived() { semaphore.signal() }

    /// Does something and returns the seconds until something has arrived.
    func seconds(_ body: () throws -> Void) throws -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        try body()
        guard semaphore.wait(timeout: .now() + 60) == .success else { throw Missing() }
        let duration = start.duration(to: clock.now)
        return Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }

    struct Missing: Error {}
}
