/// A promise that several others decide together.
///
/// When it is cancelled, its branches of the others are; when it has settled, it leaves them alone.
final class Gathering<Output: Sendable>: Sendable {
    let promise: Promise<Output>
    private let resolver: Resolver<Output>
    private let state = Guarded(State())

    private struct State: Sendable {
        var lastKey = 0
        /// The branches that have not run; `nil` while one is being attached.
        var branches: [Int: Promise<Void>?] = [:]
        var isOver = false
    }

    init(site: CreationSite) {
        let node = Node(site: site)
        promise = Promise(node: node)
        resolver = Resolver(node: node)
        // Held until the promise is resolved or cancelled, which lets go of its handlers.
        resolver.onCancel { self.end { $0.cancel() } }
    }

    /// Calls `observer` with the outcome of a member.
    func observe<Member>(
        _ member: Promise<Member>,
        _ observer: @escaping @Sendable (Result<Member, any Error>, inout Drain) -> Void
    ) {
        let key = state.withLock { state in
            state.lastKey += 1
            state.branches[state.lastKey] = .some(nil)
            return state.lastKey
        }
        let branch = member.observe { result, drain in
            self.state.withLock { _ = $0.branches.removeValue(forKey: key) }
            observer(result, &drain)
        }
        let isOver = state.withLock { state in
            if state.branches[key] != nil { state.branches[key] = .some(branch) }
            return state.isOver
        }
        if isOver { resolver.isCancelled ? branch.cancel() : branch.node.leave() }
    }

    /// Whether the outcome is decided, so that no more members are asked for.
    var isOver: Bool { state.withLock { $0.isOver } }

    func resolve(with outcome: Result<Output, any Error>) {
        var drain = Drain()
        resolve(with: outcome, in: &drain)
        drain.run()
    }

    func resolve(with outcome: Result<Output, any Error>, in drain: inout Drain) {
        resolver.resolve(with: outcome, in: &drain)
        end { $0.node.leave() }
    }

    private func end(_ letGo: (Promise<Void>) -> Void) {
        let branches = state.withLock { state in
            state.isOver = true
            defer { state.branches = [:] }
            return state.branches.values.compactMap(\.self)
        }
        for branch in branches { letGo(branch) }
    }
}
