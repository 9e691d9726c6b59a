/// One transaction on a store: what is written in it is in the store whole, or not at all.
///
/// A context is only valid in the closure that it is handed to, and belongs to its thread. What it
/// reads includes its own changes.
public final class Context: Snapshot {
    /// The options for decoding the parts of wrappers that are not stored.
    public var decodingOptions = DecodingOptions()

    /// A report on the imports and writes so far in this transaction.
    public var report: ImportReport {
        var report = written
        report += imports.report
        return report
    }

    let statements: WriteStatements
    let rows: RowWriter
    /// Throws where the transaction is not to be committed; asked once, when all but that is done.
    package var willCommit: () throws -> Void = {}
    /// The import of documents in the transaction.
    let imports: Import
    /// The rows whose objects must keep rules once what is being written is, by their entities.
    var ruled: [Int: Set<Int64>] = [:]
    /// The rows of new objects without an identity, by what stands for them, which is kept so that its
    /// address is no other's.
    var made: [ObjectIdentifier: (object: AnyObject, row: Int64)] = [:]
    /// The report without what was imported.
    private var written = ImportReport()

    init(store: Store, connection: Connection, statements: WriteStatements) {
        self.statements = statements
        rows = RowWriter(plan: store.plan, statements: statements)
        imports = Import(
            statements: statements, reader: Reader(connection: connection, store: store))
        statements.begin()
        super.init(store: store, connection: connection)
    }

    /// Runs a body as a part of the transaction: where it throws, what it has written is taken
    /// back, and the transaction can go on if the error is caught (SQLite's `SAVEPOINT`).
    ///
    /// - Throws: What the body throws, or `StoreError`.
    @discardableResult
    public func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
        try whole(body)
    }

    override class var useAfterEnd: String { "the context is used after its transaction has ended" }

    override func checkOpen() throws {
        try super.checkOpen()
        // SQLite ends a transaction by itself after some failures, such as a full disk; what
        // follows would be committed statement by statement.
        guard connection.isInTransaction, !connection.isRollbackDue else {
            throw StoreError.rolledBack
        }
    }

    override func close() {
        imports.settle()
        super.close()
    }

    /// Runs a body and returns what it alone has done, too, which the transaction's own report is without.
    func reporting<Result>(_ body: () throws -> Result) throws -> (Result, ImportReport) {
        let before = (written: written, imported: imports.exchangeReport())
        written = ImportReport()
        func end() -> ImportReport {
            defer { written = before.written }
            return written + imports.exchangeReport(before.imported)
        }
        do {
            return (try body(), end())
        } catch {
            _ = end()
            throw error
        }
    }

    /// Adds to what has been done to an entity.
    func count(_ entity: String, _ change: (inout ImportReport.Counts) -> Void) {
        change(&written.entities[entity, default: ImportReport.Counts()])
    }

    /// Runs a body of which nothing is left where it throws.
    func whole<Result>(_ body: () throws -> Result) throws -> Result {
        try checkOpen()
        let before = (written: written, notedCount: statements.notedRows.count)
        return try imports.whole {
            try connection.prepare("SAVEPOINT \"part\"").run()
            do {
                let result = try body()
                try imports.checkParts()
                try connection.prepare("RELEASE \"part\"").run()
                return result
            } catch {
                written = before.written
                statements.notedRows.removeSubrange(before.notedCount...)
                made.removeAll()
                statements.prepareRollback()
                statements.discard()
                // A cancellation may come as the part is released, which leaves none to go back to; nothing of
                // the transaction stays then.
                try? connection.rollBack(to: "\"part\"")
                throw error
            }
        }
    }
}
