import CLarderSQLite
import Foundation
import LarderPromises

/// Brings an open store to a model, where it was written with another.
struct StoreMigration {
    let plan: StorePlan
    let options: MigrationOptions
    let path: String?

    /// Migrates the store in one transaction; foreign keys are off afterwards.
    ///
    /// Of several processes that open the store at once one migrates it, while the others wait and
    /// then find it done.
    ///
    /// - Parameter busyTimeout: How long the connection waits for locks otherwise, in milliseconds.
    func run(on connection: Connection, busyTimeout: Int32) throws {
        guard try isNeeded(for: StoredModel(of: connection, path: path)) else { return }
        // What is made anew must not take with it what refers to it.
        try connection.execute("PRAGMA foreign_keys = OFF")
        sqlite3_busy_timeout(connection.pointer, Int32(options.patience.wholeMilliseconds))
        defer { sqlite3_busy_timeout(connection.pointer, busyTimeout) }
        do {
            try connection.transaction("BEGIN IMMEDIATE") { try migrate(connection) }
        } catch var error as StoreError {
            error.path = error.path ?? path
            throw error
        }
    }

    private func isNeeded(for stored: StoredModel) throws -> Bool {
        if stored.version < options.version || stored.layout < Schema.version { return true }
        return try stored.model(named: plan.model.name) != plan.model
    }

    private func migrate(_ connection: Connection) throws {
        let stored = try StoredModel(of: connection, path: path)
        guard stored.version <= options.version, stored.layout <= Schema.version else {
            throw StoreError(.newer, "another process has brought the store to a newer version")
        }
        guard try isNeeded(for: stored) else { return }
        let model = try stored.model(named: plan.model.name)
        let migrator = try Migrator(
            connection: connection, from: model, to: plan, options: options, path: path)
        try backUp()
        try migrator.run(from: stored.version)
        try StoredModel.write(plan.model, version: options.version, on: connection)
        try connection.execute("PRAGMA user_version = \(Schema.version)")
    }

    /// Copies the store as it was last committed, while nobody else can write.
    private func backUp() throws {
    }
}
