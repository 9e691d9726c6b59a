import Foundation

/// Opens the file of a store, and makes it where there is none.
struct StoreFile {
    let path: String?
    var configuration = Store.Configuration()

    /// The size of the page cache of the connection that writes, in KiB.
    ///
    /// A large import touches a page of an index for each object that others are linked to; with
    /// SQLite's own 2 MB each of these pages is written to the log again and again.
    private static let cacheKilobytes = 16_384

    /// The suffixes of the files that SQLite puts beside a database file.
    static let companions = ["-wal", "-shm", "-journal"]

    /// Sees to it, once, that writing more than the system lets a process write (`ulimit -f`) is an
    /// error: unless the app has said otherwise, the signal for it ends the process.
    private static let fileSizeSignal: Void = {
        // The default is no function.
        if let handler = signal(SIGXFSZ, SIG_IGN) { signal(SIGXFSZ, handler) }
    }()

    /// Opens a store's connection that writes, where the configuration says so also in the place of a
    /// damaged one.
    static func open(
        _ path: String?, for plan: StorePlan, configuration: Store.Configuration
    ) throws -> (connection: Connection, model: StoredModel) {
        let file = StoreFile(path: path, configuration: configuration)
        let number = path.flatMap(StoreRebuild.number)
        do {
            return try file.open(for: plan)
        } catch let error as StoreError
            where error.reason == .damaged || error.reason == .notADatabase
        {
            guard let path, case .rebuild(let report) = configuration.damagePolicy else {
                throw error
            }
            let rebuild = StoreRebuild(path: path, configuration: configuration)
            // Another process may have rebuilt it by now.
            if let rebuilt = try rebuild.run(for: plan, replacing: number) { report(rebuilt) }
            return try file.open(for: plan)
        }
    }

    /// Opens the connection that writes; the file holds the model's tables by then.
    ///
    /// Nothing is written before the file is known to be a store of the model, or of one that can
    /// be brought to it, or empty.
    ///
    /// - Returns: The connection, and the model as the file was found to hold it; another process
    ///   may have brought that to another one by now.
    func open(for plan: StorePlan) throws -> (connection: Connection, model: StoredModel) {
        if let path {
            if let seed = configuration.seed {
                try StoreSeed(file: seed).plant(at: path, configuration: configuration)
            }
            try prepareFile(at: path)
            try inspectUnchanged()
        }
        let connection = try connect(readOnly: false)
        let isNew = try inspect(connection)
        if path != nil {
            try useLog(on: connection)
            try synchronize(connection)
            try connection.execute("PRAGMA cache_size = \(-Self.cacheKilobytes)")
            // The log of a large import is as large as what it writes; then it is cut to this.
            try connection.execute("PRAGMA journal_size_limit = 16777216")
        }
        if isNew {
            try connection.transaction("BEGIN IMMEDIATE") {
                // Another process may have made the tables since.
                if try inspect(connection) { try create(plan, on: connection) }
            }
        }
        let model = try StoreMigration(plan: plan, file: self).run(on: connection)
        try connection.execute("PRAGMA foreign_keys = ON")
        if let size = configuration.maximumSize {
            let page = max(try connection.number("PRAGMA page_size"), 1)
            _ = try connection.value("PRAGMA max_page_count = \(max(size / page, 1))")
            connection.maximumSize = size
        }
        return (connection, model)
    }

    /// Turns the log on where it is not, as SQLite does not wait for others who are at that
    /// (https://www.sqlite.org/wal.html, "Activating And Configuring WAL Mode").
    private func useLog(on connection: Connection) throws(StoreError) {
        let clock = ContinuousClock()
        let deadline = clock.now + .milliseconds(Int(configuration.busyMilliseconds))
        while true {
            do throws(StoreError) {
                if try connection.value("PRAGMA journal_mode") == .text("wal") { return }
                try connection.execute("PRAGMA journal_mode = WAL")
                return
            } catch {
                guard error.reason == .busy, clock.now < deadline else { throw error }
                usleep(1_000)
            }
        }
    }

    /// Says when the connection waits for the disk.
    ///
    /// In the log transactions stand in a row with checksums, so that a crash at any moment leaves
    /// whole ones; it must be on the disk before it is carried over, which `NORMAL` sees to, and
    /// only where each transaction is to survive a loss of power must it be there at its end.
    private func synchronize(_ connection: Connection) throws(StoreError) {
        try connection.execute(
            "PRAGMA synchronous = \(configuration.survivesPowerLoss ? "FULL" : "NORMAL")")
        // On Apple's systems the drive keeps an order only where it is asked to; others know none
        // of this.
        try connection.execute("PRAGMA checkpoint_fullfsync = ON")
        if configuration.survivesPowerLoss { try connection.execute("PRAGMA fullfsync = ON") }
    }

    /// Opens a connection to the file as it is.
    func connect(readOnly: Bool) throws(StoreError) -> Connection {
        _ = Self.fileSizeSignal
        return try Connection(
            path: path ?? ":memory:", creates: path == nil, readOnly: readOnly,
            busyTimeout: configuration.busyMilliseconds)
    }

    /// Throws where the file is no store.
    func checkIsStore() throws {
        guard try !inspect(connect(readOnly: true)) else {
            throw StoreError(.notAStore, "the file is an empty database", path: path)
        }
    }

    /// Throws where the file is something else than a store, of which not a byte changes then: only
    /// a connection that may write would carry over what another program left in its log.
    private func inspectUnchanged() throws {
        do {
            _ = try inspect(connect(readOnly: true))
        } catch let error as StoreError where error.reason == .readOnly {
            // A transaction that a crash has left half done can only be read once it is undone.
        }
    }

    /// Whether the database is empty; throws where it is something else than a store.
    ///
    /// It looks at one moment: another process may be making the store.
    private func inspect(_ connection: Connection) throws -> Bool {
        guard !connection.isInTransaction else { return try inspectAtOnce(connection) }
        return try connection.transaction("BEGIN") { try inspectAtOnce(connection) }
    }

    private func inspectAtOnce(_ connection: Connection) throws -> Bool {
        let id = try connection.value("PRAGMA application_id")
        if id == .integer(Schema.applicationID) {
            guard case .integer(let version)? = try connection.value("PRAGMA user_version"),
                version <= Schema.version
            else {
                throw StoreError(
                    .newerStore, "the store was written by a newer version of Larder", path: path)
            }
            let model = try StoredModel(of: connection, path: path)
            guard model.version <= configuration.migration.version else {
                throw StoreError(
                    .newerStore,
                    "the store has version \(model.version) of the app's model,"
                        + " the app \(configuration.migration.version)",
                    path: path)
            }
            return false
        }
        guard try connection.value("SELECT count(*) FROM sqlite_schema") == .integer(0),
            id == .integer(0)
        else {
            throw StoreError(
                .notAStore, "the file is a database of something else than Larder", path: path)
        }
        return true
    }

    private func create(_ plan: StorePlan, on connection: Connection) throws {
        let schema = Schema(plan: plan)
        try connection.execute(Schema.metadata)
        for entity in plan.entities {
            for statement in schema.statements(for: entity) { try connection.execute(statement) }
        }
        try StoredModel.write(
            plan.model, version: configuration.migration.version, on: connection)
        try connection.execute("PRAGMA application_id = \(Schema.applicationID)")
        try connection.execute("PRAGMA user_version = \(Schema.version)")
    }
}
