import Foundation

/// A store that is shipped with an app, and copied once to where the app's own is to be.
struct StoreSeed {
    let file: URL

    /// Copies the seed to a path unless something is there already.
    ///
    /// The copy appears whole, and of several processes that try at once one succeeds. What is left of
    /// a store whose file has been removed goes: SQLite would take its log for the seed's.
    func plant(at path: String, configuration: Store.Configuration) throws {
        guard !Self.isAnything(at: path) else { return }
        try FolderLock.around(path) {
            // Somebody may have been faster.
            guard !Self.isAnything(at: path) else { return }
            for companion in StoreFile.companions { unlink(path + companion) }
            try makeCopy(at: path, configuration: configuration)
        }
    }

    private static func isAnything(at path: String) -> Bool {
        var information = stat()
        return lstat(path, &information) == 0 || errno != ENOENT
    }

    private func makeCopy(at path: String, configuration: Store.Configuration) throws {
        let source = file.path(percentEncoded: false)
        let provisional = path + ".seed"
        func removeProvisional() {
            for companion in [""] + StoreFile.companions { unlink(provisional + companion) }
        }
        // A process that was killed may have left one.
        removeProvisional()
        defer { removeProvisional() }
        try copy(source, to: provisional)
        // What the seed's own log holds is part of it.
        if access(source + "-wal", F_OK) == 0 {
            try copy(source + "-wal", to: provisional + "-wal")
        }
        do {
            let target = StoreFile(path: provisional, configuration: configuration)
            try target.checkIsStore()
            let connection = try target.connect(readOnly: false)
            try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        } catch var error as StoreError {
            error.path = source
            throw error
        }
        // A link, unlike a new name, takes nobody else's place.
        guard link(provisional, path) == 0 || errno == EEXIST else { throw failure(errno, path) }
        StoreBackup.synchronizeFolder(of: path)
    }

    private func copy(_ source: String, to path: String) throws(StoreError) {
        let input = Foundation.open(source, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else { throw failure(errno, source) }
        defer { Foundation.close(input) }
        let output = Foundation.open(
            path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard output >= 0 else { throw failure(errno, path) }
        defer { Foundation.close(output) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = read(input, &buffer, buffer.count)
            guard count >= 0 else { throw failure(errno, source) }
            if count == 0 { break }
            var written = 0
            while written < count {
                let part = buffer[written..<count].withUnsafeBytes {
                    write(output, $0.baseAddress, $0.count)
                }
                guard part > 0 else { throw failure(errno, path) }
                written += part
            }
        }
        guard fsync(output) == 0 else { throw failure(errno, path) }
    }

    private func failure(_ error: Int32, _ path: String) -> StoreError {
        StoreError(
            StoreError.Reason(systemError: error) ?? .cannotOpen, String(cString: strerror(error)),
            path: path)
    }
}
