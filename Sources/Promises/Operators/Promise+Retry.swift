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
        promise.node.onCancel(
            CancelHandler(
                stop: { retrying.members.map { .node($0) } },
                members: CancelHandler.Members { retrying.members }))
        retrying.start(attempt: 1, after: .fulfilled())
        return promise
    }

    /// Does `work` again until it succeeds, at most `attempts` times, whichever attempt it is.
    public static func retry(
        attempts: Int = 3,
        backoff: Backoff = .none,
        clock: some Clock<Duration> = ContinuousClock(),
        on scheduler: Scheduler = .default,
        fileID: StaticString = #fileID, line: UInt = #line,
        while condition: @escaping @Sendable (any Error, _ failures: Int) -> Bool = { _, _ in true
        },
        _ work: @escaping @Sendable () throws -> Promise<Value>
    ) -> Promise<Value> {
        retry(
            attempts: attempts, backoff: backoff, clock: clock, on: scheduler, fileID: fileID,
            line: line, while: condition
        ) { _ in try work() }
    }
}

/// One attempt after the other, without a chain or a stack that grows.
private final class Retrying<Value: Sendable>: Sendable {
    private let resolver: Resolver<Value>
    private let scheduler: Scheduler
    private let work: @Sendable (Int) throws -> Promise<Value>
    private let pause: @Sendable (any Error, Int) -> Promise<Void>?
    private let state = Guarded(State())

    private struct Start: Sendable {
        let attempt: Int
        let pause: Promise<Void>
    }

    private struct State: Sendable {
        var current: Promise<Value>?
        /// Whether a thread is at starting attempts; it also starts the one that comes up then.
        var isStarting = false
        var next: Start?
    }

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
        let isMine = state.withLock { state in
            state.next = Start(attempt: attempt, pause: pause)
            defer { state.isStarting = true }
            return !state.isStarting
        }
        guard isMine else { return }
        while let start = takeNext() { run(start) }
    }

    private func takeNext() -> Start? {
        state.withLock { state in
            state.isStarting = state.next != nil
            return state.next.take()
        }
    }

    private func run(_ start: Start) {
        // On some schedulers the work would begin before it could be cancelled.
        guard !resolver.isCancelled else { return start.pause.cancel() }
        let work = self.work
        let attempt = start.attempt
        let promise = start.pause.then(on: scheduler) { () -> Promise<Value> in try work(attempt) }
        exchange(promise)
        if resolver.isCancelled { promise.cancel() }
        promise.observe { self.receive($0, of: attempt, in: &$1) }
        // After this one waits, so that of threads which close a circle together the last one sees it.
        if resolver.node.hasWaiters, promise.node.needs(resolver.node) {
            resolver.reject(PromiseError.cycle)
        }
    }

    /// The old promise is let go after the lock: with it may go values of the user.
    private func exchange(_ promise: Promise<Value>?) {
        let old = state.withLock { state in
            defer { state.current = promise }
            return state.current
        }
        withExtendedLifetime(old) {}
    }

    /// The attempt or the pause that the promise waits for.
    var members: [Node] {
        state.withLock { $0.current.map { [$0.node] } ?? [] }
    }

    private func receive(_ outcome: Outcome<Value>, of attempt: Int, in drain: inout Drain) {
        guard let error = outcome.error, !(error is CancellationError),
            let pause = pause(error, attempt)
        else {
            exchange(nil)
            resolver.resolve(with: outcome, in: &drain)
            return
        }
        start(attempt: attempt + 1, after: pause)
    }
}
