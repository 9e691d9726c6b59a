/// A promise that several others decide together.
///
/// When it is cancelled, its branches of the others are; when it has settled, it leaves them alone.
final class Gathering<Output: Sendable>: Sendable {
    let promise: Promise<Output>
    private let resolver: Resolver<Output>
    private let state = Guarded(State())

    private struct State: Sendable {
        var branches: [Promise<Void>] = []
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
        _ observer: @escaping @Sendable (Result<Member, any Error>) -> Void
    ) {
        let branch = member.observe(observer)
        guard branch.isPending else { return }
        let isOver = state.withLock { state in
            if !state.isOver { state.branches.append(branch) }
            return state.isOver
        }
        if isOver { resolver.isCancelled ? branch.cancel() : branch.node.leave() }
    }

    /// Whether the outcome is decided, so that no more members are asked for.
    var isOver: Bool { state.withLock { $0.isOver } }

    func resolve(with outcome: Result<Output, any Error>) {
        resolver.resolve(with: outcome)
        end { $0.node.leave() }
    }

    private func end(_ letGo: (Promise<Void>) -> Void) {
        let branches = state.withLock { state in
            state.isOver = true
            defer { state.branches = [] }
            return state.branches
        }
        for branch in branches { letGo(branch) }
    }
}
