import LarderPromises

extension Store {
    /// Runs a body that reads the store as it is at one moment, on a queue of the store's own: what `read`
    /// is in `async` code, where the result is `Sendable`.
    ///
    /// A call that is cancelled throws `CancellationError`: at once while it waits for its turn, and as
    /// soon as SQLite can stop while it runs.
    ///
    ///     let issues = try await store.read { try $0.fetch(Issue.all) }
    ///
    /// - Throws: What the body throws, `StoreError` or `CancellationError`.
    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (Snapshot) throws -> Value
    ) async throws -> Value {
        try await Self.wait { startReading(body, finish: $0) }
    }

    /// Runs a body as one transaction, on a queue of the store's own: all that it writes is stored, or
    /// nothing where it throws or is cancelled.
    ///
    ///     let document = try JSONDocument(data)
    ///     try await store.write { try $0.import([Issue].self, from: document) }
    ///
    /// As the only expression of a closure without a result it says that it has none: `group.addTask {
    /// try await store.write { _ = try $0.save(issue) } }`.
    ///
    /// Transactions take their turns in the order of the calls. A document that is parsed inside is parsed
    /// while others wait, for whom the transaction does nothing: parse large ones before.
    ///
    /// A transaction must not wait for another one on the same store. Where its body does so for a
    /// promise it has made, or a task it has started, that call fails with
    /// `StoreError.Reason.reentrant` after the store's `busyTimeout`; where the call comes from
    /// elsewhere, such as a handler of a promise, nobody can tell and both wait for ever.
    ///
    /// - Throws: What the body throws, `StoreError` or `CancellationError`.
    @discardableResult
    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (Context) throws -> Value
    ) async throws -> Value {
        try await Self.wait { startWriting(body, finish: $0) }
    }

    /// Starts a call for a task that waits for it.
    private static func wait<Value: Sendable>(
        _ start: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> BackgroundJob
    ) async throws -> Value {
        let job = Guarded<BackgroundJob?>(nil)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let started = start { continuation.resume(with: $0) }
                job.withLock { $0 = started }
                // The cancellation may have come before there was anything to cancel.
                if Task.isCancelled { started.cancel() }
            }
        } onCancel: {
            job.withLock(\.self)?.cancel()
        }
    }
}
