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
    /// - Throws: ``TimedOut`` if it takes longer than `limit`, `CancellationError` if the waiting task
    ///   is cancelled first.
    public func wait(atMost limit: Duration = .seconds(600)) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isWaiting = state.withLock { state in
                    // A cancellation after this finds the waiter; one before it is seen here.
                    guard !state.isOpen, !Task.isCancelled else { return false }
                    state.waiters[id] = continuation
                    return true
                }
                guard isWaiting else {
                    return continuation.resume(
                        with: Result { if !isOpen { throw CancellationError() } })
                }
                Self.clock.asyncAfter(deadline: .now() + .milliseconds(limit.wholeMilliseconds)) {
                    [weak self] in
                    self?.dismiss(id, TimedOut())
                }
            }
        } onCancel: {
            dismiss(id, CancellationError())
        }
    }

    private func dismiss(_ id: Int, _ error: any Error) {
        state.withLock { $0.waiters.removeValue(forKey: id) }?.resume(throwing: error)
    }

    /// Not a global queue: all of its threads may be waiting for gates.
    private static let clock = DispatchQueue(label: "larder.testing.gate")

    /// Blocks the calling thread until the gate is open, for code that is not asynchronous.
    ///
    /// - Throws: ``TimedOut`` if it takes longer than `limit`.
    public func block(atMost limit: Duration = .seconds(600)) throws {
        let deadline = DispatchTime.now() + .milliseconds(limit.wholeMilliseconds)
        guard group.wait(timeout: deadline) == .success else { throw TimedOut() }
    }
}
