import Foundation

extension StoreFile {
    /// The least that a database has, one page; SQLite takes less for an empty one and writes over it.
    private static let leastSize = 512

    /// Held while a file is made: closing its descriptor would take the locks away that a connection
    /// of this process had on it by then.
    ///
    /// Who holds it waits for nobody, since whoever opens a store waits for it.
    private static let making = NSLock()

    /// Makes an empty file that only its owner may read, where there is none; SQLite gives its
    /// companions the same permissions.
    ///
    /// Throws where there is something else than a plain file, or it can't be written: a symbolic
    /// link is not followed, since its target could be anything. A file that is there is not opened.
    func prepareFile(at path: String) throws(StoreError) {
        guard !path.isEmpty, path != ":memory:" else {
            throw StoreError(
                .cannotOpen, "this names no file; use Store.inMemory", path: path)
        }
        guard !path.utf8.contains(0) else {
            throw StoreError(.cannotOpen, "no path has a NUL in it", path: path)
        }
        var information = stat()
        var failure = Self.look(at: path, &information)
        if failure == ENOENT {
            try makeFile(at: path)
            failure = Self.look(at: path, &information)
        }
        guard failure == 0 else { throw refusal(failure, at: path) }
        let kind = information.st_mode & S_IFMT
        if kind == S_IFLNK { throw refusal(ELOOP, at: path) }
        guard kind == S_IFREG else {
            throw StoreError(.notAFile, "it is not a plain file", path: path)
        }
        guard isAllowed(R_OK | W_OK, path) else { throw refusal(errno, at: path) }
        // The log and its index are made beside the file.
        let folder = (path as NSString).deletingLastPathComponent
        guard isAllowed(W_OK, folder) else {
            throw StoreError(
                .readOnly, "its folder can't be written: \(String(cString: strerror(errno)))",
                path: path)
        }
        // A file with two names is one that was about to be replaced, unless somebody keeps it so.
        if information.st_nlink > 1 { StoreRebuild.undoInterrupted(at: path) }
        let isShort = (1..<Self.leastSize).contains(Int(information.st_size))
        if isShort, access(path + "-journal", F_OK) != 0 {
            throw StoreError(.notADatabase, "the file is not a database", path: path)
        }
    }

    /// Tells what is at a path, once no thread of this process is making it; returns the number of the
    /// system's error, 0 for none.
    private static func look(at path: String, _ information: inout stat) -> Int32 {
        making.lock()
        defer { making.unlock() }
        return lstat(path, &information) == 0 ? 0 : errno
    }

    private func makeFile(at path: String) throws(StoreError) {
        try FolderLock.around(path) { () throws(StoreError) in
            Self.making.lock()
            defer { Self.making.unlock() }
            let descriptor = Foundation.open(
                path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard descriptor >= 0 || errno == EEXIST else { throw refusal(errno, at: path) }
            if descriptor >= 0 { Foundation.close(descriptor) }
        }
    }

    /// The path from the root, so that it stays the file's whatever becomes of the current folder.
    static func absolutePath(_ path: String) -> String {
        let isName = !path.isEmpty && path != ":memory:" && !path.utf8.contains(0)
        guard isName, !path.hasPrefix("/") else { return path }
        return (FileManager.default.currentDirectoryPath as NSString).appendingPathComponent(path)
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
        return StoreError(StoreError.Reason(systemError: error) ?? .cannotOpen, text, path: path)
    }

    /// Whether this user may do something with a file or folder.
    private func isAllowed(_ access: Int32, _ path: String) -> Bool {
        faccessat(AT_FDCWD, path.isEmpty ? "." : path, access, AT_EACCESS) == 0
    }
}
