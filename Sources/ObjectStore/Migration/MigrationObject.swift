/// The attributes of an object on its way from one model to another.
public struct MigrationObject: Sendable {
    private let entity: EntityDescription
    private var values: [String: SQLValue]
    /// The attributes that have been set.
    private(set) var changes: Set<String> = []

    init(_ entity: EntityDescription, values: [String: SQLValue]) {
        self.entity = entity
        self.values = values
    }

    /// An attribute's value as SQLite keeps it.
    ///
    /// - Throws: `StoreError` where there is no such attribute.
    public subscript(name: String) -> SQLValue {
        get throws {
            guard let value = values[name] else { throw unknown(name) }
            return value
        }
    }

    /// An attribute's value, nil where it is empty or of another type.
    ///
    /// - Throws: `StoreError` where there is no such attribute.
    public func value<Value: AttributeValue>(
        _ name: String, as type: Value.Type = Value.self
    ) throws -> Value? {
        let value = try self[name]
        return value == .null ? nil : Value(sqlValue: value)
    }

    /// Sets an attribute.
    ///
    /// - Throws: `StoreError` where there is no such attribute, the value is of another type, none
    ///   where there must be one, or the attribute identifies the object.
    public mutating func set<Value: AttributeValue>(_ name: String, _ value: Value) throws {
        guard let attribute = entity.attribute(named: name) else { throw unknown(name) }
        guard attribute.type == Value.attributeType else {
            throw StoreError(
                .unexpectedValue, "\(entity.name).\(name) is of type \(attribute.type.rawValue)")
        }
        guard !entity.identity.contains(name) else {
            throw StoreError(
                .unexpectedValue, "\(entity.name).\(name) identifies the object and stays")
        }
        let new = value.sqlValue
        guard attribute.isOptional || new != .null else {
            throw StoreError(.unexpectedValue, "\(entity.name).\(name) must have a value")
        }
        let allowed = attribute.allowedValues
        guard attribute.type.keeps(new), allowed.contains(new) else {
            throw StoreError(
                .unexpectedValue,
                "\(entity.name).\(name) can't be \(new): expected"
                    + " \(allowed.expectation ?? attribute.type.plainName)")
        }
        values[name] = allowed.nearest(to: new)
        changes.insert(name)
    }

    private func unknown(_ name: String) -> StoreError {
        StoreError(.unexpectedValue, "\(entity.name) has no attribute \(name)")
    }
}

/// Goes through the objects of an entity with a step's closure.
struct ObjectMap {
    let copy: EntityCopy
    let migrator: Migrator

    /// Calls the closure for each object, a part at a time, and writes what it has set.
    func run(_ body: (MigrationObject, inout MigrationObject) throws -> Void) throws {
        let connection = migrator.connection
        let (old, new) = (copy.match.old, copy.match.new)
        let columns =
            old.attributes.map { "o.\($0.name.sqlName)" }
            + new.attributes.map { "n.\($0.name.sqlName)" }
        let query =
            "SELECT n.\(copy.new.rowid), \(columns.joined(separator: ", "))"
            + " FROM \(migrator.pairs(of: copy)) WHERE n.\(copy.new.rowid) >= ?"
            + (copy.old.rowScope("o").map { " AND \($0)" } ?? "") + " AND (\(wasComplete))"
            + " ORDER BY 1 LIMIT 1000"
        var start = Int64.min
        while true {
            let rows = try connection.allRows(query, [.integer(start)])
            for row in rows {
                let before = Dictionary(
                    uniqueKeysWithValues: zip(old.attributes.map(\.name), row.dropFirst()))
                let after = Dictionary(
                    uniqueKeysWithValues: zip(
                        new.attributes.map(\.name), row.dropFirst(1 + old.attributes.count)))
                var object = MigrationObject(new, values: after)
                try body(MigrationObject(old, values: before), &object)
                try write(object, row: row[0])
            }
            guard case .integer(let last)? = rows.last?.first, last < .max else { return }
            start = last + 1
        }
    }

    /// The condition that the old row was an object, of this entity or of one below it.
    private var wasComplete: String {
        let bearers = migrator.mapping.bearers(of: copy.new.name)
        return bearers.compactMap { migrator.copies[$0.new.name]?.wasComplete }
            .map { "(\($0))" }.joined(separator: " OR ")
    }

    private func write(_ object: MigrationObject, row: SQLValue) throws {
        let names = object.changes.sorted()
        guard !names.isEmpty else { return }
        let statement = try migrator.connection.prepare(
            "UPDATE \(migrator.tableName(copy.new.family.tableName))"
                + " SET \(names.map { "\($0.sqlName) = ?" }.joined(separator: ", "))"
                + " WHERE \(copy.new.rowid) = ?")
        try statement.bind(try names.map { try object[$0] } + [row])
        try statement.run()
    }
}
