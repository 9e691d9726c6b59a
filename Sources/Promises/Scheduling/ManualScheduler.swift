/// A scheduler for tests, which runs handlers when it is told to.
///
/// ```swift
/// let manual = ManualScheduler()
/// let promise = Promise.fulfilled(1).then(on: manual.scheduler) { $0 + 1 }
/// manual.run()
/// ```
public final class ManualScheduler: Sendable {
    private let jobs: JobQueue
    /// The scheduler to pass as `on:`.
    public let scheduler: Scheduler

    /// Creates a scheduler without jobs.
    public init() {
        let jobs = JobQueue()
        self.jobs = jobs
        scheduler = Scheduler { jobs.append($0) }
    }

    /// The number of jobs that wait to be run; a job is the part of a chain that is ready.
    public var count: Int { jobs.count }

    /// Runs the oldest job on the calling thread, and returns whether there was one.
    @discardableResult
    public func runNext() -> Bool {
        guard let job = jobs.popFirst() else { return false }
        job()
        return true
    }

    /// Runs jobs until none is left, those that come up meanwhile included, and returns their number.
    ///
    /// - Parameter limit: After how many jobs it stops.
    @discardableResult
    public func run(limit: Int = 1_000_000) -> Int {
        var count = 0
        while count < limit, runNext() { count += 1 }
        return count
    }

    /// Throws the waiting jobs away, which rejects their promises with ``PromiseError/abandoned``.
    public func discard() {
        jobs.removeAll()
    }
}

/// The jobs of a manual scheduler, apart from it so that its scheduler does not hold itself.
private final class JobQueue: Sendable {
    private let jobs = Guarded<[@Sendable () -> Void]>([])

    var count: Int { jobs.withLock { $0.count } }

    func append(_ job: @escaping @Sendable () -> Void) {
        jobs.withLock { $0.append(job) }
    }

    func popFirst() -> (@Sendable () -> Void)? {
        jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }

    func removeAll() {
        let dropped = jobs.withLock { jobs in
            defer { jobs = [] }
            return jobs
        }
        withExtendedLifetime(dropped) {}
    }
}
