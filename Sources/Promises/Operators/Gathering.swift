/// A promise that several others decide together.
///
/// When it is cancelled, its branches of the others are; when it has settled, it leaves them alone.
final class Gathering<Output: Sendable>: Sendable {
    let promise: Promise<Output>
    private let resolver: Resolver<Output>
    /// Whether the first member that has a value may decide alone.
    private let isOneEnough: Bool
    private let state = Guarded(State())

    private struct State: Sendable {
        var lastKey = 0
        /// The branches that have not run; `nil` while one is being attached.
        var branches: [Int: Promise<Void>?] = [:]
        var isOver = false
        /// Whether somebody has looked for a circle here, and found none as one member was free, which
        /// has to be asked again when that one goes.
        var wasAsked = false
    }

    /// Creates the promise; `isOneEnough` tells whether the first member may decide it alone.
    init(site: CreationSite, isOneEnough: Bool = false) {
        let node = Node(site: site)
        promise = Promise(node: node)
        self.isOneEnough = isOneEnough
        resolver = Resolver(node: node)
        // Held until the promise is resolved or cancelled, which lets go of its handlers.
        node.onCancel(
            CancelHandler(
                stop: { self.end().map { .node($0) } },
                members: CancelHandler.Members(isOneEnough: isOneEnough) { self.openBranches }))
    }

    private var openBranches: [Node] {
        state.withLock { state in
            state.wasAsked = true
            return state.branches.values.compactMap { $0?.node }
        }
    }

    /// Calls `observer` with the outcome of a member.
    func observe<Member>(
        _ member: Promise<Member>,
        _ observer: @escaping @Sendable (Outcome<Member>, inout Drain) -> Void
    ) {
        let key = state.withLock { state in
            state.lastKey += 1
            state.branches[state.lastKey] = .some(nil)
            return state.lastKey
        }
        let branch = member.observe { outcome, drain in
            let wasAsked = self.state.withLock { state in
                state.branches.removeValue(forKey: key)
                return state.wasAsked
            }
            observer(outcome, &drain)
            if wasAsked { self.checkRest(in: &drain) }
        }
        let isOver = state.withLock { state in
            if state.branches[key] != nil { state.branches[key] = .some(branch) }
            return state.isOver
        }
        if isOver {
            resolver.isCancelled ? branch.cancel() : branch.node.leave()
        } else if promise.node.hasWaiters, member.node.needs(promise.node) {
            resolve(with: .failure(PromiseError.cycle))
        }
    }

    /// Rejects where a member has gone without deciding, and none of those that are left can be the
    /// first, as all of them wait for this promise.
    private func checkRest(in drain: inout Drain) {
        guard isOneEnough, promise.node.status.isOpen else { return }
        let left = openBranches
        guard !left.isEmpty, left.allSatisfy({ $0.needs(promise.node) }) else { return }
        resolve(with: .failure(PromiseError.cycle), in: &drain)
    }

    /// Whether the outcome is decided, so that no more members are asked for.
    var isOver: Bool { state.withLock { $0.isOver } }

    func resolve(with outcome: Outcome<Output>) {
        var drain = Drain()
        resolve(with: outcome, in: &drain)
        drain.run()
    }

    func resolve(with outcome: Outcome<Output>, in drain: inout Drain) {
        // A cancellation that came first is about to cancel the branches.
        if resolver.resolve(with: outcome, in: &drain) {
            for branch in end() { branch.leave() }
        }
    }

    /// Ends it, and returns the branches that it lets go.
    private func end() -> [Node] {
        state.withLock { state in
            state.isOver = true
            defer { state.branches = [:] }
            // In the order of the members: handlers that run in between may make a difference.
            return state.branches.sorted { $0.key < $1.key }.compactMap { $0.value?.node }
        }
    }
}

/// Places for values that arrive in any order.
final class Slots<Value: Sendable>: Sendable {
    private let state: Guarded<State>

    private struct State: Sendable {
        var values: [Value?]
        var missing: Int
    }

    init(count: Int) {
        state = Guarded(State(values: Array(repeating: nil, count: count), missing: count))
    }

    /// Fills a place, and returns all values, in order, when it was the last one.
    func fill(_ index: Int, with value: Value) -> [Value]? {
        state.withLock { state in
            state.values[index] = value
            state.missing -= 1
            return state.missing == 0 ? state.values.compactMap(\.self) : nil
        }
    }
}
