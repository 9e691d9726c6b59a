extension Node {
    /// Hands `waiter`, whose upstream this is, to its scheduler once this node has settled.
    @usableFromInline
    func attach(_ waiter: Node) {
        if admits(waiter) { waiter.submit(retained: .passRetained(waiter)) }
    }

    /// Takes `waiter` in, or returns that its turn has come already.
    private func admits(_ waiter: Node) -> Bool {
        YieldPoint.pass()
        let known = status
        if known.contains(.settled), !known.contains(.rejected) { return true }
        return locked { admit(waiter, status: &$0) }.isTurn
    }

    /// Whether somebody waits for this node now.
    var hasWaiters: Bool { locked { _ in !waiters.isEmpty } }

    /// Takes note that somebody has asked for the outcome of this settled node.
    func noteObserver() {
        guard status.contains(.rejected) else { return }
        locked { _ = $0.insert(.observed) }
    }

    private enum Admission {
        case waits
        case runs(Cancellation)
        /// The node waits for something itself, which has to be looked at first.
        case asks

        /// Whether the waiter runs now.
        var isTurn: Bool {
            guard case .runs(let cancellation) = self else { return false }
            cancellation.perform()
            return true
        }
    }

    private func admit(
        _ waiter: Node, status: inout Status, asking: Bool = false
    ) -> Admission {
        status.insert(.observed)
        if status.contains(.settled) { return .runs(.done) }
        let waiterStatus = waiter.status
        if waiterStatus.contains(.cancelled), !waiterStatus.contains(.shielded) {
            // It was cancelled before it could wait; so is what nobody else waits for.
            let isLast = branches == 0 && status.isCancellable
            return .runs(isLast ? markCancelled(&status) : .done)
        }
        if asking, upstream != nil || cancelHandlers != nil { return .asks }
        waiters.append(waiter)
        waiter.isLinked = true
        branches += 1
        return .waits
    }

    /// Waits for another node from now on, with another body.
    ///
    /// Rejects with ``PromiseError/cycle`` when the other one waits for this one.
    ///
    /// - Parameter shielded: Whether a cancellation leaves the other node alone.
    @usableFromInline
    func follow(_ other: Node, shielded: Bool, in drain: inout Drain, body: @escaping Body) {
        guard other !== self else { return reject(PromiseError.cycle, in: &drain) }
        let (released, hasWaiters) = locked { status in
            if shielded { status.insert(.shielded) }
            let released = (upstream, self.body)
            // The list of the former upstream has been handed out, and the other one has not got
            // this node yet: a cancellation that comes in between must not count it there.
            isLinked = false
            upstream = other
            self.body = body
            return (released, !waiters.isEmpty)
        }
        withExtendedLifetime(released) {}
        // After the other one has been noted: of two threads that close a cycle together, the
        // later one sees it. A node that nobody waits for is in no cycle, nor is one that waits for
        // a source.
        var admission = other.locked { other.admit(self, status: &$0, asking: hasWaiters) }
        if case .asks = admission {
            if other.needs(self) { return reject(PromiseError.cycle, in: &drain) }
            admission = other.locked { other.admit(self, status: &$0) }
        }
        if admission.isTurn { drain.deliver(late: self) }
    }

    /// Stops waiting, without stopping the work that was waited for.
    func leave() {
        guard let upstream = locked({ _ in self.upstream }) else { return }
        let removed: Unmanaged<Node>? = upstream.locked { status in
            guard !status.contains(.settled), isLinked else { return nil }
            isLinked = false
            if status.isPending { upstream.countBranchLess() }
            return upstream.waiters.remove(self)
        }
        guard let removed else { return }
        var drain = Drain()
        finish(as: .fulfilled, in: &drain)
        drain.run()
        removed.release()
    }

    /// Takes note that the scheduler has thrown the turn of the node away.
    func discard() {
        locked { _ = $0.insert(.discarded) }
    }

    /// Whether its handler is not to be called, as the scheduler has thrown its turn away.
    var isDiscarded: Bool { status.contains(.discarded) }

    /// Queues the node on its scheduler.
    func submit(retained entry: Unmanaged<Node>) {
        var list = NodeList()
        list.append(retained: entry)
        Scheduler.Target.submit(list, to: target)
    }
}
