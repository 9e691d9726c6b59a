import LarderPromises

/// Asks from time to time whether another process has committed something, while anybody observes.
final class ForeignCommitCheck: Sendable {
    /// Who asks without a pause keeps a core busy, and the writer.
    static let leastInterval = Duration.milliseconds(10)

    private let interval: Duration
    private let clock: any Clock<Duration>
    private let task = Guarded<Task<Void, Never>?>(nil)

    init(every interval: Duration, on clock: any Clock<Duration>) {
        self.interval = max(interval, Self.leastInterval)
        self.clock = clock
    }

    deinit { stop() }

    /// Begins to ask.
    ///
    /// - Parameter check: Asks, and says whether it makes sense to go on.
    func start(_ check: @escaping @Sendable () async -> Bool) {
        let new = Task.detached(priority: .utility) { [interval, clock] in
            while !Task.isCancelled {
                guard (try? await clock.sleep(for: interval.sleepable)) != nil, await check() else {
                    return
                }
            }
        }
        replace(by: new)
    }

    /// Stops asking.
    func stop() { replace(by: nil) }

    private func replace(by new: Task<Void, Never>?) {
        let old = task.withLock { task in
            defer { task = new }
            return task
        }
        old?.cancel()
    }
}

extension Store {
    /// Sees to it that the commits of other processes are noticed while anybody observes.
    func watchForeignCommits() {
        let check = ForeignCommitCheck(
            every: configuration.externalChangeInterval, on: configuration.clock)
        // Not the store itself: counting the references to what weak ones lead to takes many times
        // as long, and each object that is read holds several to its store.
        observers.onActivity { [weak writer] isActive in
            guard isActive else { return check.stop() }
            check.start { [weak writer] in await writer?.checkForeignCommits() ?? false }
        }
    }

    /// Looks whether others have committed something, and tells those who observe.
    func startCheckingForeignCommits() { writer.startCheckingForeignCommits() }
}

extension Writer {
    /// Looks whether others have committed something, and tells those who observe.
    @discardableResult
    fileprivate func startCheckingForeignCommits(
        finish: @escaping @Sendable (Result<Void, any Error>) -> Void = { _ in }
    ) -> BackgroundJob {
        start({ self.publishForeignCommits($1) }, finish: finish)
    }

    /// Whether the store is still open.
    fileprivate func checkForeignCommits() async -> Bool {
        await withCheckedContinuation { continuation in
            startCheckingForeignCommits { result in
                let isClosed = (result.storeError?.reason == .closed)
                continuation.resume(returning: !isClosed)
            }
        }
    }
}

extension Result where Failure == any Error {
    /// The error, where it is one of a store.
    fileprivate var storeError: StoreError? {
        if case .failure(let error) = self { error as? StoreError } else { nil }
    }
}
