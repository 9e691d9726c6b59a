import Foundation

extension StoreFile {
    /// How every database file of SQLite begins.
    private static let magic = [UInt8]("SQLite format 3\0".utf8)

    /// Makes an empty file that only its owner may read; SQLite gives its companions the same
    /// permissions.
    ///
    /// Throws where there is something else than a plain file, or it can't be written: a symbolic
    /// link is not followed, since its target could be anything.
    func prepareFile(at path: String) throws(StoreError) {
        guard path != ":memory:" else {
            throw StoreError(
                .cannotOpen, "this names no file; use Store.inMemory", path: path)
        }
        guard !path.utf8.contains(0) else {
            throw StoreError(.cannotOpen, "no path has a NUL in it", path: path)
        }
        let descriptor = Foundation.open(
            path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw refusal(errno, at: path) }
        defer { Foundation.close(descriptor) }
        var information = stat()
        guard fstat(descriptor, &information) == 0 else { throw refusal(errno, at: path) }
        guard information.st_mode & S_IFMT == S_IFREG else {
            throw StoreError(.notAFile, "it is not a plain file", path: path)
        }
        // The log and its index are made beside the file.
        let folder = (path as NSString).deletingLastPathComponent
        guard isAllowed(W_OK, folder) else {
            throw StoreError(
                .readOnly, "its folder can't be written: \(String(cString: strerror(errno)))",
                path: path)
        }
        // Nothing but a key can tell whether an encrypted file is a database.
        guard configuration.key == nil else { return }
        // SQLite takes a few bytes of anything for an empty database and writes over them.
        var start = [UInt8](repeating: 0, count: Self.magic.count)
        let count = read(descriptor, &start, start.count)
        let isRestorable = access(path + "-journal", F_OK) == 0
        if count != 0, start != Self.magic, !isRestorable {
            throw StoreError(.notADatabase, "the file is not a database", path: path)
        }
    }

    private func refusal(_ error: Int32, at path: String) -> StoreError {
        let text = String(cString: strerror(error))
        if error == ELOOP {
            return StoreError(.notAFile, "symbolic links are not followed", path: path)
        }
        if error == ENOENT {
            return StoreError(.cannotOpen, "its folder is not there", path: path)
        }
        // What can be read may not be written; what is not there can't be made.
        if error == EACCES || error == EPERM {
            let folder = (path as NSString).deletingLastPathComponent
            let isReadable = isAllowed(R_OK, isAllowed(F_OK, path) ? path : folder)
            let isReachable = isAllowed(X_OK, folder)
            return StoreError(
                isReadable && isReachable ? .readOnly : .notPermitted, text, path: path)
        }
        return StoreError(StoreError.Code(systemError: error) ?? .cannotOpen, text, path: path)
    }

    /// Whether this user may do something with a file or folder.
    private func isAllowed(_ access: Int32, _ path: String) -> Bool {
        faccessat(AT_FDCWD, path.isEmpty ? "." : path, access, AT_EACCESS) == 0
    }
}
