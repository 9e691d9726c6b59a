import Dispatch
import LarderPromises

/// Queues that run one job each, with all that its end calls.
///
/// What a job's end calls may block until a later job has had its turn, which on one queue would never
/// come. Not one queue that runs many at once: its threads are those of the global queues, all of which
/// may be waiting for a store.
final class JobQueues: Sendable {
    private let label: String
    private let idle = Guarded<[DispatchQueue]>([])

    init(label: String) { self.label = label }

    /// Runs a job on a queue that has nothing else to do.
    func run(_ job: @escaping @Sendable () -> Void) {
        let queue = idle.withLock { $0.popLast() } ?? DispatchQueue(label: label)
        queue.async { [self] in
            job()
            idle.withLock { $0.append(queue) }
        }
    }
}
