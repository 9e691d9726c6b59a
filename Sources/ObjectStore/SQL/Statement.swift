import CLarderSQLite

/// A prepared statement.
///
/// Not to be used once its connection is gone; whoever steps one resets it.
final class Statement {
    let pointer: OpaquePointer
    private unowned let connection: Connection
    private let meter: StepMeter

    init(_ sql: String, on connection: Connection) throws(StoreError) {
        var prepared: OpaquePointer?
        let result = sqlite3_prepare_v3(
            connection.pointer, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard result == SQLITE_OK else { throw connection.error(result, sql: sql) }
        guard let prepared else {
            throw StoreError(.sqlite, "the statement is empty", sql: sql)
        }
        pointer = prepared
        self.connection = connection
        meter = connection.meter
    }

    deinit {
        sqlite3_finalize(pointer)
    }

    /// Whether the statement has been stepped and not reset.
    var isBusy: Bool { sqlite3_stmt_busy(pointer) != 0 }

    /// The number of parameters to bind.
    var parameterCount: Int { Int(sqlite3_bind_parameter_count(pointer)) }

    /// Moves to the next row; false at the end.
    @inline(__always)
    func step() throws(StoreError) -> Bool {
        let result = meter.counting { sqlite3_step(pointer) }
        if result == SQLITE_ROW { return true }
        if result == SQLITE_DONE { return false }
        throw failure(result)
    }

    /// Runs a statement that returns no rows, and resets it.
    @inline(__always)
    func run() throws(StoreError) {
        let result = meter.counting { sqlite3_step(pointer) }
        let failure = result == SQLITE_DONE || result == SQLITE_ROW ? nil : failure(result)
        sqlite3_reset(pointer)
        if let failure { throw failure }
    }

    @inline(never)
    private func failure(_ result: Int32) -> StoreError {
        connection.error(result, sql: String(cString: sqlite3_sql(pointer)))
    }

    /// Makes the statement ready to be stepped again; bindings stay.
    @inline(__always)
    func reset() {
        sqlite3_reset(pointer)
        if sqlite3_stmt_status(pointer, SQLITE_STMTSTATUS_REPREPARE, 1) != 0 {
            connection.isSchemaInDoubt = true
        }
    }

    /// Makes the statement ready to be stepped again, without bindings.
    func clear() {
        reset()
        sqlite3_clear_bindings(pointer)
    }

    // MARK: Binding; parameters are counted from 1

    @inline(__always)
    func bind(_ value: Int64, at index: Int32) { sqlite3_bind_int64(pointer, index, value) }

    @inline(__always)
    func bind(_ value: Double, at index: Int32) { sqlite3_bind_double(pointer, index, value) }

    @inline(__always)
    func bindNull(at index: Int32) { sqlite3_bind_null(pointer, index) }

    /// Binds text that must stay where it is until the statement is reset or bound anew.
    @inline(__always)
    func bind(borrowed text: UnsafeBufferPointer<UInt8>, at index: Int32) throws(StoreError) {
        let result = text.withMemoryRebound(to: CChar.self) {
            sqlite3_bind_text64(
                pointer, index, $0.baseAddress, UInt64($0.count), larder_sqlite3_static(),
                UInt8(SQLITE_UTF8))
        }
        if result != SQLITE_OK { throw failure(result) }
    }

    /// Binds any value; text and bytes are copied.
    func bind(_ value: SQLValue, at index: Int32) throws(StoreError) {
        let result: Int32
        switch value {
        case .null:
            result = sqlite3_bind_null(pointer, index)
        case .integer(let value):
            result = sqlite3_bind_int64(pointer, index, value)
        case .real(let value):
            // SQLite would make it NULL.
            if value.isNaN {
                throw StoreError(.unexpectedValue, "what is not a number can't be stored")
            }
            result = sqlite3_bind_double(pointer, index, value)
        case .text(var text):
            result = text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    // A null pointer would bind NULL instead of the empty string.
                    sqlite3_bind_text64(
                        pointer, index, $0.baseAddress ?? Self.emptyText, UInt64($0.count),
                        larder_sqlite3_transient(), UInt8(SQLITE_UTF8))
                }
            }
        case .blob(let bytes):
            result =
                bytes.isEmpty
                ? sqlite3_bind_zeroblob(pointer, index, 0)
                : sqlite3_bind_blob64(
                    pointer, index, bytes, UInt64(bytes.count), larder_sqlite3_transient())
        }
        if result != SQLITE_OK { throw failure(result) }
    }

    /// An address that lives as long as the program.
    private static var emptyText: UnsafePointer<CChar>? {
        let text: StaticString = ""
        return UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
    }

    /// Binds values to the first parameters, in order.
    func bind(_ values: [SQLValue]) throws(StoreError) {
        for (index, value) in values.enumerated() {
            try bind(value, at: Int32(index + 1))
        }
    }

    // MARK: Columns; counted from 0

    @inline(__always)
    func integer(at column: Int32) -> Int64 { sqlite3_column_int64(pointer, column) }

    @inline(__always)
    func isNull(at column: Int32) -> Bool {
        sqlite3_column_type(pointer, column) == SQLITE_NULL
    }

    /// Whether a column of whole numbers holds this one.
    @inline(__always)
    func holds(_ value: Int64, at column: Int32) -> Bool {
        // An empty column reads as 0; tables are strict, so that it holds nothing else.
        sqlite3_column_int64(pointer, column) == value && (value != 0 || !isNull(at: column))
    }

    /// Whether a column of floating-point numbers holds this one.
    @inline(__always)
    func holds(_ value: Double, at column: Int32) -> Bool {
        sqlite3_column_double(pointer, column) == value && (value != 0 || !isNull(at: column))
    }

    /// Whether a column of text holds these bytes.
    @inline(__always)
    func holds(text: UnsafeBufferPointer<UInt8>, at column: Int32) -> Bool {
        let value = sqlite3_column_value(pointer, column)
        guard let start = sqlite3_value_text(value), Int(sqlite3_value_bytes(value)) == text.count
        else { return false }
        return text.hasSameBytes(as: UnsafeBufferPointer(start: start, count: text.count))
    }

    /// A column's value, copied.
    func value(at column: Int32) -> SQLValue {
        switch sqlite3_column_type(pointer, column) {
        case SQLITE_INTEGER:
            return .integer(sqlite3_column_int64(pointer, column))
        case SQLITE_FLOAT:
            return .real(sqlite3_column_double(pointer, column))
        case SQLITE_TEXT:
            return .text(text(at: column))
        case SQLITE_BLOB:
            return .blob(bytes(at: column))
        default:
            return .null
        }
    }

    /// The values of all columns, copied.
    func row() -> [SQLValue] {
        (0..<sqlite3_column_count(pointer)).map { value(at: $0) }
    }

    @inline(__always)
    func text(at column: Int32) -> String {
        // The bytes must be asked for after the text, whose call may convert the column.
        guard let start = sqlite3_column_text(pointer, column) else { return "" }
        let count = Int(sqlite3_column_bytes(pointer, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    func bytes(at column: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(pointer, column) else { return [] }
        let count = Int(sqlite3_column_bytes(pointer, column))
        return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }
}

extension Connection {
    /// Throws unless SQL that an app has written is one statement, which takes as many values as
    /// there are: what follows a statement is not run, and what is not bound is NULL.
    ///
    /// - Parameter isNumbered: Whether each value has its place by number, `?1` and so on.
    func checkIsOne(_ sql: String, valueCount: Int, isNumbered: Bool = false) throws {
        func refusal(_ message: String) -> StoreError { StoreError(.sqlite, message, sql: sql) }
        // A statement's text ends at its first NUL.
        guard !sql.utf8.contains(0) else { throw refusal("the SQL has a NUL in it") }
        try sql.withCString { text in
            var statement: OpaquePointer?
            var tail: UnsafePointer<CChar>?
            let result = sqlite3_prepare_v2(pointer, text, -1, &statement, &tail)
            defer { sqlite3_finalize(statement) }
            guard result == SQLITE_OK else { throw error(result, sql: sql) }
            guard let statement else { throw refusal("the SQL is empty") }
            var rest: OpaquePointer?
            let restResult = sqlite3_prepare_v2(pointer, tail, -1, &rest, nil)
            defer { sqlite3_finalize(rest) }
            guard restResult == SQLITE_OK, rest == nil else {
                throw refusal("the SQL is more than one statement")
            }
            // SQLite counts up to the largest number, whether or not the others occur.
            let lost = (0..<(isNumbered ? valueCount : 0)).first {
                sqlite3_bind_parameter_name(statement, Int32($0 + 1)) == nil
            }
            if let lost {
                throw refusal(
                    "value \(lost + 1) stands within quotes or a comment, where it is no parameter:"
                        + " interpolate all of the text, without quotes")
            }
            let count = Int(sqlite3_bind_parameter_count(statement))
            guard count == valueCount else {
                throw refusal("the statement has parameters for \(count) values, not \(valueCount)")
            }
        }
    }
}
