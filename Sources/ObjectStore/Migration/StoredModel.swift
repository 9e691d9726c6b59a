import Foundation

/// The model that a store was written with.
struct StoredModel {
    /// The model in the file format.
    let json: String
    /// The version of the app's model.
    let version: Int
    /// The version of the tables' layout.
    let layout: Int64
    /// The signatures of the values that attributes took, by entity and name, as their Swift types
    /// said; of others nothing is known.
    let allowedValues: [String: String]
    /// Whether the store says what values attributes took.
    let hasAllowedValues: Bool
    /// The number of times that the model, or those values, have become others.
    let generation: Int
    private let path: String?

    /// Reads what a store keeps.
    ///
    /// - Throws: `StoreError` where it is lost.
    init(of connection: Connection, path: String?) throws(StoreError) {
        guard
            case .text(let json)? = try connection.value(
                "SELECT value FROM \"$store\" WHERE key = 'model'")
        else { throw StoreError(.damaged, "the store has lost its model", path: path) }
        self.json = json
        self.path = path
        let version = try connection.value("SELECT value FROM \"$store\" WHERE key = 'version'")
        if case .text(let text)? = version {
            self.version = Int(text) ?? 0
        } else {
            self.version = 0
        }
        let allowed = try connection.value("SELECT value FROM \"$store\" WHERE key = 'values'")
        var signatures: [String: String]?
        if case .text(let text)? = allowed {
            signatures = try? JSONDocument(text).root.decode([String: String].self)
        }
        allowedValues = signatures ?? [:]
        hasAllowedValues = signatures != nil
        let generation = try connection.value(
            "SELECT value FROM \"$store\" WHERE key = 'generation'")
        if case .text(let text)? = generation {
            self.generation = Int(text) ?? 0
        } else {
            self.generation = 0
        }
        if case .integer(let layout)? = try connection.value("PRAGMA user_version") {
            self.layout = layout
        } else {
            layout = 0
        }
    }

    /// The model.
    ///
    /// - Throws: `StoreError` where it can't be read.
    func model(named name: String) throws(StoreError) -> Model {
        do {
            return try Model(json: Data(json.utf8), name: name)
        } catch {
            throw StoreError(
                .damaged, "the store's model can't be read: \(error)", path: path)
        }
    }

    /// Writes a model into a store.
    static func write(_ model: Model, version: Int, on connection: Connection) throws {
        let (json, values) = (try model.json, allowedValues(of: model))
        // There is none yet where the store is made.
        let isThere =
            try connection.value("SELECT 1 FROM \"$store\" WHERE key = 'model'") != nil
        let former = isThere ? try StoredModel(of: connection, path: nil) : nil
        let isSame = former?.json == json && former?.allowedValues == values
        let generation = (former?.generation ?? 0) &+ (isSame ? 0 : 1)
        let insert = try connection.prepare("INSERT OR REPLACE INTO \"$store\" VALUES (?, ?)")
        let entries: [(String, SQLValue)] = [
            ("model", .text(json)), ("version", .text(String(version))),
            ("values", values.sqlValue), ("generation", .text(String(generation))),
        ]
        for (key, value) in entries {
            try insert.bind([.text(key), value])
            try insert.run()
        }
    }

    /// Returns the signatures of attributes' values, of those that don't take all of their type.
    static func allowedValues(of model: Model) -> [String: String] {
        let lineage = EntityLineage(model.entities)
        var values: [String: String] = [:]
        for entity in model.entities {
            for attribute in lineage.flattened(entity).attributes {
                values["\(entity.name).\(attribute.name)"] = attribute.allowedValues.signature
            }
        }
        return values
    }
}
