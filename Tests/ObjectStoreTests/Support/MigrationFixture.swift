import Foundation

@testable import LarderObjectStore

/// A store's file that is opened with one model after another.
struct MigrationFixture {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    var path: String { folder.file("store") }

    /// Makes the store, or brings it to a model, and inserts what JSON holds, by entity.
    func make(_ entities: EntityDescription..., inserting json: KeyValuePairs<String, String> = [:])
        throws
    {
        let store = try Store(at: path, model: Model(name: "Test", entities: entities))
        for (entity, text) in json {
            let root = try JSONDocument(text).root
            _ = try store.write { try $0.mapElements(of: root, as: entity) }
        }
    }

    /// Opens the store with a model, and checks that its tables are those of a new store.
    func migrate(
        _ entities: EntityDescription..., options: MigrationOptions = MigrationOptions()
    ) throws {
        let model = try Model(name: "Test", entities: entities)
        var configuration = Store.Configuration()
        configuration.migration = options
        _ = try Store(at: path, model: model, configuration: configuration)
        try check(model)
    }

    /// Throws where the store is not what a new store of a model would be.
    func check(_ model: Model) throws {
        let connection = try self.connection
        let (found, expected) = try (
            SchemaSnapshot(of: connection), SchemaSnapshot.fresh(StorePlan(model))
        )
        guard found == expected else { throw Difference(found: found, expected: expected) }
        guard try StoredModel(of: connection, path: nil).model(named: "Test") == model,
            try connection.allRows("PRAGMA foreign_key_check").isEmpty,
            try connection.value("PRAGMA integrity_check") == .text("ok")
        else { throw Difference(found: found, expected: expected) }
    }

    struct Difference: Error {
        let found: SchemaSnapshot
        let expected: SchemaSnapshot
    }

    /// The losses that opening with a model is refused for, as they read.
    func refusal(
        _ entities: EntityDescription..., options: MigrationOptions = MigrationOptions()
    ) throws -> [String] {
        let model = try Model(name: "Test", entities: entities)
        var configuration = Store.Configuration()
        configuration.migration = options
        let before = try contents
        do {
            _ = try Store(at: path, model: model, configuration: configuration)
            return []
        } catch let error as MigrationError {
            return try contents == before ? error.losses.map(\.description) : ["changed"]
        }
    }

    /// The rows that a statement finds, their values joined by bars.
    func rows(_ sql: String) throws -> [String] {
        try connection.allRows(sql).map { row in
            row.map(Self.text).joined(separator: "|")
        }
    }

    /// All that the store holds, its schema included.
    var contents: [String] {
        get throws {
            let connection = try self.connection
            let tables = try connection.allRows(
                "SELECT name, sql FROM sqlite_schema WHERE type = 'table' ORDER BY name")
            return try tables.flatMap { table -> [String] in
                guard case .text(let name) = table[0] else { return [] }
                let rows = try connection.allRows("SELECT * FROM \(name.sqlName)")
                return (table + rows.joined()).map(Self.text)
            }
        }
    }

    var connection: Connection {
        get throws {
            try Connection(path: path, creates: false, readOnly: false, busyTimeout: 5_000)
        }
    }

    static func text(_ value: SQLValue) -> String {
        switch value {
        case .null: "NULL"
        case .integer(let integer): String(integer)
        case .real(let real): String(real)
        case .text(let text): text
        case .blob(let bytes): "x'" + bytes.map { String(format: "%02x", $0) }.joined() + "'"
        }
    }
}

extension MigrationOptions {
    /// Those of a first version with one step to it.
    static func step(
        resolving resolved: Set<ModelPart> = [],
        _ body: @escaping @Sendable (MigrationContext) throws -> Void
    ) -> MigrationOptions {
        var options = MigrationOptions()
        options.version = 1
        options.steps = [Migration(from: 0, to: 1, resolving: resolved, body)]
        return options
    }
}
