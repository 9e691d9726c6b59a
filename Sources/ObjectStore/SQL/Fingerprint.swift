import CLarderSQLite

/// A hash of a row as it was read, in so few bytes that it can be kept for each of many rows.
///
/// Two rows that differ have the same one in one of 2^64 cases; it is made with a key of the
/// process, so that nobody can bring that about.
struct Fingerprint: Hashable, Sendable {
    private let value: Int

    /// That of the row which a statement stands at, from a column on.
    init(_ statement: OpaquePointer, from first: Int32, count: Int32) {
        var hasher = Hasher()
        for column in first..<count {
            let type = sqlite3_column_type(statement, column)
            hasher.combine(type)
            switch type {
            case SQLITE_INTEGER:
                hasher.combine(sqlite3_column_int64(statement, column))
            case SQLITE_FLOAT:
                hasher.combine(sqlite3_column_double(statement, column).bitPattern)
            case SQLITE_TEXT:
                let text = UnsafeRawPointer(sqlite3_column_text(statement, column))
                hasher.combine(text, count: sqlite3_column_bytes(statement, column))
            case SQLITE_BLOB:
                let bytes = sqlite3_column_blob(statement, column)
                hasher.combine(bytes, count: sqlite3_column_bytes(statement, column))
            default:
                break
            }
        }
        value = hasher.finalize()
    }
}

extension Hasher {
    fileprivate mutating func combine(_ bytes: UnsafeRawPointer?, count: Int32) {
        combine(count)
        combine(bytes: UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : Int(count)))
    }
}
