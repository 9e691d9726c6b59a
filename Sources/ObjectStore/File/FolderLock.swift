import Foundation

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

    deinit { if descriptor >= 0 { Foundation.close(descriptor) } }

    /// Runs a body while the lock is held.
    static func around<Result, Failure: Error>(
        _ path: String, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let lock = FolderLock(around: path)
        defer { withExtendedLifetime(lock) {} }
        return try body()
    }
}
