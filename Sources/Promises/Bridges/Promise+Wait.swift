import Dispatch

extension Promise {
    /// Blocks the calling thread until the promise has settled; for tests and command line tools.
    ///
    /// Throws the error of a rejection, ``PromiseError/timedOut(after:)`` when the time is over,
    /// and ``PromiseError/wouldDeadlock`` instead of blocking the default scheduler or a queue that
    /// a handler on the way to the promise needs.
    @available(*, noasync, message: "await the promise's value instead")
    public func wait(timeout: Duration? = nil) throws -> Value {
        if let outcome = node.outcome(as: Value.self) {
            node.noteObserver()
            return try outcome.get()
        }
        guard !node.wouldDeadlock else { throw PromiseError.wouldDeadlock }
        let semaphore = DispatchSemaphore(value: 0)
        let observer = observe { _, _ in semaphore.signal() }
        if let timeout {
            guard semaphore.wait(timeout: .now() + timeout.dispatchInterval) == .success else {
                observer.node.leave()
                throw PromiseError.timedOut(after: timeout)
            }
        } else {
            semaphore.wait()
        }
        guard let outcome = node.outcome(as: Value.self) else { throw PromiseError.abandoned }
        return try outcome.get()
    }
}

extension Node {
    /// Whether the calling code holds up a scheduler that this node or one above it runs on.
    fileprivate var wouldDeadlock: Bool {
        if DefaultLane.shared.isCurrent { return true }
        var node: Node? = self
        while let current = node {
            if current.target?.isCurrentQueue == true { return true }
            node = current.locked { _ in current.upstream }
        }
        return false
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
        return .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
    }
}
