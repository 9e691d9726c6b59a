import Synchronization

@testable import LarderPromises

/// Runs the tasks that an action begins, or wakes, on the action's thread and right after it.
final class OracleExecutor: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    /// Runs jobs until none is left, those that come up meanwhile included; whether there were any.
    @discardableResult
    func run() -> Bool {
        var hasRun = false
        while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            job.runSynchronously(on: asUnownedTaskExecutor())
            hasRun = true
        }
        return hasRun
    }

    func whileActing(_ action: () -> Void) {
        #if DEBUG
        YieldPoint.$executor.withValue(self) {
            action()
            run()
        }
        #else
        action()
        #endif
    }
}
