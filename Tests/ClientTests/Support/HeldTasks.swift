#if DEBUG
import Dispatch
import LarderPromises

/// Holds the tasks of promises that a body makes until the test lets them begin.
final class HeldTasks: TaskExecutor {
    private let jobs = Guarded<[UnownedJob]?>([])
    private let queue = DispatchQueue(label: "larder.tests.held")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isHeld = jobs.withLock { jobs in
            jobs?.append(job)
            return jobs != nil
        }
        if !isHeld { run([job]) }
    }

    func begin() { run(jobs.withLock { $0.take() } ?? []) }

    private func run(_ jobs: [UnownedJob]) {
        queue.async { [self] in
            for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }
}
#endif
