import CLarderSQLite

/// The tables and columns that an observed value is read from.
struct Dependencies: Sendable {
    private let names: TableNames
    /// The columns that are read of each table of objects.
    private var columns: [Int: ColumnSet] = [:]
    private var links: Set<Int> = []
    /// Whether something is read of which no change is known.
    private var isEverything = false

    init(names: TableNames) { self.names = names }

    /// Notes that a statement reads a column of a table; an empty name means its rows as such.
    mutating func noteRead(_ column: String, of table: String) {
        guard let number = names.number(named: table) else {
            if let (number, read) = names.searched(by: table) {
                return columns[number, default: ColumnSet()].formUnion(read)
            }
            if !Self.constantTables.contains(table) { isEverything = true }
            return
        }
        switch names[number] {
        case .links, .fetchTimes:
            links.insert(number)
        case .objects(columns: nil):
            columns[number] = .all
        case .objects(columns: let names?):
            var read = columns[number] ?? ColumnSet()
            // Else it is the rowid, which a row keeps for as long as it is there.
            if column == EntityPlan.referenceColumn {
                read.insert(EntityPlan.referenceNumber)
            } else if let index = names.firstIndex(of: column) {
                read.insert(index)
            }
            columns[number] = read
        }
    }

    mutating func formUnion(_ other: Dependencies) {
        for (table, read) in other.columns { columns[table, default: ColumnSet()].formUnion(read) }
        links.formUnion(other.links)
        isEverything = isEverything || other.isEverything
    }

    /// Whether a value may be another one after changes.
    func areAffected(by changes: Changes) -> Bool {
        if changes.isEmpty { return false }
        if isEverything || changes.isEverything { return true }
        if !links.isDisjoint(with: changes.links) { return true }
        return changes.tables.contains { table, change in
            guard let read = columns[table] else { return false }
            return change.hasOtherRows || !read.intersection(change.columns).isEmpty
        }
    }

    /// Tables that no transaction changes: the values in a statement's own parameters, and what
    /// describes the tables.
    private static let constantTables: Set = [
        "json_each", "json_tree", "sqlite_master", "sqlite_schema", "$store",
    ]
}

extension Connection {
    /// Runs a body and returns what its statements read from, as SQLite itself says when it
    /// prepares them.
    ///
    /// Statements that the connection has kept are prepared anew.
    func recordingReads<Result>(
        _ names: TableNames, _ body: () throws -> Result
    ) throws -> (result: Result, dependencies: Dependencies) {
        let log = ReadLog(names)
        sqlite3_set_authorizer(pointer, readLogReport, Unmanaged.passUnretained(log).toOpaque())
        defer { sqlite3_set_authorizer(pointer, nil, nil) }
        let result = try withExtendedLifetime(log) { try body() }
        return (result, log.dependencies)
    }

    /// Returns the tables and columns that a statement reads.
    func dependencies(of sql: String, _ names: TableNames) throws -> Dependencies {
        try recordingReads(names) { _ = try Statement(sql, on: self) }.dependencies
    }
}

/// Takes down what SQLite says that it reads.
private final class ReadLog {
    var dependencies: Dependencies

    init(_ names: TableNames) { dependencies = Dependencies(names: names) }
}

private func readLogReport(
    _ log: UnsafeMutableRawPointer?, _ action: Int32, _ table: UnsafePointer<CChar>?,
    _ column: UnsafePointer<CChar>?, _ database: UnsafePointer<CChar>?,
    _ trigger: UnsafePointer<CChar>?
) -> Int32 {
    if action == SQLITE_READ, let log, let table {
        Unmanaged<ReadLog>.fromOpaque(log).takeUnretainedValue().dependencies
            .noteRead(column.map { String(cString: $0) } ?? "", of: String(cString: table))
    }
    return SQLITE_OK
}
