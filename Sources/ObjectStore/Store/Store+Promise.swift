public import Foundation
public import LarderPromises

extension Store {
    /// Reading and writing on queues of the store's own, as promises; what has no call of its own stands
    /// in `read` or `write`.
    ///
    ///     store.promise.fetch(Issue.all).then { print($0.count) }
    ///
    /// They behave as those of ``background`` do; cancelling the promise cancels the call.
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

    /// Parses a document, and then runs a transaction with it.
    func write<Value: Sendable>(
        parsing parse: @escaping @Sendable () throws -> JSONValue,
        fileID: StaticString, line: UInt,
        _ body: @escaping @Sendable (Context, JSONValue) throws -> Value
    ) -> Promise<Value> {
        Promise(fileID: fileID, line: line) { resolver in
            let job = store.startWriting(
                parse,
                { context, value in
                    context.willCommit = { try Self.commit(resolver) }
                    return try body(context, value)
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

// MARK: Queries and JSON

extension Store.PromiseCalls {
    /// The objects that a query finds.
    public func fetch<Object: Entity>(
        _ query: Query<Object>,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<[Object]> {
        read(fileID: fileID, line: line) { try $0.fetch(query) }
    }

    /// The first object that a query finds, nil where there is none.
    public func first<Object: Entity>(
        _ query: Query<Object>,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Object?> {
        read(fileID: fileID, line: line) { try $0.first(query) }
    }

    /// Returns the number of objects that a query finds.
    public func count<Object: Entity>(
        _ query: Query<Object>,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Int> {
        read(fileID: fileID, line: line) { try $0.count(query) }
    }

    /// Writes the objects of a JSON document in one transaction and returns what they make.
    public func insert<Value: Insertable>(
        _ type: Value.Type = Value.self, from json: Data,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Value> {
        write(parsing: { try JSONDocument(json).root }, fileID: fileID, line: line) {
            try $0.insert(type, from: $1)
        }
    }
}
