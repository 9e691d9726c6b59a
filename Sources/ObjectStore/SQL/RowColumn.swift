import CLarderSQLite

/// A column of a row, read as what it holds.
public struct RowColumn {
    @usableFromInline let statement: OpaquePointer
    @usableFromInline let index: Int32

    @inlinable
    init(statement: OpaquePointer, index: Int32) {
        self.statement = statement
        self.index = index
    }

    /// Whether the column is `NULL`.
    public var isNull: Bool { sqlite3_column_type(statement, index) == SQLITE_NULL }

    /// The column's whole number, nil where it holds something else.
    public var integer: Int64? {
        let value = content
        return sqlite3_value_type(value) == SQLITE_INTEGER ? sqlite3_value_int64(value) : nil
    }

    /// The column's number, nil where it holds something else.
    public var double: Double? {
        let value = content
        switch sqlite3_value_type(value) {
        case SQLITE_FLOAT, SQLITE_INTEGER: return sqlite3_value_double(value)
        default: return nil
        }
    }

    /// The column's text, nil where it holds something else.
    public var text: String? {
        let value = content
        guard sqlite3_value_type(value) == SQLITE_TEXT, let start = sqlite3_value_text(value) else {
            return nil
        }
        let count = Int(sqlite3_value_bytes(value))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// The column's bytes, nil where it holds something else.
    public var blob: [UInt8]? {
        let value = content
        guard sqlite3_value_type(value) == SQLITE_BLOB else { return nil }
        guard let start = sqlite3_value_blob(value) else { return [] }
        let count = Int(sqlite3_value_bytes(value))
        return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Whatever the column holds.
    public var value: SQLValue {
        integer.map(SQLValue.integer) ?? double.map(SQLValue.real) ?? text.map(SQLValue.text)
            ?? blob.map(SQLValue.blob) ?? .null
    }

    /// The `sqlite3_value` of the column, to be looked at more than once for one search by SQLite:
    /// a connection belongs to one thread, so that nothing can take it away in between.
    @inline(__always)
    private var content: OpaquePointer? { sqlite3_column_value(statement, index) }
}
