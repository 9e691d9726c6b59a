extension Promise {
    /// Does `work` again until it succeeds, at most `attempts` times.
    ///
    /// Rejects with the last error. A cancellation is not retried, nor an error for which
    /// `condition` returns `false`. Fewer than one attempt reject with
    /// ``PromiseError/notPositive(_:)``.
    ///
    /// - Parameters:
    ///   - condition: Called with the error and the number of failures so far.
    ///   - work: Called with the number of the attempt, one and up.
    public static func retry(
        attempts: Int = 3,
        backoff: Backoff = .none,
        clock: some Clock<Duration> = ContinuousClock(),
        on scheduler: Scheduler = .default,
        fileID: StaticString = #fileID, line: UInt = #line,
        while condition: @escaping @Sendable (any Error, _ failures: Int) -> Bool = { _, _ in true
        },
        _ work: @escaping @Sendable (_ attempt: Int) throws -> Promise<Value>
    ) -> Promise<Value> {
        let (promise, resolver) = Self.pending(fileID: fileID, line: line)
        guard attempts > 0 else {
            resolver.reject(PromiseError.notPositive(attempts))
            return promise
        }
        let retrying = Retrying(
            resolver: resolver, scheduler: scheduler, work: work,
            pause: { error, failures in
                guard failures < attempts, condition(error, failures) else { return nil }
                let wait = backoff.duration(after: failures)
                return wait > .zero ? .delay(for: wait, clock: clock) : .fulfilled()
            })
        resolver.onCancel { retrying.cancel() }
        retrying.start(attempt: 1, after: .fulfilled())
        return promise
    }
}

/// One attempt after the other, without a chain that grows.
private final class Retrying<Value: Sendable>: Sendable {
    private let resolver: Resolver<Value>
    private let scheduler: Scheduler
    private let work: @Sendable (Int) throws -> Promise<Value>
    private let pause: @Sendable (any Error, Int) -> Promise<Void>?
    private let current = Guarded<Promise<Value>?>(nil)

    init(
        resolver: Resolver<Value>, scheduler: Scheduler,
        work: @escaping @Sendable (Int) throws -> Promise<Value>,
        pause: @escaping @Sendable (any Error, Int) -> Promise<Void>?
    ) {
        self.resolver = resolver
        self.scheduler = scheduler
        self.work = work
        self.pause = pause
    }

    func start(attempt: Int, after pause: Promise<Void>) {
        let work = self.work
        let promise = pause.then(on: scheduler) { () -> Promise<Value> in try work(attempt) }
        exchange(promise)
        if resolver.isCancelled { promise.cancel() }
        promise.observe { self.receive($0, of: attempt, in: &$1) }
    }

    /// The old promise is let go after the lock: with it may go values of the user.
    private func exchange(_ promise: Promise<Value>?) {
        let old = current.withLock { current in
            defer { current = promise }
            return current
        }
        withExtendedLifetime(old) {}
    }

    func cancel() {
        current.withLock { $0 }?.cancel()
    }

    private func receive(
        _ result: Result<Value, any Error>, of attempt: Int, in drain: inout Drain
    ) {
        guard case .failure(let error) = result, !(error is CancellationError),
            let pause = pause(error, attempt)
        else {
            exchange(nil)
            return resolver.resolve(with: result, in: &drain)
        }
        start(attempt: attempt + 1, after: pause)
    }
}
