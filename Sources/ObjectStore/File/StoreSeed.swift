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
        let provisional = path + ".seed"
        func removeProvisional() {
            for companion in [""] + StoreFile.companions { unlink(provisional + companion) }
        }
        // A process that was killed may have left one.
        removeProvisional()
        defer { removeProvisional() }
        guard faccessat(AT_FDCWD, given, R_OK, AT_EACCESS) == 0 else { throw failure(errno, given) }
        // The log is beside the file itself.
        let source = file.resolvingSymlinksInPath().path(percentEncoded: false)
        try copy(StoreFile.absolutePath(source), to: provisional, configuration)
        try namingSeed {
            let target = StoreFile(path: provisional, configuration: configuration)
            let connection = try target.connect(readOnly: false)
            try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            try target.checkIsStore()
        }
        // A link, unlike a new name, takes nobody else's place.
        guard link(provisional, path) == 0 || errno == EEXIST else { throw failure(errno, path) }
        StoreBackup.synchronizeFolder(of: path)
    }

    /// Copies the seed, and what its log holds, to a path where there is nothing yet.
    ///
    /// Only SQLite opens the file: whoever has it open in this process would lose the locks (see
    /// `FolderLock`), and may be writing to it.
    private func copy(
        _ source: String, to path: String, _ configuration: Store.Configuration
    ) throws {
        let isInUse = Self.isInUse(source)
        if isInUse, let seed = try connectBeside(source, configuration) {
            return try copyPages(of: seed, to: path)
        }
        // Nothing is made beside a seed that nobody has open, and that may be where nothing can be.
        let date = Self.date(of: source)
        let seed = try connect(to: source, configuration, isImmutable: true)
        try copyPages(of: seed, to: path)
        for log in Self.logs where access(source + log, F_OK) == 0 {
            try copyLog(source + log, to: path + log)
        }
        if !isInUse, Self.isInUse(source) || Self.date(of: source) != date {
            // Somebody has opened it meanwhile.
            for log in Self.logs { unlink(path + log) }
            unlink(path)
            try copy(source, to: path, configuration)
        }
    }

    /// Copies all that a connection sees into a file of its own.
    private func copyPages(of seed: Connection, to path: String) throws {
        let descriptor = Foundation.open(
            path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(errno, path) }
        Foundation.close(descriptor)
        try StoreBackup(source: seed).copyPages(to: path) { _ in }
    }

    private static let logs = ["-wal", "-journal"]

    /// Whether somebody may have the seed open to write: SQLite has made files beside it then.
    private static func isInUse(_ source: String) -> Bool {
        func has(_ suffix: String) -> Bool { access(source + suffix, F_OK) == 0 }
        return has("-journal") || has("-wal") && has("-shm")
    }

    /// When a file was last changed.
    private static func date(of path: String) -> Date? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.modificationDate] as? Date
    }

    /// Connects as who may write to the file beside others; nil where SQLite may make no files there, so that nobody
    /// writes.
    private func connectBeside(
        _ source: String, _ configuration: Store.Configuration
    ) throws -> Connection? {
        do {
            return try connect(to: source, configuration)
        } catch let error as StoreError where error.isRefusal {
            return nil
        }
    }

    private func connect(
        to source: String, _ configuration: Store.Configuration, isImmutable: Bool = false
    ) throws -> Connection {
        try namingSeed {
            let seed = try Connection(
                path: source, creates: false, readOnly: true,
                busyTimeout: configuration.busyMilliseconds, isImmutable: isImmutable)
            _ = try seed.value("SELECT count(*) FROM sqlite_schema")
            return seed
        }
    }

    /// The seed's path, as it was given.
    private var given: String { file.path(percentEncoded: false) }

    /// Runs a body whose errors are of the seed.
    private func namingSeed<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch var error as StoreError {
            error.path = given
            throw error
        }
    }

    /// SQLite takes no locks of a log.
    private func copyLog(_ source: String, to path: String) throws(StoreError) {
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

extension StoreError {
    /// Whether something can't be opened, or made where it is.
    fileprivate var isRefusal: Bool {
        reason == .cannotOpen || reason == .notPermitted || reason == .readOnly
    }
}
