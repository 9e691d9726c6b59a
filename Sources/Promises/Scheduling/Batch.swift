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
        work(isDiscarding: true)
    }

    func run() {
        work(isDiscarding: false)
    }

    private func work(isDiscarding: Bool) {
        let taken = nodes.withLock { nodes in
            defer { nodes = NodeList() }
            return nodes
        }
        guard !taken.isEmpty else { return }
        var drain = Drain(on: target, taken, isDiscarding: isDiscarding)
        drain.run()
    }
}
