import Foundation

/// A folder that only its owner can read, which is removed with the last reference to it.
final class StoreFolder: Sendable {
    let path: String

    init() throws(StoreError) {
        let template = FileManager.default.temporaryDirectory
            .appending(path: "larder-XXXXXX").path(percentEncoded: false)
        var name = template.utf8CString
        let made = name.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
        guard let made else {
            throw StoreError(
                StoreError.Reason(systemError: errno) ?? .cannotOpen,
                String(cString: strerror(errno)),
                path: template)
        }
        path = made
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// Keeps others, of this process and of others, from making a file in a folder or putting one in
/// another's place, until nobody refers to it any more.
///
/// It is the folder that is locked (`flock`): a lock of a file would go with the file, and SQLite's
/// own locks with any descriptor of the file that this process closes
/// (https://www.sqlite.org/howtocorrupt.html, "POSIX advisory locks canceled").
final class FolderLock {
    private let descriptor: Int32

    /// Waits for whoever has the lock; where the folder can't be read there is none.
    init(around path: String) {
        let folder = (path as NSString).deletingLastPathComponent
        descriptor = Foundation.open(
            folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    }

    deinit {
        guard descriptor >= 0 else { return }
        // A process that is begun just now holds the descriptor until it has its program.
        flock(descriptor, LOCK_UN)
        Foundation.close(descriptor)
    }

    /// Runs a body while the lock is held.
    static func around<Result, Failure: Error>(
        _ path: String, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let lock = FolderLock(around: path)
        defer { withExtendedLifetime(lock) {} }
        return try body()
    }
}

/// The file that a store has open, and no other that comes to stand at its path.
struct OpenFile: Sendable {
    private let file: StoreFile
    private let path: String
    /// The file's inode number; nil where it was not at its path any more.
    private let number: UInt64?

    /// Names the file of a connection that was opened by its path.
    init(_ path: String, of connection: Connection, configuration: Store.Configuration) {
        self.path = path
        file = StoreFile(path: path, configuration: configuration)
        let number = StoreRebuild.number(of: path)
        self.number = connection.isMoved ? nil : number
    }

    /// The time that connections wait for a lock, in milliseconds.
    var busyMilliseconds: Int32 { file.configuration.busyMilliseconds }

    /// Opens one more connection, which reads.
    ///
    /// - Throws: `StoreError`, with the reason `moved` where another file is at the path, or none.
    func connect() throws(StoreError) -> Connection {
        let connection: Connection
        do {
            connection = try file.connect(readOnly: true)
        } catch {
            throw isGone ? StoreError.movedStore : error
        }
        guard let number, number == StoreRebuild.number(of: path), !connection.isMoved else {
            throw StoreError.movedStore
        }
        return connection
    }

    /// Whether there is another file at the path, or none.
    private var isGone: Bool {
        var information = stat()
        guard lstat(path, &information) == 0 else { return errno == ENOENT }
        return UInt64(information.st_ino) != number
    }
}
