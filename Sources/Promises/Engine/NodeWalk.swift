/// A walk up along links.
struct NodeWalk {
    private var node: Node?
    private var circle: CircleMark

    init(from node: Node) {
        (self.node, circle) = (node, CircleMark(node))
    }

    private mutating func go(to upstream: Node?) {
        guard let upstream, !circle.isClosed(by: upstream) else { return node = nil }
        node = upstream
    }

    /// Whether it meets a node for which `condition` holds; nil where a fork has been added that is to be asked before
    /// it goes on.
    mutating func answer(
        _ condition: (Node) -> Bool, known: inout [ObjectIdentifier: Bool],
        asking forks: inout [NodeFork]
    ) -> Bool? {
        while let node {
            if node.status.contains(.settled) { return false }
            if condition(node) { return true }
            let (upstream, handlers) = node.locked { _ in (node.upstream, node.cancelHandlers) }
            go(to: upstream)
            guard let handlers else { continue }
            let key = ObjectIdentifier(node)
            if let answer = known[key] {
                if answer { return true }
                continue
            }
            known[key] = false
            forks.append(NodeFork(node: node, handlers: handlers[...], rest: self))
            return nil
        }
        return false
    }
}
