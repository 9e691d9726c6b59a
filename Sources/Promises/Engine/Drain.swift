/// The run of one chain on its scheduler: a list of nodes whose turn has come, worked off in a loop
/// instead of by recursion, so that a chain of any length needs one hop and a flat stack.
@usableFromInline
struct Drain {
    private let place: Place
    private var ready = NodeList()
    /// The scheduler threw its jobs away: nodes are rejected, and their handlers not called.
    @usableFromInline let isDiscarding: Bool

    private enum Place {
        /// On a thread of somebody else, who has settled something.
        case outside
        case on(Scheduler.Target?)
    }

    /// A run on the thread of whoever settles; only immediate handlers run in it.
    @usableFromInline
    init() {
        place = .outside
        isDiscarding = false
    }

    init(on target: Scheduler.Target?, _ ready: NodeList, isDiscarding: Bool = false) {
        place = .on(target)
        self.ready = ready
        self.isDiscarding = isDiscarding
    }

    /// Adds the nodes that belong on this scheduler to this run, and submits the others to theirs.
    mutating func deliver(_ nodes: NodeList) {
        var nodes = nodes
        var batch = NodeList()
        var batchTarget: Scheduler.Target?
        while let entry = nodes.popFirst() {
            let target = entry._withUnsafeGuaranteedRef { $0.target }
            if accepts(target) {
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

    /// Runs until no node is left.
    @usableFromInline
    mutating func run() {
        while let entry = ready.popFirst() {
            entry.takeRetainedValue().run(in: &self)
        }
    }

    private func accepts(_ target: Scheduler.Target?) -> Bool {
        switch (place, target) {
        case (.on(nil), nil): true
        case (_, nil): false
        case (.outside, let target?): target.isImmediate
        case (.on(let current), let target?): target.runs(within: current)
        }
    }
}
