import CLarderSQLite
import Foundation
import Synchronization

/// One connection to a database, used by one thread at a time.
///
/// SQLite's own mutexes are off (`SQLITE_OPEN_NOMUTEX`): whoever owns a connection sees to it that
/// its calls never overlap.
final class Connection {
    let pointer: OpaquePointer
    /// A number that no other connection of the process has.
    let number = Connection.numbers.add(1, ordering: .relaxed).newValue
    let meter = StepMeter()
    let lockWait: LockWait
    /// The interruption that may stop the statements that run, nil for none.
    var interruption: Interruption?
    /// Whether the log is to go once the open transaction is committed, so that what was deleted is not legible there.
    var isLogToGo = false
    /// The most bytes that the file may have, where that was set.
    var maximumSize: Int?
    /// Whether a transaction could not be rolled back, which may be for want of memory.
    private(set) var isRollbackDue = false
    private var cache: [String: Statement] = [:]
    /// The number of the tables that were last found to be those of the store's model.
    var checkedSchema: Int64?
    /// Whether a statement had to be prepared anew since that was asked, perhaps because the tables
    /// have changed.
    var isSchemaInDoubt = false
    /// The caches of readers, one for each of their types, kept while the connection is open.
    var kept: [ObjectIdentifier: AnyObject] = [:]

    private var isOpen = true

    private static let numbers = Atomic(0)

    /// The limit on the number of statements that are kept prepared.
    private static let cacheLimit = 256

    /// Opens a database file, which must exist unless `creates` is set.
    ///
    /// - Parameter isImmutable: Whether nobody changes the file, which is read without locks and
    ///   without its log then, so that nothing is made beside it.
    init(
        path: String, creates: Bool, readOnly: Bool, busyTimeout: Int32, isImmutable: Bool = false
    ) throws(StoreError) {
        // SQLite would open the file whose name ends there.
        guard !path.utf8.contains(0) else {
            throw StoreError(.cannotOpen, "no path has a NUL in it", path: path)
        }
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        flags |= readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
        if creates { flags |= SQLITE_OPEN_CREATE }
        var name = path
        if isImmutable {
            flags |= SQLITE_OPEN_URI
            let encoded = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
            name = "file://\(encoded ?? path)?immutable=1"
        }
        var opened: OpaquePointer?
        let result = sqlite3_open_v2(name, &opened, flags, nil)
        guard result == SQLITE_OK, let opened else {
            let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            let systemError = sqlite3_system_errno(opened)
            sqlite3_close_v2(opened)
            throw StoreError(
                resultCode: result, message: message, systemError: systemError, path: path)
        }
        pointer = opened
        lockWait = LockWait(limit: busyTimeout)
        lockWait.use(on: pointer)
        _ = larder_sqlite3_defensive(pointer)
        _ = larder_sqlite3_strict_names(pointer)
        TextFunction.add(to: pointer)
        ListedValue.add(to: pointer)
        DatePart.add(to: pointer)
        DecimalCollation.add(to: pointer)
        DecimalSum.add(to: pointer)
        SingleFunction.add(to: pointer)
    }

    deinit { close() }

    /// Closes the connection, though somebody may hold it for a moment longer; nothing can be done with
    /// it from then on.
    func close() {
        guard isOpen else { return }
        isOpen = false
        cache.removeAll()
        kept.removeAll()
        sqlite3_busy_handler(pointer, nil, nil)
        sqlite3_close_v2(pointer)
    }

    /// Runs statements that return nothing of interest.
    func execute(_ sql: String) throws(StoreError) {
        // Where a COMMIT fails, SQLite does not note the system's error itself.
        errno = 0
        let result = meter.counting { sqlite3_exec(pointer, sql, nil, nil, nil) }
        let systemError = errno
        guard result == SQLITE_OK else {
            throw error(result, sql: sql, systemError: systemError)
        }
    }

    /// A statement, prepared anew or taken from the cache; it is reset and has no bindings.
    func prepare(_ sql: String) throws(StoreError) -> Statement {
        if let cached = cache[sql], !cached.isBusy {
            cached.clear()
            return cached
        }
        let statement = try Statement(sql, on: self)
        if cache.count >= Self.cacheLimit { cache.removeAll() }
        cache[sql] = statement
        return statement
    }

    /// The first column of the first row of a statement's result, nil where there is no row.
    func value(_ sql: String) throws(StoreError) -> SQLValue? {
        let statement = try prepare(sql)
        defer { statement.reset() }
        return try statement.step() ? statement.value(at: 0) : nil
    }

    /// A number that changes when another connection, of this process or another, has committed.
    var dataVersion: Int64 {
        get throws(StoreError) {
            guard case .integer(let version)? = try value("PRAGMA data_version") else { return 0 }
            return version
        }
    }

    /// A number that changes whenever a table or an index is made, changed or dropped.
    var schemaVersion: Int64 {
        get throws(StoreError) {
            let statement = try prepare("PRAGMA schema_version")
            defer { statement.reset() }
            return try statement.step() ? statement.integer(at: 0) : 0
        }
    }

    /// The number of rows that the last statement itself inserted, updated or deleted.
    var changeCount: Int { Int(sqlite3_changes64(pointer)) }

    /// The number of rows inserted, updated or deleted since the connection was opened, also those
    /// that were rolled back.
    var totalChangeCount: Int64 { sqlite3_total_changes64(pointer) }

    /// The same of what was written beside the objects, by ``writingBeside(_:)``.
    private(set) var besideChangeCount: Int64 = 0

    /// Runs a body that changes no object.
    func writingBeside<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result
    {
        let count = totalChangeCount
        defer { besideChangeCount += totalChangeCount - count }
        return try body()
    }

    /// The rowid that the last insert made.
    var lastInsertedRow: Int64 {
        get { sqlite3_last_insert_rowid(pointer) }
        set { sqlite3_set_last_insert_rowid(pointer, newValue) }
    }

    /// Whether the file that was opened is no longer the one at its path.
    var isMoved: Bool {
        var isMoved: Int32 = 0
        let result = sqlite3_file_control(pointer, "main", SQLITE_FCNTL_HAS_MOVED, &isMoved)
        return result == SQLITE_OK && isMoved != 0
    }

    /// Whether a transaction is open.
    var isInTransaction: Bool { sqlite3_get_autocommit(pointer) == 0 }

    /// The size of the page cache, in bytes.
    var cacheSize: Int {
        var (used, peak) = (Int32(0), Int32(0))
        sqlite3_db_status(pointer, SQLITE_DBSTATUS_CACHE_USED, &used, &peak, 0)
        return Int(used)
    }

    /// Frees the pages that are kept in memory and not in use.
    func releaseCache() { sqlite3_db_release_memory(pointer) }

    /// The failure that SQLite just reported on this connection.
    ///
    /// - Parameter systemError: The operating system's error, if SQLite does not know of one.
    func error(_ resultCode: Int32, sql: String?, systemError: Int32 = 0) -> StoreError {
        var message = String(cString: sqlite3_errmsg(pointer))
        if resultCode & 0xFF == SQLITE_FULL, let maximumSize {
            message += "; the file may have \(maximumSize) bytes (maximumSize)"
        }
        let noted = sqlite3_system_errno(pointer)
        return StoreError(
            resultCode: resultCode, message: message,
            systemError: noted == 0 ? systemError : noted, sql: sql,
            path: sqlite3_db_filename(pointer, "main").map { String(cString: $0) })
    }

    /// Runs a body between `begin` and `COMMIT`; rolls back where it throws.
    ///
    /// - Parameter commit: Runs what it gets, which commits.
    func transaction<Result>(
        _ begin: String, _ body: () throws -> Result,
        commit: (() throws -> Void) throws -> Void = { try $0() }
    ) throws -> Result {
        if isRollbackDue { try rollBack() }
        try execute(begin)
        do {
            let result = try body()
            try commit {
                guard isInTransaction, !isRollbackDue else { throw StoreError.rolledBack }
                try execute("COMMIT")
            }
            return result
        } catch {
            // SQLite has rolled back by itself after some failures, such as a full disk.
            if isInTransaction { try? rollBack() }
            throw error
        }
    }

    /// Takes back what has been written since a savepoint; where that can't be done, nothing of the
    /// transaction stays.
    func rollBack(to savepoint: String) throws(StoreError) {
        // SQLite has rolled back by itself after some failures, such as a full disk.
        guard isInTransaction else { return }
        do {
            try execute("ROLLBACK TO \(savepoint); RELEASE \(savepoint)")
        } catch {
            try? rollBack()
            throw error
        }
    }

    /// Runs a body that only reads, in a transaction; what it writes all the same is taken back.
    ///
    /// - Throws: What the body throws, or `StoreError` with the reason `readOnly` where it has written.
    func readingOnly<Result>(_ body: () throws -> Result) throws -> Result {
        try execute("SAVEPOINT \"reading\"")
        do {
            let count = totalChangeCount
            let result = try body()
            guard totalChangeCount == count else {
                throw StoreError(.readOnly, "something was written where reading is all there is")
            }
            try execute("RELEASE \"reading\"")
            return result
        } catch {
            try? rollBack(to: "\"reading\"")
            throw error
        }
    }

    private func rollBack() throws(StoreError) {
        isRollbackDue = true
        if isInTransaction { try execute("ROLLBACK") }
        isRollbackDue = false
    }
}

extension StoreError {
    /// The error of what is done in a transaction of which nothing is left.
    static var rolledBack: StoreError {
        StoreError(.closed, "the transaction has been rolled back after a failure")
    }
}

extension Connection {
    /// All rows that a statement finds, its parameters bound to values.
    func allRows(_ sql: String, _ values: [SQLValue] = []) throws(StoreError) -> [[SQLValue]] {
        let statement = try Statement(sql, on: self)
        try statement.bind(values)
        let count = sqlite3_column_count(statement.pointer)
        var rows: [[SQLValue]] = []
        while try statement.step() {
            rows.append((0..<count).map { statement.value(at: $0) })
        }
        return rows
    }

    /// Runs a statement with its parameters bound to values.
    func run(_ sql: String, _ values: [SQLValue]) throws(StoreError) {
        let statement = try Statement(sql, on: self)
        try statement.bind(values)
        while try statement.step() {}
    }

    /// The whole number that a statement finds, 0 where it finds none.
    func number(_ sql: String) throws(StoreError) -> Int {
        guard case .integer(let number)? = try allRows(sql).first?.first else { return 0 }
        return Int(number)
    }
}

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

/// A count of a connection's calls into SQLite, by which other threads can tell one at work from one
/// that waits.
///
/// The thread that has the connection is the only one to count, so that no addition is atomic.
final class StepMeter: Sendable {
    /// Odd while a call is going on.
    private let count = Atomic(0)

    /// Runs a call.
    @inline(__always)
    func counting<Result>(_ call: () -> Result) -> Result {
        count.store(count.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
        defer { count.store(count.load(ordering: .relaxed) &+ 1, ordering: .relaxed) }
        return call()
    }

    /// The count at this moment.
    var reading: Int { count.load(ordering: .relaxed) }

    /// Whether there has been a call since a reading, or one is going on.
    func hasMoved(since reading: Int) -> Bool {
        let now = self.reading
        return now != reading || now & 1 == 1
    }
}
