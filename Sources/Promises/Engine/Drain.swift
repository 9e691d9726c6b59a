/// The run of one chain on its scheduler: a list of nodes whose turn has come, worked off in a loop
/// instead of by recursion, so that a chain of any length needs one hop and a flat stack.
@usableFromInline
struct Drain {
    private let place: Place
    private var ready = NodeList()

    private enum Place {
        /// Nowhere: the nodes are listed, for whoever submits them.
        case list
        /// On a thread of somebody else, who has settled something.
        case outside
        case on(Scheduler.Target?)
        /// On a scheduler that threw a job away: its nodes are rejected, and so are those below
        /// them that it was to run, without a call of their handlers. Others are not affected.
        case discarding(Scheduler.Target)
    }

    /// A run on the thread of whoever settles; only immediate handlers run in it.
    @usableFromInline
    init() {
        place = .outside
    }

    /// No run, but a list of all nodes that would be run or submitted, in their order.
    static func list() -> Drain { Drain(.list) }

    private init(_ place: Place) {
        self.place = place
    }

    init(on target: Scheduler.Target?, _ ready: NodeList) {
        place = .on(target)
        self.ready = ready
    }

    /// A run of nodes that their scheduler threw away.
    init(discarding nodes: NodeList, of target: Scheduler.Target) {
        place = .discarding(target)
        deliver(nodes)
    }

    /// Adds the nodes that belong on this scheduler to this run, and submits the others to theirs.
    mutating func deliver(_ nodes: NodeList) {
        var nodes = nodes
        var batch = NodeList()
        var batchTarget: Scheduler.Target?
        while let entry = nodes.popFirst() {
            let target = entry._withUnsafeGuaranteedRef { $0.target }
            if accepts(target) {
                if case .discarding(let discarded) = place, target === discarded {
                    entry._withUnsafeGuaranteedRef { $0.discard() }
                }
                ready.append(retained: entry)
            } else {
                if !batch.isEmpty, batchTarget !== target {
                    Scheduler.Target.submit(batch, to: batchTarget)
                    batch = NodeList()
                }
                batchTarget = target
                batch.append(retained: entry)
            }
        }
        if !batch.isEmpty { Scheduler.Target.submit(batch, to: batchTarget) }
    }

    /// Adds a node that runs wherever it is to this run, and submits any other to its scheduler.
    mutating func deliver(late node: Node) {
        if let target = node.target, target.isImmediate {
            ready.append(node)
        } else {
            node.submit(retained: .passRetained(node))
        }
    }

    /// Whether no node is left.
    var isEmpty: Bool { ready.isEmpty }

    /// Adds a node that runs wherever this run does, whose reference the caller gives away.
    mutating func add(_ entry: Unmanaged<Node>) {
        ready.append(retained: entry)
    }

    /// Takes the oldest node out, and hands its reference to the caller.
    mutating func popFirst() -> Unmanaged<Node>? {
        ready.popFirst()
    }

    /// Runs until no node is left.
    @usableFromInline
    mutating func run() {
        while let entry = ready.popFirst() {
            entry.takeRetainedValue().run(in: &self)
        }
    }

    private func accepts(_ target: Scheduler.Target?) -> Bool {
        switch (place, target) {
        case (.list, _), (.on(nil), nil): true
        case (_, nil): false
        case (.outside, let target?): target.isImmediate
        case (.on(let current), let target?): target.runs(within: current)
        case (.discarding(let discarded), let target?): target.runs(within: discarded)
        }
    }
}
