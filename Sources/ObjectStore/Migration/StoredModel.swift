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
        // By one statement, which sees one moment: another process may be migrating the store.
        let rows = try connection.allRows(
            "SELECT key, value, (SELECT user_version FROM pragma_user_version) FROM \"$store\""
                + " WHERE key IN ('model', 'version', 'values', 'generation')")
        var texts: [String: String] = [:]
        var layout: Int64 = 0
        for row in rows {
            if case (.text(let key), .text(let text)) = (row[0], row[1]) { texts[key] = text }
            if case .integer(let number) = row[2] { layout = number }
        }
        guard let json = texts["model"] else {
            throw StoreError(.damaged, "the store has lost its model", path: path)
        }
        self.json = json
        self.layout = layout
        self.path = path
        version = texts["version"].flatMap { Int($0) } ?? 0
        generation = texts["generation"].flatMap { Int($0) } ?? 0
        let signatures = texts["values"].flatMap { text in
            try? JSONDocument(text).root.decode([String: String].self)
        }
        allowedValues = signatures ?? [:]
        hasAllowedValues = signatures != nil
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
    ///
    /// - Parameter isNewLayout: Whether the tables' layout becomes another: who has the store open by
    ///   the old one knows only the model's text, so that the same model gets another.
    static func write(
        _ model: Model, version: Int, on connection: Connection,
        changingLayout isNewLayout: Bool = false
    ) throws {
        let values = allowedValues(of: model)
        var json = try model.json
        // There is none yet where the store is made.
        let isThere =
            try connection.value("SELECT 1 FROM \"$store\" WHERE key = 'model'") != nil
        let former = isThere ? try StoredModel(of: connection, path: nil) : nil
        let formerText = former?.json ?? ""
        let isSameModel = formerText.prefix { $0 != "\n" } == json
        if isSameModel { json = isNewLayout ? formerText + "\n" : formerText }
        let isSame = isSameModel && former?.allowedValues == values
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
