/// The numbers of new rows where SQLite would use one again.
///
/// SQLite numbers a row after the one with the largest number, so that the number of the newest row
/// comes again once that is deleted, and who still holds it would read another object. The largest
/// number that has been deleted is therefore written down, and the next row gets one behind it. The
/// numbers of rows that have been rolled back are kept as long as the connection. Others who write
/// the file don't know of them: to write them down, each transaction would have to be a savepoint.
/// Everything else is left to SQLite, which takes a fraction of the time of its `AUTOINCREMENT`.
final class RowNumbers {
    private let roots: [EntityPlan]
    private let connection: Connection
    private var lookups: [Statement?]
    /// Whether the next number that SQLite gives is known to be a new one, by the tables' entities.
    private var isSettled: [Bool]
    /// Whether the transaction may have made rows.
    private var isAsked: [Bool]
    /// The largest numbers of rows that have been rolled back.
    private var rolledBack: [Int64]
    /// The number of changes that the connection had made when the transaction began.
    private var changesBefore: Int64 = 0

    init(plan: StorePlan, connection: Connection) {
        roots = plan.entities.map(plan.root)
        self.connection = connection
        lookups = Array(repeating: nil, count: roots.count)
        isSettled = Array(repeating: false, count: roots.count)
        isAsked = isSettled
        rolledBack = Array(repeating: 0, count: roots.count)
    }

    /// The number that the next row of a table must get, nil where it is the one that SQLite gives.
    ///
    /// - Parameter root: The index of the entity that the table is named after.
    @inline(__always)
    func next(in root: Int) throws(StoreError) -> Int64? {
        isSettled[root] ? nil : try lookUp(root)
    }

    /// A transaction begins.
    func begin() {
        forget()
        changesBefore = connection.totalChangeCount
        for root in isAsked.indices { isAsked[root] = false }
    }

    /// Rows that have been made are about to be rolled back.
    func prepareRollback() throws(StoreError) {
        for root in isAsked.indices where isAsked[root] {
            rolledBack[root] = max(rolledBack[root], try lastNumber(of: root))
        }
    }

    /// Rows have been rolled back by SQLite itself: how many is not known any more, but no more than
    /// there were changes.
    func noteRollback() throws(StoreError) {
        let changes = connection.totalChangeCount - changesBefore
        for root in isAsked.indices where isAsked[root] {
            let last = max(rolledBack[root], try lastNumber(of: root))
            let (sum, overflows) = last.addingReportingOverflow(changes)
            rolledBack[root] = overflows ? last : sum
        }
    }

    private func lastNumber(of root: Int) throws(StoreError) -> Int64 {
        let entity = roots[root]
        return Int64(
            try connection.number("SELECT coalesce(max(\(entity.rowid)), 0) FROM \(entity.table)"))
    }

    /// Rows have been deleted, rolled back, or written by others.
    func forget() {
        for root in isSettled.indices { isSettled[root] = false }
    }

    private func lookUp(_ root: Int) throws(StoreError) -> Int64? {
        let statement: Statement
        if let prepared = lookups[root] {
            statement = prepared
        } else {
            let entity = roots[root]
            statement = try Statement(
                "SELECT last + 1 FROM (SELECT max(?1, coalesce((SELECT last"
                    + " FROM \(Schema.numbersTable.sqlName)"
                    + " WHERE name = \(SQLValue.text(entity.family.tableName).literal)), 0)) AS last)"
                    + " WHERE last < \(Int64.max) AND last"
                    + " > (SELECT coalesce(max(\(entity.rowid)), 0) FROM \(entity.table))",
                on: connection)
            lookups[root] = statement
        }
        isAsked[root] = true
        statement.bind(rolledBack[root], at: 1)
        defer { statement.reset() }
        if try statement.step() { return statement.integer(at: 0) }
        isSettled[root] = true
        return nil
    }

    /// Writes down the largest number among rows that are about to go, where it is that of the newest.
    ///
    /// - Parameter rows: A statement that selects the numbers as `row`.
    static func keep(_ rows: String, of root: EntityPlan, on connection: Connection) throws {
        guard root.hasOwnNumbers else { return }
        try connection.prepare(
            insertion(
                "SELECT \(SQLValue.text(root.family.tableName).literal), last"
                    + " FROM (SELECT max(row) AS last FROM (\(rows)))"
                    + " WHERE last >= (SELECT max(\(root.rowid)) FROM \(root.table))")
        ).run()
    }

    /// Writes down numbers unless larger ones are known.
    ///
    /// - Parameter rows: A statement that selects names of tables, and their largest numbers.
    static func insertion(_ rows: String) -> String {
        "INSERT INTO \(Schema.numbersTable.sqlName) (name, last) SELECT * FROM (\(rows)) WHERE TRUE"
            + " ON CONFLICT (name) DO UPDATE SET last = max(last, excluded.last)"
    }
}

extension EntityPlan {
    /// Whether rows have numbers of their own, instead of those that identify their objects.
    var hasOwnNumbers: Bool { family.rowidName == EntityFamily.rowidColumn }
}
