public import LarderPromises

extension Store {
    /// Reading and writing on queues of the store's own, as promises.
    ///
    ///     store.promise.read { try $0.fetch(Issue.all) }.then { print($0.count) }
    ///
    /// They behave as the `async` ones do; cancelling the promise cancels the call. Large documents are better
    /// parsed before a transaction than in it.
    public var promise: PromiseCalls { PromiseCalls(store: self) }

    /// Calls into a store that give promises.
    public struct PromiseCalls: Sendable {
        let store: Store
    }
}

extension Store.PromiseCalls {
    /// Runs a transaction.
    ///
    /// A promise that is rejected as cancelled has written nothing: once the transaction is about to
    /// be committed, cancelling the promise is without effect.
    public func write<Value: Sendable>(
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (Context) throws -> Value
    ) -> Promise<Value> {
        Promise(fileID: fileID, line: line) { resolver in
            let job = store.startWriting(
                { context in
                    context.willCommit = { try Self.commit(resolver) }
                    return try body(context)
                }, finish: { resolver.resolve(with: $0) })
            resolver.onCancel { job.cancel() }
        }
    }

    private static func commit<Value>(_ resolver: Resolver<Value>) throws {
        guard resolver.commit() else { throw CancellationError() }
    }

    /// Runs a body that reads the store as it is at one moment.
    public func read<Value: Sendable>(
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (Snapshot) throws -> Value
    ) -> Promise<Value> {
        Promise(fileID: fileID, line: line) { resolver in
            let job = store.startReading(body) { resolver.resolve(with: $0) }
            resolver.onCancel { job.cancel() }
        }
    }
}
