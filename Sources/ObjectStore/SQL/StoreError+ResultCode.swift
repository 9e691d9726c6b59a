import CLarderSQLite
import Foundation

extension StoreError {
    /// The error behind an SQLite result code, and behind the operating system's where it is the
    /// reason.
    init(
        resultCode: Int32, message: String, systemError: Int32 = 0, sql: String? = nil,
        path: String? = nil
    ) {
        let code: Code =
            switch resultCode & 0xFF {
            case SQLITE_CANTOPEN: Code(systemError: systemError) ?? .cannotOpen
            case SQLITE_PERM: .notPermitted
            case SQLITE_NOTADB: .notADatabase
            case SQLITE_CORRUPT: .damaged
            case SQLITE_BUSY, SQLITE_LOCKED: .busy
            case SQLITE_FULL: .full
            case SQLITE_READONLY: .readOnly
            case SQLITE_INTERRUPT: .interrupted
            case SQLITE_CONSTRAINT: .constraint
            case SQLITE_IOERR: Code(systemError: systemError) ?? .input
            default: .sql
            }
        self.init(code, message, resultCode: resultCode, sql: sql, path: path)
    }
}

extension StoreError.Code {
    /// The kind of failure behind an error of the operating system, nil where it says no more.
    init?(systemError: Int32) {
        switch systemError {
        case EACCES, EPERM: self = .notPermitted
        case EROFS: self = .readOnly
        case ENOSPC, EDQUOT, EFBIG: self = .full
        case EISDIR, ELOOP: self = .notAFile
        default: return nil
        }
    }
}
