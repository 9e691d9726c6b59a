import Dispatch
import Foundation

/// The one connection that writes, and the queue that its transactions stand in.
///
/// Unchecked because connection and statements are not Sendable; both are only touched on the
/// queue, and `owner` under its lock.
final class Writer: @unchecked Sendable {
    private let queue = DispatchQueue(label: "larder.store.writer")
    private let statements: MapperStatements
    private let lock = NSLock()
    /// The thread that a body runs on.
    private var owner: ObjectIdentifier?

    init(connection: Connection, plan: StorePlan) {
        statements = MapperStatements(plan: plan, connection: connection)
    }

    /// The connection where the calling code runs in one of this writer's bodies, else nil.
    var currentConnection: Connection? {
        let thread = ObjectIdentifier(Thread.current)
        return lock.withLock { owner == thread } ? statements.connection : nil
    }

    /// Runs a body on the calling thread once all that came before is done.
    func run<Result>(
        _ body: (Connection, MapperStatements) throws -> Result
    ) throws -> Result {
        guard currentConnection == nil else {
            throw StoreError(
                .reentrant,
                "a transaction on this store is open here; use its context instead of the store")
        }
        return try queue.sync {
            lock.withLock { owner = ObjectIdentifier(Thread.current) }
            defer { lock.withLock { owner = nil } }
            return try body(statements.connection, statements)
        }
    }
}
