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
    /// Follows links, promises that handlers have returned, and the members of combinators, in a loop
    /// also where these are members of each other. It does not see what code waits for that holds a
    /// resolver, nor what a task awaits.
    func needs(_ condition: (Node) -> Bool) -> Bool {
        var known: [ObjectIdentifier: Bool] = [:]
        // Those that are being asked, each for a member of the one before it.
        var forks: [NodeFork] = []
        var walk = NodeWalk(from: self)
        walking: while true {
            var answer = walk.answer(condition, known: &known, asking: &forks)
            while let last = forks.indices.last {
                switch forks[last].step(after: answer) {
                case .ask(let member):
                    walk = NodeWalk(from: member)
                    continue walking
                case .decided(let needs):
                    let fork = forks.removeLast()
                    known[ObjectIdentifier(fork.node)] = needs
                    answer = needs
                    if needs { continue }
                    walk = fork.rest
                    continue walking
                }
            }
            return answer ?? false
        }
    }
}
