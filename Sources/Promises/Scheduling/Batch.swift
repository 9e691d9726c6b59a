import Synchronization

/// One job for a scheduler: nodes that run once, or are rejected when the job is thrown away.
final class Batch: Sendable {
    private let nodes: Guarded<NodeList>
    private let target: Scheduler.Target

    init(_ nodes: NodeList, on target: Scheduler.Target) {
        self.nodes = Guarded(nodes)
        self.target = target
    }

    deinit {
        let thrownAway = takeNodes()
        guard !thrownAway.isEmpty else { return }
        var drain = Drain(discarding: thrownAway, of: target)
        drain.run()
    }

    func run() {
        let nodes = takeNodes()
        guard !nodes.isEmpty else { return }
        var drain = Drain(on: target, nodes)
        drain.run()
    }

    private func takeNodes() -> NodeList {
        nodes.withLock { nodes in
            defer { nodes = NodeList() }
            return nodes
        }
    }
}
