extension Node {
    /// Whether this node cannot settle before another one.
    func needs(_ other: Node) -> Bool {
        var node = self
        var circle = CircleMark(self)
        while node !== other {
            // Nothing but links in the ordinary case, which is to cost little.
            let (upstream, isFork) = node.locked { _ in
                (node.upstream, node.cancelHandlers != nil)
            }
            if isFork { return node.needs { $0 === other } }
            guard let upstream, !circle.isClosed(by: upstream) else { return false }
            node = upstream
        }
        return true
    }

    /// Whether this node cannot settle before one for which `condition` holds: itself, one that it
    /// waits for, or one that those wait for.
    ///
    /// Follows links, promises that handlers have returned, and the members of combinators. It does
    /// not see what code waits for that holds a resolver, nor what a task awaits.
    func needs(_ condition: (Node) -> Bool) -> Bool {
        var known: [ObjectIdentifier: Bool] = [:]
        return needs(condition, known: &known)
    }

    /// Recursive where combinators are members of each other only; links are followed in a loop.
    fileprivate func needs(
        _ condition: (Node) -> Bool, known: inout [ObjectIdentifier: Bool]
    ) -> Bool {
        var next: Node? = self
        var circle = CircleMark(self)
        while let node = next {
            if node.status.contains(.settled) { return false }
            if condition(node) { return true }
            let (upstream, handlers) = node.locked { _ in (node.upstream, node.cancelHandlers) }
            if let handlers {
                let key = ObjectIdentifier(node)
                if let answer = known[key] { return answer }
                known[key] = false
                let answer = handlers.contains { $0.needs(condition, known: &known) }
                known[key] = answer
                if answer { return true }
            }
            if let upstream, circle.isClosed(by: upstream) { return false }
            next = upstream
        }
        return false
    }
}

extension CancelHandler {
    fileprivate func needs(
        _ condition: (Node) -> Bool, known: inout [ObjectIdentifier: Bool]
    ) -> Bool {
        let nodes = members.nodes()
        guard members.isOneEnough else {
            return nodes.contains { $0.needs(condition, known: &known) }
        }
        return !nodes.isEmpty && nodes.allSatisfy { $0.needs(condition, known: &known) }
    }
}

/// A mark that a walk along links sets, so as not to go round a circle that another thread is
/// about to find: the node where it was at the last power of two of its steps (Brent).
private struct CircleMark {
    private var node: Node
    private var steps = 0
    private var limit = 2

    init(_ first: Node) {
        node = first
    }

    /// Takes the next step; whether the walk has been at `next` before.
    mutating func isClosed(by next: Node) -> Bool {
        if next === node { return true }
        steps += 1
        if steps == limit {
            node = next
            steps = 0
            limit *= 2
        }
        return false
    }
}
