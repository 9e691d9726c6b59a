import Foundation

/// Opens the file of a store, and makes it where there is none.
struct StoreFile {
    /// How every database file of SQLite begins.
    private static let magic = [UInt8]("SQLite format 3\0".utf8)

    let path: String?
    var configuration = Store.Configuration()

    /// Opens the connection that writes; the file holds the model's tables by then.
    ///
    /// Nothing is written before the file is known to be a store of the model, or of one that can
    /// be brought to it, or empty.
    func open(for plan: StorePlan) throws -> Connection {
        if let path {
            try prepareFile(at: path)
            try inspectUnchanged(path)
        }
        let connection = try Connection(
            path: path ?? ":memory:", creates: path == nil, readOnly: false,
            busyTimeout: configuration.busyMilliseconds)
        let isNew = try inspect(connection)
        if path != nil {
            try connection.execute("PRAGMA journal_mode = WAL")
            try connection.execute("PRAGMA synchronous = NORMAL")
        }
        if isNew {
            try connection.transaction("BEGIN IMMEDIATE") {
                // Another process may have made the tables since.
                if try inspect(connection) { try create(plan, on: connection) }
            }
        }
        try StoreMigration(plan: plan, options: configuration.migration, path: path)
            .run(on: connection, busyTimeout: configuration.busyMilliseconds)
        try connection.execute("PRAGMA foreign_keys = ON")
        return connection
    }

    /// Makes an empty file that only its owner may read; SQLite gives its companions the same
    /// permissions.
    private func prepareFile(at path: String) throws(StoreError) {
        let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw StoreError(.cannotOpen, String(cString: strerror(errno)), path: path)
        }
        defer { Foundation.close(descriptor) }
        // SQLite takes a few bytes of anything for an empty database and writes over them.
        var start = [UInt8](repeating: 0, count: Self.magic.count)
        let count = read(descriptor, &start, start.count)
        let isRestorable = access(path + "-journal", F_OK) == 0
        if count != 0, start != Self.magic, !isRestorable {
            throw StoreError(.notADatabase, "the file is not a database", path: path)
        }
    }

    /// Throws where the file is something else than a store, of which not a byte changes then: only
    /// a connection that may write would carry over what another program left in its log.
    private func inspectUnchanged(_ path: String) throws {
        do {
            let connection = try Connection(
                path: path, creates: false, readOnly: true,
                busyTimeout: configuration.busyMilliseconds)
            _ = try inspect(connection)
        } catch let error as StoreError where error.code == .readOnly {
            // A transaction that a crash has left half done can only be read once it is undone.
        }
    }

    /// Whether the database is empty; throws where it is something else than a store.
    private func inspect(_ connection: Connection) throws -> Bool {
        let id = try connection.value("PRAGMA application_id")
        if id == .integer(Schema.applicationID) {
            guard case .integer(let version)? = try connection.value("PRAGMA user_version"),
                version <= Schema.version
            else {
                throw StoreError(
                    .newer, "the store was written by a newer version of Larder", path: path)
            }
            let model = try StoredModel(of: connection, path: path)
            guard model.version <= configuration.migration.version else {
                throw StoreError(
                    .newer,
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
