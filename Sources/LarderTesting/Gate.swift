import Dispatch
import LarderPromises

/// A door that is closed until somebody opens it, for tests that say when things go on.
///
/// Waiting is bounded, so that a door that nobody opens fails the test instead of holding it up.
public final class Gate: Sendable {
    /// The door stayed shut for as long as somebody was willing to wait.
    public struct TimedOut: Error {
        /// Creates the error.
        public init() {}
    }

    private struct State {
        var isOpen = false
        var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
        var nextID = 0
    }

    private let state = Guarded(State())
    private let group = DispatchGroup()

    /// Creates a closed gate.
    public init() {
        group.enter()
    }

    deinit {
        open()
    }

    /// Whether the gate has been opened.
    public var isOpen: Bool { state.withLock(\.isOpen) }

    /// Lets everybody through, now and later; without effect on an open gate.
    public func open() {
        let waiters = state.withLock { state -> [CheckedContinuation<Void, any Error>]? in
            guard !state.isOpen else { return nil }
            state.isOpen = true
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        guard let waiters else { return }
        group.leave()
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until the gate is open.
    ///
    /// - Throws: ``TimedOut`` if it takes longer than `limit`.
    public func wait(atMost limit: Duration = .seconds(600)) async throws {
        try await withCheckedThrowingContinuation { continuation in
            let id = state.withLock { state -> Int? in
                guard !state.isOpen else { return nil }
                state.nextID += 1
                state.waiters[state.nextID] = continuation
                return state.nextID
            }
            guard let id else { return continuation.resume() }
            Self.clock.asyncAfter(deadline: .now() + limit.timeInterval) {
                let waiter = self.state.withLock { $0.waiters.removeValue(forKey: id) }
                waiter?.resume(throwing: TimedOut())
            }
        }
    }

    /// Not a global queue: all of its threads may be waiting for gates.
    private static let clock = DispatchQueue(label: "larder.testing.gate")

    /// Blocks the calling thread until the gate is open, for code that is not asynchronous.
    ///
    /// - Throws: ``TimedOut`` if it takes longer than `limit`.
    public func block(atMost limit: Duration = .seconds(600)) throws {
        guard group.wait(timeout: .now() + limit.timeInterval) == .success else { throw TimedOut() }
    }
}

extension Duration {
    /// The duration as Dispatch counts it.
    fileprivate var timeInterval: DispatchTimeInterval {
        let (seconds, attoseconds) = components
        return .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
    }
}
