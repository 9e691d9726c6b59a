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

        /// Whether the waiter runs now.
        var isTurn: Bool {
            guard case .runs(let cancellation) = self else { return false }
            cancellation.perform()
            return true
        }
    }

    private func admit(_ waiter: Node, status: inout Status) -> Admission {
        status.insert(.observed)
        if status.contains(.settled) { return .runs(.done) }
        let waiterStatus = waiter.status
        if waiterStatus.contains(.cancelled), !waiterStatus.contains(.shielded) {
            // It was cancelled before it could wait; so is what nobody else waits for.
            let isLast = branches == 0 && status.isCancellable
            return .runs(isLast ? giveUp(&status) : .done)
        }
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
        let (admission, isSource) = other.locked { status in
            (
                other.admit(self, status: &status),
                other.upstream == nil && other.cancelHandlers == nil
            )
        }
        if admission.isTurn { return drain.deliver(late: self) }
        // A node that nobody waits for is in no circle, nor is one that waits for a source. Both are
        // asked for after this node waits itself: of threads that close a circle together, the last
        // one sees the whole of it.
        guard !isSource, hasWaiters || self.hasWaiters, other.needs(self),
            let entry = withdraw(from: other)
        else { return }
        reject(PromiseError.cycle, in: &drain)
        entry.release()
    }

    /// Stops waiting, without stopping the work that was waited for.
    func leave() {
        guard let upstream = locked({ _ in self.upstream }),
            let entry = withdraw(from: upstream)
        else { return }
        var drain = Drain()
        finish(as: .fulfilled, in: &drain)
        drain.run()
        entry.release()
    }

    /// Takes the node off those that wait for `other`, and returns that one's reference to it; nil
    /// where the node has been handed over already.
    ///
    /// Nobody but the caller runs the node from then on.
    private func withdraw(from other: Node) -> Unmanaged<Node>? {
        other.locked { status in
            guard !status.contains(.settled), isLinked else { return nil }
            isLinked = false
            if status.isPending { other.countBranchLess() }
            return other.waiters.remove(self)
        }
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
