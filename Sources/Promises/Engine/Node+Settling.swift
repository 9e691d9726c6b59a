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
    ///
    /// `@unchecked Sendable`: whoever finishes a node takes them out under its lock, and is the only one who has them
    /// until they are handed on, as `CancelTurn` does.
    struct Ended: @unchecked Sendable {
        var waiters: NodeList
        var upstream: Node?
        var body: Body?
        var cancelHandlers: [CancelHandler]?

        /// Stops the work behind a source, and returns what that waited for.
        func stop() -> [Member] { cancelHandlers?.flatMap { $0.stop() } ?? [] }

        /// Tells those who wait for it, and is there until then, as what its handlers hold may be the last
        /// of something.
        func tell() {
            var drain = Drain()
            drain.deliver(waiters)
            drain.run()
            withExtendedLifetime(self) {}
        }
    }
}

extension Node {
    /// Decides on `CancellationError` what is pending from here up to the highest node that nobody
    /// else waits for, and starts the flow down from there.
    func cancel() { cancellation().perform() }

    /// The first step of that, which is taken under the lock.
    func cancellation() -> Cancellation {
        locked { status in status.isCancellable ? giveUp(&status) : .refused }
    }

    /// Calls `handler` when a cancellation arrives at this source, or now if it has.
    func onCancel(_ handler: CancelHandler) {
        let isCancelled = locked { status in
            if status.isOpen { cancelHandlers = (cancelHandlers.take() ?? []) + [handler] }
            return status.contains(.cancelled)
        }
        guard isCancelled else { return }
        for member in handler.stop() { member.cancellation().perform() }
    }

    /// What the work of a source waited for that has been stopped.
    enum Member {
        /// A node that is to be cancelled.
        case node(Node)
        /// A source that has been cancelled, whose work is still to be stopped.
        indirect case source(Ended)

        func cancellation() -> Cancellation {
            switch self {
            case .node(let node): node.cancellation()
            case .source(let ended): .stop(ended)
            }
        }
    }

    /// The next step of a cancellation, taken without the lock.
    enum Cancellation {
        /// Nothing: the outcome is decided, or can't be any more.
        case refused
        /// Nothing more, as the flow comes by itself: something above is being settled already.
        case done
        /// The node has nothing above it: the work behind it is stopped.
        case stop(Ended)
        /// The node waits for another, which has one branch less.
        case ascend(from: Node, to: Node)
        /// The node goes the way of another, which it leaves or takes along.
        case ask(from: Node, to: Node)
        /// The node has left another that goes on for others.
        case leave(Node, Unmanaged<Node>)

        /// Takes all steps, in a loop also where sources are members of each other to any depth.
        func perform() {
            guard let first = ascend() else { return }
            let members = first.stop()
            guard !members.isEmpty else { return first.tell() }
            var stopped = [(source: first, members: members[...])]
            while let last = stopped.indices.last {
                guard let member = stopped[last].members.popFirst() else {
                    stopped.removeLast().source.tell()
                    continue
                }
                if let source = member.cancellation().ascend() {
                    stopped.append((source, source.stop()[...]))
                }
            }
        }

        /// Takes the steps up to the highest node that nobody else waits for, and returns the end of
        /// that, whose work is still to be stopped; nil where it goes on.
        func ascend() -> Ended? {
            var step = self
            var asking: [Node] = []
            // They join before the flow reaches them.
            func join() {
                for node in asking { node.join() }
                asking = []
            }
            while true {
                switch step {
                case .refused:
                    return nil
                case .done:
                    join()
                    return nil
                case .ask(let node, let upstream):
                    asking.append(node)
                    step = upstream.lose(node)
                case .ascend(let node, let upstream):
                    join()
                    step = upstream.lose(node)
                case .leave(let node, let entry):
                    join()
                    node.submit(retained: entry)
                    return nil
                case .stop(let ended):
                    join()
                    return ended
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

    /// Decides on `CancellationError`, or asks the node that this one watches; the caller holds the lock of this
    /// pending node.
    func giveUp(_ status: inout Status) -> Cancellation {
        guard status.contains(.watching), let upstream else { return markCancelled(&status) }
        return .ask(from: self, to: upstream)
    }

    /// Decides on `CancellationError`, as the node has that this one watches.
    private func join() {
        locked { if $0.isCancellable { $0.insert(.cancelled) } }
    }

    /// Takes note that a waiter was cancelled, or asks to be; the last one takes this node along.
    private func lose(_ waiter: Node) -> Cancellation {
        locked { status in
            // Those who waited for a settled node may wait for another by now.
            guard status.contains(.settled) || waiter.isLinked else { return .refused }
            // What waits for the flow from above brings its waiters a cancellation.
            guard status.isCancellable else {
                return status.contains(.cancelled) ? .done : .refused
            }
            // Where it is refused, the waiter stays one of the branches.
            if branches == 1, status.contains(.watching) { return giveUp(&status) }
            countBranchLess()
            if branches == 0 { return markCancelled(&status) }
            waiter.isLinked = false
            return .leave(waiter, waiters.remove(waiter))
        }
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
