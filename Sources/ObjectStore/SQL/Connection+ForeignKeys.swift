import CLarderSQLite

extension Connection {
    /// Runs a body that itself sees to it that every link it writes leads to a row, so that SQLite
    /// need not look each of them up.
    ///
    /// Checking is only put off where nothing waits for it: a link that dangles until the
    /// transaction ends is counted, and a row written unchecked would not be counted against it.
    /// Switching makes SQLite prepare the connection's statements once more.
    func withoutForeignKeyChecks<Result>(_ body: () throws -> Result) throws -> Result {
        guard !hasDeferredViolations, larder_sqlite3_foreign_keys(pointer, 0) == SQLITE_OK else {
            return try body()
        }
        defer { _ = larder_sqlite3_foreign_keys(pointer, 1) }
        return try body()
    }

    /// Whether the transaction has written links that lead nowhere yet.
    private var hasDeferredViolations: Bool {
        var current: Int32 = 0
        var highest: Int32 = 0
        let result = sqlite3_db_status(
            pointer, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
        return result != SQLITE_OK || current != 0
    }
}
