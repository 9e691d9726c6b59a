import CLarderSQLite
import Foundation

/// Copies a database, as it is at one moment, to a file.
struct StoreBackup {
    /// The connection that is read; it must not be in a transaction.
    let source: Connection

    /// The number of pages that are copied between two reports.
    private static let stride: Int32 = 256

    /// Copies the database to a file, which is there whole or not at all.
    ///
    /// - Throws: What `progress` throws, or `StoreError`.
    func copy(to file: URL, progress: (BackupProgress) throws -> Void) throws {
        let path = file.path(percentEncoded: false)
        for companion in ["-wal", "-journal"] where access(path + companion, F_OK) == 0 {
            throw StoreError(
                .cannotOpen, "a database with a log of its own is there", path: path)
        }
        let provisional = path + ".partial-\(UUID().uuidString)"
        let descriptor = Foundation.open(
            provisional, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw StoreError(
                StoreError.Reason(systemError: errno) ?? .cannotOpen,
                String(cString: strerror(errno)),
                path: path)
        }
        Foundation.close(descriptor)
        defer {
            for companion in [""] + StoreFile.companions { unlink(provisional + companion) }
        }
        do {
            try copyPages(to: provisional, progress: progress)
        } catch var error as StoreError {
            error.path = path
            throw error
        }
        guard rename(provisional, path) == 0 else {
            throw StoreError(
                StoreError.Reason(systemError: errno) ?? .cannotOpen,
                String(cString: strerror(errno)),
                path: path)
        }
        Self.synchronizeFolder(of: path)
    }

    /// Copies the database into a file that is there, and empty.
    func copyPages(
        to path: String, progress: (BackupProgress) throws -> Void
    ) throws {
        let target = try Connection(
            path: path, creates: false, readOnly: false, busyTimeout: 0)
        // Whoever reads in a transaction sees one moment, however much is written meanwhile.
        try source.execute("BEGIN")
        defer { try? source.execute("COMMIT") }
        _ = try source.value("SELECT count(*) FROM sqlite_schema")
        guard let backup = sqlite3_backup_init(target.pointer, "main", source.pointer, "main")
        else { throw target.error(sqlite3_errcode(target.pointer), sql: nil) }
        var result = SQLITE_OK
        do {
            while result == SQLITE_OK {
                result = sqlite3_backup_step(backup, Self.stride)
                guard result == SQLITE_OK || result == SQLITE_DONE else { break }
                let total = Int(sqlite3_backup_pagecount(backup))
                try progress(
                    BackupProgress(
                        completed: total - Int(sqlite3_backup_remaining(backup)), total: total))
            }
        } catch {
            sqlite3_backup_finish(backup)
            throw error
        }
        let end = sqlite3_backup_finish(backup)
        guard result == SQLITE_DONE, end == SQLITE_OK else {
            throw target.error(end == SQLITE_OK ? result : end, sql: nil)
        }
    }

    /// Sees to it that a new name in a folder outlasts a power failure.
    static func synchronizeFolder(of path: String) {
        let folder = (path as NSString).deletingLastPathComponent
        let descriptor = Foundation.open(folder.isEmpty ? "." : folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        Foundation.close(descriptor)
    }
}

/// The progress of a backup, in pages of the file.
public struct BackupProgress: Hashable, Sendable {
    /// The number of pages that have been copied.
    public let completed: Int
    /// The number of pages in all.
    public let total: Int
}
