import LarderPromises

@testable import LarderObjectStore

/// Keeps all that a store's observers are told.
final class ChangeRecorder: Observing {
    private let noted = Guarded<[Changes]>([])
    private let observers: Observers

    init(_ store: Store) {
        observers = store.observers
        observers.add(self)
    }

    deinit { observers.remove(ObjectIdentifier(self)) }

    func note(_ changes: Changes) {
        noted.withLock { $0.append(changes) }
    }

    /// What has been told since this was last asked.
    func take() -> [Changes] {
        noted.withLock { noted in
            defer { noted = [] }
            return noted
        }
    }
}

extension Store {
    /// Runs SQL in a transaction, as code does that knows nothing of observers.
    func run(_ sql: String...) throws {
        try transaction { connection, _ in
            for statement in sql { try connection.execute(statement) }
        }
    }

    /// Runs a transaction on the bare connection.
    func transaction(_ body: (Connection, WriteStatements) throws -> Void) throws {
        try writer.run { connection, statements in
            try writer.transaction(with: statements) { try body(connection, statements) }
        }
    }
}

extension Changes.Table {
    /// The rows in order, nil for all of the table.
    var sortedRows: [Int64]? { rows.rows?.sorted() }
}
