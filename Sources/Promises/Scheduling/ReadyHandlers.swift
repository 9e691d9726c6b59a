/// Handlers of the default scheduler that a thread has made ready, and may run itself.
///
/// To wake another thread for them costs more than most of them take. Whoever settles promises in the course
/// of its work, and then has nothing left to do, spares that. Handlers that run elsewhere are not among them.
package struct ReadyHandlers: ~Copyable {
    private var nodes = NodeList()

    package init() {}

    deinit { DefaultLane.shared.push(nodes) }

    /// Adds the nodes of a run on the default scheduler.
    fileprivate mutating func add(_ ready: consuming Drain) {
        var outside = Drain()
        while let entry = ready.popFirst() {
            if entry._withUnsafeGuaranteedRef({ $0.target == nil }) {
                nodes.append(retained: entry)
            } else {
                // It may wait for any of the others.
                handOver()
                outside.add(entry)
            }
        }
        outside.run()
    }

    /// Leaves them to the default scheduler's own thread, before code that may wait for them.
    package mutating func handOver() {
        let nodes = takeNodes()
        if !nodes.isEmpty { DefaultLane.shared.push(nodes) }
    }

    /// Runs them, and whatever else is ready by then, on the calling thread; if another runs handlers
    /// already, it runs these as well.
    ///
    /// They may take long, and wait for others: the caller holds nothing up meanwhile.
    package mutating func run() {
        let nodes = takeNodes()
        if !nodes.isEmpty { DefaultLane.shared.run(nodes) }
    }

    private mutating func takeNodes() -> NodeList {
        defer { nodes = NodeList() }
        return nodes
    }
}

extension Resolver {
    /// Gives the promise its value, and leaves it to the caller who runs the handlers of the default
    /// scheduler that wait for it.
    package func fulfill(_ value: Value, leaving handlers: inout ReadyHandlers) {
        guard node.claim() else { return }
        // As if on the default scheduler, which takes what runs anywhere, too.
        var drain = Drain(on: nil, NodeList())
        node.fulfill(value, in: &drain)
        handlers.add(drain)
    }
}
