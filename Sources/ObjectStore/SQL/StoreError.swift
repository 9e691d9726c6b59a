import CLarderSQLite
import Foundation

/// A store that could not be opened, read or written, and why.
public struct StoreError: Error, Sendable {
    /// A reason for a failure; more may come.
    public struct Reason: Hashable, Sendable {
        enum Value: String {
            case cannotOpen = "the store can't be opened"
            case notAFile = "the store is no plain file"
            case notPermitted = "the store is not permitted to this user"
            case notADatabase = "the file is no database"
            case notAStore = "the file is no store"
            case newerStore = "the store is newer"
            case modelChanged = "the model has changed"
            case moved = "the store is not in its place"
            case damaged = "the store is damaged"
            case busy = "the store is locked"
            case full = "there is no room for more"
            case readOnly = "the store can't be written"
            case interrupted = "interrupted"
            case constraint = "a constraint refused a row"
            case incompleteObject = "the object is incomplete"
            case missingObject = "the object is gone"
            case otherStore = "the object is of another store"
            case unexpectedValue = "unexpected value"
            case reentrant = "a transaction is open"
            case closed = "used after its end"
            case unknownEntity = "unknown to the model"
            case fileAccess = "the file can't be read or written"
            case sqlite = "SQLite failed"
        }

        let value: Value

        init(_ value: Value) { self.value = value }

        /// The file can't be opened: its folder is not there, or for a reason that has no name of
        /// its own.
        public static let cannotOpen = Reason(.cannotOpen)
        /// There is a directory, a symbolic link or something else than a plain file.
        public static let notAFile = Reason(.notAFile)
        /// The file or its folder may not be read.
        public static let notPermitted = Reason(.notPermitted)
        /// The file is not an SQLite database.
        public static let notADatabase = Reason(.notADatabase)
        /// The file is an SQLite database of something else.
        public static let notAStore = Reason(.notAStore)
        /// The store was written by a newer version.
        public static let newerStore = Reason(.newerStore)
        /// Another process, or another store of this one, has brought the file to another model
        /// since the store was opened.
        public static let modelChanged = Reason(.modelChanged)
        /// Another file has taken the place of the one that was opened, or it was removed; nothing is
        /// written to it any more.
        public static let moved = Reason(.moved)
        /// The database file is damaged.
        public static let damaged = Reason(.damaged)
        /// Somebody else holds the store's lock, or all of its connections, also after waiting.
        public static let busy = Reason(.busy)
        /// The disk is full, or the file would be larger than it may be.
        public static let full = Reason(.full)
        /// The file, its folder or the whole disk may not be written.
        public static let readOnly = Reason(.readOnly)
        /// The operation was cancelled.
        public static let interrupted = Reason(.interrupted)
        /// A constraint of the database refused a row.
        public static let constraint = Reason(.constraint)
        /// The object is known by a reference only: its attributes never arrived.
        public static let incompleteObject = Reason(.incompleteObject)
        /// The object is not in the store any more.
        public static let missingObject = Reason(.missingObject)
        /// The object, or what it is linked to, belongs to another store than the one that is asked.
        public static let otherStore = Reason(.otherStore)
        /// A column holds something else than the entity says.
        public static let unexpectedValue = Reason(.unexpectedValue)
        /// A call into the store from inside a transaction on it.
        public static let reentrant = Reason(.reentrant)
        /// The store has been closed.
        public static let closed = Reason(.closed)
        /// The store's model has no such entity.
        public static let unknownEntity = Reason(.unknownEntity)
        /// A file or the disk could not be read or written.
        public static let fileAccess = Reason(.fileAccess)
        /// Any other failure that SQLite reports.
        public static let sqlite = Reason(.sqlite)
    }

    /// The reason for the failure.
    public let reason: Reason
    /// The failure in SQLite's or Larder's words.
    public let message: String
    /// SQLite's extended result code, 0 where the failure is not SQLite's.
    public let resultCode: Int32
    /// The statement that failed; its values are bound and never part of it.
    public let sql: String?
    /// The store's file.
    public internal(set) var path: String?

    init(
        _ reason: Reason, _ message: String, resultCode: Int32 = 0, sql: String? = nil,
        path: String? = nil
    ) {
        self.reason = reason
        self.message = message
        self.resultCode = resultCode
        self.sql = sql
        self.path = path
    }
}

extension StoreError: CustomStringConvertible {
    /// The code and the message, with result code, statement and file where there are any.
    public var description: String {
        var text = "\(reason): \(message)"
        if resultCode != 0 { text += " (SQLite code \(resultCode))" }
        if let sql { text += " in: \(sql)" }
        if let path { text += " (\(path))" }
        return text
    }
}

extension StoreError.Reason: CustomStringConvertible {
    /// The reason in a few words.
    public var description: String { value.rawValue }
}

extension StoreError {
    /// The error behind an SQLite result code, and behind the operating system's where it is the
    /// reason.
    init(
        resultCode: Int32, message: String, systemError: Int32 = 0, sql: String? = nil,
        path: String? = nil
    ) {
        let reason: Reason =
            switch resultCode & 0xFF {
            case SQLITE_CANTOPEN: Reason(systemError: systemError) ?? .cannotOpen
            case SQLITE_PERM: .notPermitted
            case SQLITE_NOTADB: .notADatabase
            case SQLITE_CORRUPT: .damaged
            case SQLITE_BUSY, SQLITE_LOCKED: .busy
            case SQLITE_FULL: .full
            case SQLITE_READONLY: .readOnly
            case SQLITE_INTERRUPT: .interrupted
            case SQLITE_CONSTRAINT: .constraint
            case SQLITE_IOERR: Reason(systemError: systemError) ?? .fileAccess
            default: .sqlite
            }
        self.init(reason, message, resultCode: resultCode, sql: sql, path: path)
    }
}

extension StoreError.Reason {
    /// The reason behind an error of the operating system, nil where it says no more.
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
