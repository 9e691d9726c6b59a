/// A clock for tests, which stands still until it is moved.
///
/// ```swift
/// let clock = ManualClock()
/// let promise = work.timeout(after: .seconds(5), clock: clock)
/// await clock.sleepers(atLeast: 1)
/// clock.advance(by: .seconds(5))
/// ```
public final class ManualClock: Clock, Sendable {
    /// A point in a manual clock's time.
    public struct Instant: InstantProtocol, Sendable {
        /// The time since the clock was made.
        public var offset: Duration

        /// Creates an instant from the time since the clock was made.
        public init(offset: Duration = .zero) {
            self.offset = offset
        }

        /// Returns the instant that is later by `duration`.
        public func advanced(by duration: Duration) -> Instant {
            Instant(offset: offset + duration)
        }

        /// Returns the time from this instant to another.
        public func duration(to other: Instant) -> Duration {
            other.offset - offset
        }

        /// Whether the left instant is the earlier one.
        public static func < (left: Instant, right: Instant) -> Bool {
            left.offset < right.offset
        }
    }

    private struct Sleeper: Sendable {
        let id: Int
        let deadline: Instant
        let resolver: Resolver<Void>
    }

    private struct Watcher: Sendable {
        let count: Int
        let resolver: Resolver<Void>
    }

    private struct State: Sendable {
        var now = Instant()
        var lastID = 0
        var sleepers: [Sleeper] = []
        var watchers: [Watcher] = []
    }

    private let state = Guarded(State())

    /// Creates a clock that stands at zero.
    public init() {}

    /// The moment at which the clock stands.
    public var now: Instant { state.withLock { $0.now } }

    /// No time at all.
    public var minimumResolution: Duration { .zero }

    /// Waits until the clock has been moved to `deadline`.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let (promise, resolver) = Promise<Void>.pending()
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            let ready = state.withLock { state -> [Watcher] in
                guard deadline > state.now else { return [Watcher(count: 0, resolver: resolver)] }
                // Who is cancelled sleeps for no moment, of which a test would hear.
                guard !Task.isCancelled else { return [] }
                state.sleepers.append(Sleeper(id: id, deadline: deadline, resolver: resolver))
                let count = state.sleepers.count
                defer { state.watchers.removeAll { $0.count <= count } }
                return state.watchers.filter { $0.count <= count }
            }
            for watcher in ready { watcher.resolver.fulfill() }
            try await promise.value
        } onCancel: {
            YieldPoint.withoutAny { wake(id) }
        }
    }

    /// Moves the clock and wakes whoever has slept long enough, earliest first.
    ///
    /// - Returns: How many were woken. Those may sleep again by now, which ``sleeperCount`` would count.
    @discardableResult
    public func advance(by duration: Duration) -> Int {
        let due = state.withLock { state -> [Sleeper] in
            state.now = state.now.advanced(by: duration)
            let now = state.now
            defer { state.sleepers.removeAll { $0.deadline <= now } }
            return state.sleepers.filter { $0.deadline <= now }.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in due { sleeper.resolver.fulfill() }
        return due.count
    }

    /// Waits until at least so many sleep, so that a test knows when to move the clock.
    public func sleepers(atLeast count: Int) async {
        let (promise, resolver) = Promise<Void>.pending()
        let isReady = state.withLock { state in
            if state.sleepers.count >= count { return true }
            state.watchers.append(Watcher(count: count, resolver: resolver))
            return false
        }
        if isReady { resolver.fulfill() }
        _ = await promise.result
    }

    /// The number of sleepers.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    private func wake(_ id: Int) {
        state.withLock { state in
            state.sleepers.removeAll { $0.id == id }
        }
    }
}
