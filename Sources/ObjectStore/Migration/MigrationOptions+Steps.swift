extension MigrationOptions {
    /// The steps that a store of a version takes: each as early as there is one, and of these those of the
    /// chain that leads through most versions, by the fewest steps.
    func steps(from version: Int) -> [Migration] {
        let steps = self.steps.filter { $0.from >= version && $0.to <= self.version }
            .sorted { ($0.from, $0.to) < ($1.from, $1.to) }
        // Several steps can share the work between two versions.
        let shares = steps.reduce(into: [[Migration]]()) { shares, step in
            if let last = shares.last?.first, (last.from, last.to) == (step.from, step.to) {
                shares[shares.count - 1].append(step)
            } else {
                shares.append([step])
            }
        }
        // What to go on with is known where a chain's first step is looked at.
        var chains: [Chain] = []
        for share in shares.reversed() {
            guard let first = share.first else { continue }
            let rest = Chain.best(of: chains, from: max(first.from, first.to))
            chains.insert(Chain(share, before: rest), at: 0)
        }
        return Chain.best(of: chains, from: version)?.steps ?? []
    }

    /// Steps that are taken one after the other.
    private struct Chain {
        let steps: [Migration]
        private let from: Int
        /// The number of versions that they lead through.
        private let length: Int
        /// The number of steps from one version to another.
        private let count: Int

        /// - Parameter share: Steps between the same two versions.
        init(_ share: [Migration], before rest: Chain?) {
            steps = share + (rest?.steps ?? [])
            from = share.first?.from ?? 0
            let distance = share.first.map { max($0.to - $0.from, 0) } ?? 0
            length = distance + (rest?.length ?? 0)
            count = (distance > 0 ? 1 : 0) + (rest?.count ?? 0)
        }

        /// The best of chains that begin at a version or later, the first of several.
        static func best(of chains: [Chain], from version: Int) -> Chain? {
            chains.filter { $0.from >= version }
                .min { ($0.from, $1.length, $0.count) < ($1.from, $0.length, $1.count) }
        }
    }
}
