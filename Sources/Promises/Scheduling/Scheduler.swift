public import Dispatch

/// A place where handlers run.
///
/// Every operator that takes a handler has a parameter `on:`. A chain crosses to its scheduler once
/// and stays there for as long as its handlers name the same one.
public struct Scheduler: Sendable {
    @usableFromInline let target: Target?

    /// Creates a scheduler from a function that runs jobs elsewhere.
    ///
    /// `schedule` may run jobs on any thread, but each job once, and in the order they came if
    /// handlers are to keep theirs. A job that is thrown away rejects the promises that waited for
    /// it with ``PromiseError/abandoned``.
    public init(_ schedule: @escaping @Sendable (_ job: @escaping @Sendable () -> Void) -> Void) {
        target = Target(.custom(schedule))
    }

    private init(_ target: Target?) {
        self.target = target
    }

    /// The library's own serial queue: one handler at a time, in order, without a main loop.
    public static let `default` = Scheduler(nil)

    /// No scheduler: handlers run on the thread that settles, or attaches to what has settled.
    ///
    /// The only one whose handlers may run before `then` or `fulfill` has returned.
    public static let immediate = Scheduler(Target(.immediate))

    /// The main dispatch queue, which needs a running main loop.
    public static let main = Scheduler.queue(.main)

    /// A dispatch queue; a concurrent one keeps the order of handlers within a chain only.
    public static func queue(_ queue: DispatchQueue) -> Scheduler {
        Scheduler(Target(.queue(queue)))
    }
}

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
