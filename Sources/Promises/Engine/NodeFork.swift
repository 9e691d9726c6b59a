/// A node that others decide together, which are asked one after the other.
struct NodeFork {
    enum Step {
        case ask(Node)
        case decided(Bool)
    }

    /// Held, so that no other one gets its identity meanwhile.
    let node: Node
    /// Those whose members are still to be asked.
    var handlers: ArraySlice<CancelHandler>
    /// Where the walk goes on that has come to it, if it says no.
    let rest: NodeWalk
    private var members: ArraySlice<Node> = []
    private var isOneEnough = false

    init(node: Node, handlers: ArraySlice<CancelHandler>, rest: NodeWalk) {
        (self.node, self.handlers, self.rest) = (node, handlers, rest)
    }

    /// What is to be done next, after the answer of the member that was asked last; nil at first.
    mutating func step(after answer: Bool?) -> Step {
        // It waits for one of several, or for all of those that can each be the first.
        if answer == true, !isOneEnough || members.isEmpty { return .decided(true) }
        if answer == false, isOneEnough { members = [] }
        while members.isEmpty {
            guard let handler = handlers.popFirst() else { return .decided(false) }
            isOneEnough = handler.members.isOneEnough
            members = handler.members.nodes()[...]
        }
        return .ask(members.removeFirst())
    }
}
