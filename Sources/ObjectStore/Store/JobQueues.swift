package import Dispatch
import LarderPromises

/// Queues that run one job each, with all that its end calls.
///
/// What a job calls, or its end, may block until a later job has had its turn, which on one queue would
/// never come. Not one queue that runs many at once: its threads are those of the global queues, all of
/// which may be waiting for a store or a response.
package final class JobQueues: Sendable {
    /// The number of queues that are kept while they have nothing to do.
    static let maximumIdle = 8

    private let label: String
    private let qos: DispatchQoS
    private let turnstile: Turnstile?
    private let idle = Guarded<[DispatchQueue]>([])

    /// - Parameter width: How many jobs run at a time, the others in the order they came; nil for all that
    ///   come, as far as there are threads, of which dispatch has 255.
    package init(label: String, qos: DispatchQoS = .unspecified, width: Int? = nil) {
        self.label = label
        self.qos = qos
        turnstile = width.map { Turnstile(width: $0) }
    }

    /// Runs a job on a queue that has nothing else to do, once its turn has come.
    package func run(_ job: @escaping @Sendable () -> Void) {
        guard let turnstile else { return start(job) }
        turnstile.enter { self.start(job) }
    }

    private func start(_ job: @escaping @Sendable () -> Void) {
        let queue = idle.withLock { $0.popLast() } ?? DispatchQueue(label: label, qos: qos)
        queue.async { [self] in
            job()
            idle.withLock { if $0.count < Self.maximumIdle { $0.append(queue) } }
            turnstile?.leave()
        }
    }

    /// The number of queues that are kept.
    var idleCount: Int { idle.withLock(\.count) }
}
