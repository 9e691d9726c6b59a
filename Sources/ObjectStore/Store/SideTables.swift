/// The tables that stand beside those of the objects in a store's file, for who keeps something else there.
///
/// Their names begin with ``prefix``, which no entity's name does. A check of the model leaves them as they are, and
/// so does a migration, unless they hold numbers of rows and it gives others. Copies of the store have them, too, and
/// a rebuilt store has none: what is kept there can be had again.
package struct SideTables {
    /// The beginning of the names of such tables.
    package static let prefix = Schema.sidePrefix

    /// The table of the responses by which a store answers, which is emptied where all objects are deleted.
    package static let keptResponses = Schema.keptResponses

    /// The table of the places at which pulls go on, which is emptied where all objects are deleted.
    package static let pulls = Schema.pulls

    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    /// Whether a table is there.
    package func has(_ table: String) throws -> Bool {
        try !rows("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", [.text(table)])
            .isEmpty
    }

    /// The rows that a statement finds, its parameters bound to values.
    package func rows(_ sql: String, _ values: [SQLValue] = []) throws -> [[SQLValue]] {
        let statement = try connection.prepare(sql)
        defer { statement.clear() }
        try statement.bind(values)
        var rows: [[SQLValue]] = []
        while try statement.step() { rows.append(statement.row()) }
        return rows
    }

    /// Runs a statement, its parameters bound to values, and returns the number of rows that it has changed.
    @discardableResult
    package func run(_ sql: String, _ values: [SQLValue] = []) throws -> Int {
        let statement = try connection.prepare(sql)
        defer { statement.clear() }
        try statement.bind(values)
        try connection.writingBeside { () throws(StoreError) in
            while try statement.step() {}
        }
        return connection.changeCount
    }

    /// Has the store's log go once the transaction is committed, so that what it deletes is not legible there; behind
    /// a later one where somebody reads it for long.
    package func removeLog() { connection.isLogToGo = true }

    /// Whether there is room for more bytes of what can be had again: the last of those that the file may have are
    /// the objects' alone.
    package func hasRoom(for count: Int) throws -> Bool { try room() >= count }

    /// The number of bytes for which there is such room; less than none where objects have come into their part.
    package func room() throws -> Int {
        guard connection.maximumSize != nil else { return .max }
        let most = try number("max_page_count")
        let free = try most - number("page_count") + number("freelist_count")
        // Indexes take some pages, too.
        return try (free - max(most / 16, 8)) * number("page_size")
    }

    private func number(_ pragma: String) throws -> Int {
        guard case .integer(let number)? = try connection.value("PRAGMA \(pragma)")
        else { return 0 }
        return Int(number)
    }
}

extension Context {
    /// Has all pulls that go on where they were left begin anew.
    func forgetPulls() throws {
        let tables = SideTables(connection)
        if try tables.has(SideTables.pulls) {
            try tables.run("DELETE FROM \(SideTables.pulls.sqlName)")
        }
    }

    /// Has the store answer by nothing that it has kept of responses, which it would by lists without objects.
    func forgetResponses() throws {
        let tables = SideTables(connection)
        guard try tables.has(SideTables.keptResponses),
            try tables.run("DELETE FROM \(SideTables.keptResponses.sqlName)") > 0
        else { return }
        // Only then others see it; where it is taken back, they see what they have seen.
        store.writer.openTransaction?.onEnd { [observers = store.keptObservers] in
            observers.tell()
        }
    }
}

extension Store {
    /// The most bytes that one kind of what can be had again may take of the file.
    package var maximumSideSize: Int { configuration.maximumSize.map { $0 / 8 } ?? .max }

    /// Reads tables beside the objects', as they were last committed.
    package func readBeside<Result>(_ body: (SideTables) throws -> Result) throws -> Result {
        try readingOnce { try body(SideTables($0.connection)) }
    }

    /// Writes tables beside the objects' in one transaction, on the calling thread, on which nobody waits, once all
    /// that came before is done.
    package func writeBeside<Result>(_ body: (SideTables) throws -> Result) throws -> Result {
        try inTurn { try body(SideTables($0.connection)) }
    }

    /// Does so on a queue of the store's own, on behalf of a call that nobody waits for, and before all that is begun
    /// after the call.
    ///
    /// - Parameters:
    ///   - committed: Called once that is committed, before anything that comes later is done; it must not wait.
    ///   - finish: Gets the outcome, once.
    package func startWritingBeside(
        _ body: @escaping @Sendable (SideTables) throws -> Void,
        committed: @escaping @Sendable () -> Void,
        finish: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        _ = writer.start(
            isPatient: true,
            { connection, statements in
                try self.transaction(on: connection, statements) { context in
                    try body(SideTables(context.connection))
                }
                committed()
            }, finish: finish)
    }
}

extension Snapshot {
    /// The tables beside the objects', as the snapshot has them.
    package var sideTables: SideTables {
        get throws {
            try checkOpen()
            return SideTables(connection)
        }
    }
}
