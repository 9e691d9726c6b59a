extension Node {
    /// Reserves the right to settle a source for the first caller.
    @usableFromInline
    func claim() -> Bool {
        let (isFirst, released) = locked { status -> (Bool, [CancelHandler]?) in
            guard status.isOpen else { return (false, nil) }
            status.insert(.resolved)
            return (true, cancelHandlers.take())
        }
        withExtendedLifetime(released) {}
        return isFirst
    }

    /// Keeps a source from being cancelled from now on; false where that or something else has
    /// decided its outcome.
    func commit() -> Bool {
        let (isFirst, released) = locked { status -> (Bool, [CancelHandler]?) in
            guard status.isOpen, !status.contains(.committed) else { return (false, nil) }
            status.insert(.committed)
            return (true, cancelHandlers.take())
        }
        withExtendedLifetime(released) {}
        return isFirst
    }

    /// Runs the node, whose upstream has settled or whose wait was cut short by a cancellation.
    @inline(__always)
    func run(in drain: inout Drain) {
        // Only the thread that runs a node replaces its body, so no lock is needed to read it.
        body?(self, &drain)
    }

    /// Publishes the outcome and hands over those who wait for it.
    @usableFromInline
    func finish(as outcome: Status, in drain: inout Drain) {
        let ended = locked { status -> Ended? in
            status.contains(.settled) ? nil : end(&status, as: outcome)
        }
        guard let ended else { return }
        drain.deliver(ended.waiters)
    }

    /// Makes the outcome final, and returns what must be dealt with after the lock: destroying
    /// it may run code of the user.
    @inline(__always)
    func end(_ status: inout Status, as outcome: Status) -> Ended {
        status.formUnion(status.contains(.cancelled) ? .rejected : outcome)
        status.insert(.settled)
        let waiting = waiters
        waiters = NodeList()
        return Ended(
            waiters: waiting, upstream: upstream.take(), body: body.take(),
            cancelHandlers: cancelHandlers.take())
    }

    /// The parts that a finished node no longer needs.
    struct Ended {
        var waiters: NodeList
        var upstream: Node?
        var body: Body?
        var cancelHandlers: [CancelHandler]?
    }
}

extension Node {
    /// Decides on `CancellationError` what is pending from here up to the highest node that nobody
    /// else waits for, and starts the flow down from there.
    func cancel() {
        let cancellation = locked { status in
            status.isCancellable ? markCancelled(&status) : .done
        }
        cancellation.perform()
    }

    /// Calls `handler` when a cancellation arrives at this source, or now if it has.
    func onCancel(_ handler: CancelHandler) {
        let isCancelled = locked { status in
            if status.isOpen { cancelHandlers = (cancelHandlers.take() ?? []) + [handler] }
            return status.contains(.cancelled)
        }
        if isCancelled { handler.stop() }
    }

    /// The next step of a cancellation, taken without the lock.
    enum Cancellation {
        /// Nothing, or the flow comes by itself: something above is being settled already.
        case done
        /// The node has nothing above it: the work behind it is stopped.
        case stop(Ended)
        /// The node waits for another, which has one branch less.
        case ascend(from: Node, to: Node)

        func perform() {
            var step = self
            while true {
                switch step {
                case .done:
                    return
                case .ascend(let node, let upstream):
                    step = upstream.lose(node)
                case .stop(let ended):
                    for handler in ended.cancelHandlers ?? [] { handler.stop() }
                    var drain = Drain()
                    drain.deliver(ended.waiters)
                    drain.run()
                    return
                }
            }
        }
    }

    /// Decides on `CancellationError`; the caller holds the lock of this pending node.
    func markCancelled(_ status: inout Status) -> Cancellation {
        status.insert(.cancelled)
        if status.contains(.shielded) { return .done }
        if let upstream { return .ascend(from: self, to: upstream) }
        return .stop(end(&status, as: .rejected))
    }

    /// Takes note that a waiter was cancelled; the last one takes this node along.
    private func lose(_ waiter: Node) -> Cancellation {
        let (step, detached) = locked { status -> (Cancellation, Unmanaged<Node>?) in
            guard status.isCancellable, waiter.isLinked else { return (.done, nil) }
            countBranchLess()
            if branches == 0 { return (markCancelled(&status), nil) }
            waiter.isLinked = false
            return (.done, waiters.remove(waiter))
        }
        if let detached { waiter.submit(retained: detached) }
        return step
    }

    /// Counts one waiter that is never cancelled, so that the others do not take this node along.
    func holdAgainstWaiters() {
        locked { _ in branches += 1 }
    }

    /// Counts one waiter less; the caller holds the lock of this pending node.
    func countBranchLess() {
        branches -= 1
        assert(branches >= 0, "a waiter was taken off that had not been counted")
    }
}
