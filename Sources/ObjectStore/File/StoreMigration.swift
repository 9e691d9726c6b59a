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
    ///
    /// - Returns: The model that the store was found to have, or was brought to.
    func run(on connection: Connection) throws -> StoredModel {
        let stored = try StoredModel(of: connection, path: path)
        guard try isNeeded(for: stored) else { return stored }
        // What is made anew must not take with it what refers to it.
        try connection.execute("PRAGMA foreign_keys = OFF")
        connection.lockWait.limit = Int32(options.waitTimeout.wholeMilliseconds)
        defer { connection.lockWait.limit = file.configuration.busyMilliseconds }
        var copy: String?
        do {
            return try connection.transaction("BEGIN IMMEDIATE") {
                try migrate(connection, &copy)
                return try StoredModel(of: connection, path: path)
            }
        } catch {
            // The store is what it was, and the next try makes a copy of its own.
            if let copy { unlink(copy) }
            guard var error = error as? StoreError else { throw error }
            error.path = error.path ?? path
            throw error
        }
    }

    private var options: MigrationOptions { file.configuration.migration }
    private var path: String? { file.path }

    private func isNeeded(for stored: StoredModel) throws -> Bool {
        // A newer one has come since the file was looked at, and is refused.
        if stored.version != options.version || stored.layout != Schema.version { return true }
        return try stored.model(named: plan.model.name) != plan.model
            || stored.allowedValues != StoredModel.allowedValues(of: plan.model)
    }

    /// - Parameter copy: Becomes the path of a copy of the store that stands beside it now.
    private func migrate(_ connection: Connection, _ copy: inout String?) throws {
        let stored = try StoredModel(of: connection, path: path)
        guard stored.version <= options.version, stored.layout <= Schema.version else {
            throw StoreError(
                .newerStore, "another process has brought the store to a newer version")
        }
        guard try isNeeded(for: stored) else { return }
        try removeDefaults(of: stored, connection)
        let migrator = try Migrator(
            connection: connection, from: stored, to: plan, options: options, path: path)
        if stored.version == options.version, stored.layout == Schema.version,
            migrator.old.model == plan.model, migrator.plan.isEmpty
        {
            // The attributes take other values, and those that are there are among them.
            try StoredModel.write(plan.model, version: options.version, on: connection)
            return
        }
        copy = try backUp()
        try migrator.run(from: stored.version)
        try StoredModel.write(
            plan.model, version: options.version, on: connection,
            changingLayout: stored.layout != Schema.version)
        try connection.execute("PRAGMA user_version = \(Schema.version)")
        // Who has the store open sees by a change of the tables that there is another model.
        try connection.execute("CREATE TABLE \"$migrated\" (x); DROP TABLE \"$migrated\"")
    }

    /// Empties what an older layout has in the rows of references, the defaults of the day when
    /// they were made, and gives objects the defaults of what they must have and lack.
    private func removeDefaults(of stored: StoredModel, _ connection: Connection) throws {
        guard stored.layout < Schema.versionWithoutDefaults else { return }
        for entity in StorePlan(stored: try stored.model(named: plan.model.name)).entities
        where !entity.defaults.isEmpty {
            let tellsReferences = try connection.hasColumn(
                EntityPlan.referenceColumn, of: entity.family.tableName)
            let isObject = entity.isOwnObject("t", tellsReferences: tellsReferences)
            let values = entity.defaults.map {
                (name: entity.columnNames[$0.column].sqlName, literal: $0.literal)
            }
            let assignments = values.map { "\($0.name) = nullif(t.\($0.name), \($0.literal))" }
            let isDefault = values.map { "t.\($0.name) IS \($0.literal)" }
            try connection.execute(
                "UPDATE \(entity.table) AS t SET \(assignments.joined(separator: ", "))"
                    + " WHERE NOT (\(isObject)) AND \(entity.ownScope("t") ?? "TRUE")"
                    + " AND (\(isDefault.joined(separator: " OR ")))")
            if let repair = entity.repair(tellsReferences: tellsReferences) {
                try connection.execute(repair)
            }
        }
    }

    /// Copies the store as it was last committed, while nobody else can write.
    ///
    /// - Returns: The path of a copy that is one more beside the store.
    private func backUp() throws -> String? {
        guard let path else { return nil }
        let copy: URL
        switch options.backup {
        case .none: return nil
        case .beside:
            copy = URL(fileURLWithPath: StoreRebuild.name(path + ".backup", at: Date()))
        case .file(let file): copy = file
        }
        let source = try file.connect(readOnly: true)
        try StoreBackup(source: source).copy(to: copy) { _ in }
        return options.backup == .beside ? copy.path(percentEncoded: false) : nil
    }
}
