/// Handlers of the default scheduler that a thread has made ready, and may run itself.
///
/// To wake another thread for them costs more than most of them take. Whoever settles promises in the course
/// of its work, and then has nothing left to do, spares that. They are queued at once, as ever; what is left
/// open is who runs the queue.
package struct ReadyHandlers: ~Copyable {
    /// Whether the scheduler was at rest when the first of them came, and waits for this thread.
    private var isAwaited = false

    package init() {}

    deinit {
        if isAwaited { DefaultLane.shared.wake() }
    }

    /// Submits listed nodes to their schedulers, and then runs those that run anywhere.
    fileprivate mutating func add(_ listed: consuming Drain) {
        var batch = NodeList()
        var batchTarget: Scheduler.Target?
        var immediate = Drain()
        while let entry = listed.popFirst() {
            let target = entry._withUnsafeGuaranteedRef { $0.target }
            if target?.isImmediate == true {
                immediate.add(entry)
                continue
            }
            if !batch.isEmpty, batchTarget !== target {
                submit(batch, to: batchTarget)
                batch = NodeList()
            }
            batchTarget = target
            batch.append(retained: entry)
        }
        if !batch.isEmpty { submit(batch, to: batchTarget) }
        guard !immediate.isEmpty else { return }
        // They may wait for any of the others.
        handOver()
        immediate.run()
    }

    private mutating func submit(_ nodes: NodeList, to target: Scheduler.Target?) {
        guard let target else {
            if DefaultLane.shared.stack(nodes) { isAwaited = true }
            return
        }
        // A scheduler of the app's may run them at once, and they may wait for those before them.
        handOver()
        Scheduler.Target.submit(nodes, to: target)
    }

    /// Leaves them to the default scheduler's own thread, before code that may wait for them.
    package mutating func handOver() {
        if isAwaited { DefaultLane.shared.wake() }
        isAwaited = false
    }

    /// Runs them, and whatever else is queued by then, on the calling thread, unless another thread is at it.
    ///
    /// They may take long, and wait for others: the caller holds nothing up meanwhile.
    package mutating func run() {
        let isAwaited = isAwaited
        self.isAwaited = false
        if isAwaited { DefaultLane.shared.runHere() }
    }
}

extension Resolver {
    /// Gives the promise its value, and leaves it to the caller who runs the handlers of the default
    /// scheduler that wait for it.
    package func fulfill(_ value: Value, leaving handlers: inout ReadyHandlers) {
        guard node.claim() else { return }
        var drain = Drain.list()
        node.fulfill(value, in: &drain)
        handlers.add(drain)
    }
}
