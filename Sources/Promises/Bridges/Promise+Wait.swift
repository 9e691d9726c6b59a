import Dispatch

extension Promise {
    /// Blocks the calling thread until the promise has settled; for tests and command line tools.
    ///
    /// Throws the error of a rejection, ``PromiseError/timedOut(after:)`` when the time is over,
    /// and ``PromiseError/wouldDeadlock`` where nothing could settle the promise while this thread
    /// is blocked: on the default scheduler, on the thread of a transport, and on a dispatch queue
    /// that a handler on the way to the promise needs. That way leads through chains, the promises
    /// that handlers have returned and the members of combinators, `timeout` and `retry`, also as
    /// they come up while this call waits.
    ///
    /// Not seen, and therefore waited for as long as the timeout allows: what a task awaits
    /// (`Promise { try await … }`), what code needs that holds a ``Resolver`` or runs a custom
    /// ``Scheduler``, and a queue that is another one with this queue as its target.
    @available(*, noasync, message: "await the promise's value instead")
    public func wait(timeout: Duration? = nil) throws -> Value {
        if let outcome = node.outcome(as: Value.self) {
            node.noteObserver()
            return try outcome.get()
        }
        guard !node.cannotSettleWhileThisThreadIsBlocked else { throw PromiseError.wouldDeadlock }
        let semaphore = DispatchSemaphore(value: 0)
        let observer = observe { _, _ in semaphore.signal() }
        let deadline = timeout.map { DispatchTime.now() + $0.dispatchInterval } ?? .distantFuture
        var patience = DispatchTimeInterval.milliseconds(1)
        while semaphore.wait(timeout: min(deadline, .now() + patience)) == .timedOut {
            if let timeout, .now() >= deadline {
                observer.node.leave()
                throw PromiseError.timedOut(after: timeout)
            }
            // A handler may have returned a promise meanwhile that needs this thread.
            if node.cannotSettleWhileThisThreadIsBlocked {
                observer.node.leave()
                throw PromiseError.wouldDeadlock
            }
            patience = patience.doubled(upToMilliseconds: 1000)
        }
        guard let outcome = node.outcome(as: Value.self) else { throw PromiseError.abandoned }
        return try outcome.get()
    }
}

extension Node {
    /// Whether the calling code holds up a scheduler that this node or one above it runs on.
    fileprivate var cannotSettleWhileThisThreadIsBlocked: Bool {
        DefaultLane.shared.isCurrent || WaitBan.isInForce
            || needs { $0.target?.isCurrentQueue == true }
    }
}

extension DispatchTimeInterval {
    fileprivate func doubled(upToMilliseconds limit: Int) -> DispatchTimeInterval {
        guard case .milliseconds(let count) = self else { return self }
        return .milliseconds(min(count * 2, limit))
    }
}

extension Scheduler.Target {
    fileprivate var isCurrentQueue: Bool {
        guard case .queue(let queue) = kind else { return false }
        // A mark that is visible to code on this queue only.
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        defer { queue.setSpecific(key: key, value: nil) }
        return DispatchQueue.getSpecific(key: key) == true
    }
}

extension Duration {
    fileprivate var dispatchInterval: DispatchTimeInterval {
        let (seconds, attoseconds) = components
        // Longer than a year is for ever, and keeps the sum within its integer.
        guard seconds < 31_536_000 else { return .never }
        guard self > .zero else { return .nanoseconds(0) }
        return .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
    }
}
