#if !canImport(Darwin)
import LarderPromises

/// For how long nothing has moved in an exchange.
struct CurlSilence {
    private let bound: Duration?
    private let now: () -> SuspendingClock.Instant
    private var start: SuspendingClock.Instant
    private var moved: Int64 = 0
    private var isPaused = false

    /// Begins with nothing having moved.
    ///
    /// - Parameter bound: The time for which it may last, in whole seconds; any where it is nil.
    init(
        within bound: Duration? = nil,
        now: @escaping () -> SuspendingClock.Instant = { SuspendingClock.now }
    ) {
        self.bound = bound.map { .seconds(max(($0.wholeMilliseconds + 999) / 1000, 1)) }
        self.now = now
        start = now()
    }

    /// Whether it has a bound.
    var isBounded: Bool { bound != nil }

    /// Notes that something has moved.
    mutating func end() {
        guard bound != nil else { return }
        start = now()
    }

    /// Notes that nothing is to move, as somebody has to catch up.
    mutating func pause() { isPaused = true }

    /// Notes that something may move again.
    mutating func resume() {
        isPaused = false
        end()
    }

    /// Notes how many bytes have moved so far, and returns its bound where it has lasted as long.
    mutating func reached(moved: Int64) -> Duration? {
        guard let bound, !isPaused else { return nil }
        guard moved == self.moved else {
            self.moved = moved
            start = now()
            return nil
        }
        return now() - start >= bound ? bound : nil
    }
}

extension TransportError {
    /// The error of an exchange in which nothing has moved.
    static func silent(for time: Duration) -> TransportError {
        TransportError(.timedOut, "Nothing has moved for \(time.components.seconds) seconds.")
    }
}
#endif
