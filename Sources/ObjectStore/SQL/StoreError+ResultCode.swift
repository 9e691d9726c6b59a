import CLarderSQLite

extension StoreError {
    /// The error behind an SQLite result code.
    init(resultCode: Int32, message: String, sql: String? = nil, path: String? = nil) {
        let code: Code =
            switch resultCode & 0xFF {
            case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: .cannotOpen
            case SQLITE_NOTADB: .notADatabase
            case SQLITE_CORRUPT: .damaged
            case SQLITE_BUSY, SQLITE_LOCKED: .busy
            case SQLITE_FULL: .full
            case SQLITE_READONLY: .readOnly
            case SQLITE_INTERRUPT: .interrupted
            case SQLITE_CONSTRAINT: .constraint
            case SQLITE_IOERR: .input
            default: .sql
            }
        self.init(code, message, resultCode: resultCode, sql: sql, path: path)
    }
}
