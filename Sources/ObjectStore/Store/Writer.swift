import Dispatch

/// The one connection that writes, and the queue that its transactions stand in.
///
/// Unchecked because connection and statements are not Sendable; both are only touched on the
/// queue.
final class Writer: @unchecked Sendable {
    private static let key = DispatchSpecificKey<ObjectIdentifier>()

    private let queue = DispatchQueue(label: "larder.store.writer")
    private let statements: MapperStatements

    init(connection: Connection, plan: StorePlan) {
        statements = MapperStatements(plan: plan, connection: connection)
        queue.setSpecific(key: Self.key, value: ObjectIdentifier(self))
    }

    /// Whether the calling code runs in one of this writer's transactions.
    var isCurrent: Bool {
        DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self)
    }

    /// Runs a body on the calling thread once all that came before is done.
    func run<Result>(
        _ body: (Connection, MapperStatements) throws -> Result
    ) throws -> Result {
        guard !isCurrent else {
            throw StoreError(
                .reentrant,
                "a transaction on this store is open here; use its context instead of the store")
        }
        return try queue.sync { try body(statements.connection, statements) }
    }
}
