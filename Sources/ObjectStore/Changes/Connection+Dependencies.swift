import CLarderSQLite

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
