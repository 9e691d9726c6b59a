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
