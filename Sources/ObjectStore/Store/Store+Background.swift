public import Foundation
import LarderPromises

extension Store {
    /// Reading and writing on queues of the store's own, to be awaited; what has no call of its own
    /// stands in `read` or `write`.
    ///
    ///     let issues = try await store.background.fetch(Issue.all)
    ///
    /// ``promise`` has them for chains.
    ///
    /// They never block the calling thread. A call that is cancelled throws `CancellationError`: at once while it waits for its turn, and as soon as SQLite can
    /// stop while it runs; of a transaction nothing is left then.
    ///
    /// Transactions take their turns in the order of the calls. A document is parsed before, one at a
    /// time, while others write: what inserts it takes its turn from then on.
    ///
    /// A transaction must not wait for another one on the same store. Where its body does so for a
    /// promise it has made, or a task it has started, that call fails with
    /// `StoreError.Reason.reentrant` after the store's `busyTimeout`; where the call comes from
    /// elsewhere, such as a handler of a promise, nobody can tell and both wait for ever.
    public var background: Background { Background(store: self) }

    /// Calls into a store that are awaited.
    public struct Background: Sendable {
        let store: Store
    }
}

extension Store.Background {
    /// Runs a transaction.
    ///
    /// - Throws: What the body throws, `StoreError` or `CancellationError`.
    @discardableResult
    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (Context) throws -> Value
    ) async throws -> Value {
        try await Self.wait { store.startWriting(body, finish: $0) }
    }

    /// Runs a body that reads the store as it is at one moment.
    ///
    /// - Throws: What the body throws, `StoreError` or `CancellationError`.
    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (Snapshot) throws -> Value
    ) async throws -> Value {
        try await Self.wait { store.startReading(body, finish: $0) }
    }

    /// Parses a document, and then runs a transaction with it.
    func write<Value: Sendable>(
        parsing parse: @escaping @Sendable () throws -> JSONValue,
        _ body: @escaping @Sendable (Context, JSONValue) throws -> Value
    ) async throws -> Value {
        try await Self.wait { store.startWriting(parse, body, finish: $0) }
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

// MARK: Queries and JSON

extension Store.Background {
    /// The objects that a query finds.
    public func fetch<Object: Entity>(_ query: Query<Object>) async throws -> [Object] {
        try await read { try $0.fetch(query) }
    }

    /// The first object that a query finds, nil where there is none.
    public func first<Object: Entity>(_ query: Query<Object>) async throws -> Object? {
        try await read { try $0.first(query) }
    }

    /// Returns the number of objects that a query finds.
    public func count<Object: Entity>(_ query: Query<Object>) async throws -> Int {
        try await read { try $0.count(query) }
    }

    /// Writes the objects of a JSON document in one transaction and returns what they make.
    @discardableResult
    public func insert<Value: Insertable>(
        _ type: Value.Type = Value.self, from json: Data
    ) async throws -> Value {
        try await write(parsing: { try JSONDocument(json).root }) { try $0.insert(type, from: $1) }
    }
}
