/// The cancellation of a task, whose handlers leave what they cancel to whoever cancels the task.
///
/// What a task waits for may be the promise of another one, and so on to any depth: beyond a few, those
/// are stopped in a loop, not each by a handler of the one before, which its runtime calls.
final class CancelTurn: Sendable {
    /// The number of tasks, each cancelled by a handler of the one before, for which any stack has room.
    ///
    /// Up to there, what a handler cancels has been stopped once that returns.
    private static let plainDepth = 32

    /// The task that cancels, by its hash; nil outside of tasks.
    private let canceller: Int?
    private let depth: Int
    /// The sources that have been cancelled, whose work is still to be stopped; nil once the turn is over.
    private let sources = Guarded<[Node.Ended]?>([])

    @TaskLocal private static var local: CancelTurn?

    private init() {
        let (canceller, outer) = (Self.currentTask, Self.local)
        self.canceller = canceller
        depth = outer.map { $0.canceller == canceller ? $0.depth + 1 : 1 } ?? 1
    }

    /// Cancels a task, and returns what is still to be done, in its order.
    static func cancel(_ task: Task<some Sendable, some Error>) -> [Node.Member] {
        let turn = CancelTurn()
        $local.withValue(turn) { task.cancel() }
        let sources = turn.sources.withLock { $0.take() } ?? []
        return sources.map { .source($0) }
    }

    /// Cancels a node, and leaves it to whoever cancels the task that waits for it to stop the work;
    /// false, and nothing is done, where nobody does that.
    fileprivate static func leave(_ node: Node) -> Bool {
        // Tasks that were begun by a handler have the value of theirs, on other threads and for longer.
        guard let turn = local, turn.depth > plainDepth, turn.canceller == currentTask,
            turn.sources.withLock({ $0 != nil })
        else { return false }
        // Decided at once, as another handler of the task may be about to settle it.
        guard let source = node.cancellation().ascend() else { return true }
        turn.sources.withLock { $0?.append(source) }
        return true
    }

    private static var currentTask: Int? { withUnsafeCurrentTask { $0?.hashValue } }
}

extension Promise {
    /// Cancels the promise from the handler of a task that waits for it and is cancelled.
    package func cancelWithTask() {
        // The runtime holds a lock.
        YieldPoint.withoutAny {
            if !CancelTurn.leave(node) { cancel() }
        }
    }
}
