import Dispatch

extension Scheduler {
    /// The place that a scheduler hands its nodes to; the default one has none.
    @usableFromInline
    final class Target: Sendable {
        enum Kind {
            case immediate
            case queue(DispatchQueue)
            case custom(@Sendable (_ job: @escaping @Sendable () -> Void) -> Void)
        }

        let kind: Kind

        init(_ kind: Kind) {
            self.kind = kind
        }

        var isImmediate: Bool {
            if case .immediate = kind { true } else { false }
        }

        /// Whether a node for this target may run in a run on `current`.
        func runs(within current: Target?) -> Bool {
            if self === current || isImmediate { return true }
            guard case .queue(let own) = kind, case .queue(let other)? = current?.kind else {
                return false
            }
            return own === other
        }

        /// Runs the nodes, all of the same target, in one job.
        static func submit(_ nodes: NodeList, to target: Target?) {
            guard let target else {
                DefaultLane.shared.push(nodes)
                return
            }
            switch target.kind {
            case .immediate:
                var drain = Drain(on: target, nodes)
                drain.run()
            case .queue(let queue):
                let batch = Batch(nodes, on: target)
                queue.async { batch.run() }
            case .custom(let schedule):
                let batch = Batch(nodes, on: target)
                schedule { batch.run() }
            }
        }
    }
}
