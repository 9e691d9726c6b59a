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
        sqlite3_column_type(statement, index) == SQLITE_INTEGER
            ? sqlite3_column_int64(statement, index) : nil
    }

    /// The column's number, nil where it holds something else.
    public var double: Double? {
        switch sqlite3_column_type(statement, index) {
        case SQLITE_FLOAT, SQLITE_INTEGER: sqlite3_column_double(statement, index)
        default: nil
        }
    }

    /// The column's text, nil where it holds something else.
    public var text: String? {
        guard sqlite3_column_type(statement, index) == SQLITE_TEXT,
            let start = sqlite3_column_text(statement, index)
        else { return nil }
        let count = Int(sqlite3_column_bytes(statement, index))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// The column's bytes, nil where it holds something else.
    public var blob: [UInt8]? {
        guard sqlite3_column_type(statement, index) == SQLITE_BLOB else { return nil }
        guard let start = sqlite3_column_blob(statement, index) else { return [] }
        let count = Int(sqlite3_column_bytes(statement, index))
        return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Whatever the column holds.
    public var value: SQLValue {
        integer.map(SQLValue.integer) ?? double.map(SQLValue.real) ?? text.map(SQLValue.text)
            ?? blob.map(SQLValue.blob) ?? .null
    }
}
