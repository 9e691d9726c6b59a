import CLarderSQLite
import Foundation
import LarderPromises

/// Brings an open store to a model, where it was written with another.
struct StoreMigration {
    let plan: StorePlan
    let file: StoreFile

    /// Migrates the store in one transaction; foreign keys are off afterwards.
    ///
    /// Of several processes that open the store at once one migrates it, while the others wait and
    /// then find it done.
    func run(on connection: Connection) throws {
        guard try isNeeded(for: StoredModel(of: connection, path: path)) else { return }
        // What is made anew must not take with it what refers to it.
        try connection.execute("PRAGMA foreign_keys = OFF")
        sqlite3_busy_timeout(connection.pointer, Int32(options.patience.wholeMilliseconds))
        defer {
            sqlite3_busy_timeout(connection.pointer, file.configuration.busyMilliseconds)
        }
        do {
            try connection.transaction("BEGIN IMMEDIATE") { try migrate(connection) }
        } catch var error as StoreError {
            error.path = error.path ?? path
            throw error
        }
    }

    private var options: MigrationOptions { file.configuration.migration }
    private var path: String? { file.path }

    private func isNeeded(for stored: StoredModel) throws -> Bool {
        if stored.version < options.version || stored.layout < Schema.version { return true }
        return try stored.model(named: plan.model.name) != plan.model
            || stored.allowedValues != StoredModel.allowedValues(of: plan.model)
    }

    private func migrate(_ connection: Connection) throws {
        let stored = try StoredModel(of: connection, path: path)
        guard stored.version <= options.version, stored.layout <= Schema.version else {
            throw StoreError(.newer, "another process has brought the store to a newer version")
        }
        guard try isNeeded(for: stored) else { return }
        let migrator = try Migrator(
            connection: connection, from: stored, to: plan, options: options, path: path)
        if stored.version == options.version, stored.layout == Schema.version,
            migrator.old.model == plan.model, migrator.plan.isEmpty
        {
            // The attributes take other values, and those that are there are among them.
            try StoredModel.write(plan.model, version: options.version, on: connection)
            return
        }
        try backUp()
        try migrator.run(from: stored.version)
        try StoredModel.write(plan.model, version: options.version, on: connection)
        try connection.execute("PRAGMA user_version = \(Schema.version)")
        // Who has the store open sees by a change of the tables that there is another model.
        try connection.execute("CREATE TABLE \"$migrated\" (x); DROP TABLE \"$migrated\"")
    }

    /// Copies the store as it was last committed, while nobody else can write.
    private func backUp() throws {
        guard let path else { return }
        let copy: URL
        switch options.backup {
        case .none: return
        case .beside:
            copy = URL(fileURLWithPath: StoreRebuild.name(path + ".backup", at: Date()))
        case .file(let file): copy = file
        }
        let source = try file.connect(readOnly: true)
        try StoreBackup(source: source, key: file.configuration.key).copy(to: copy) { _ in }
    }
}
