/// The attributes of an object on its way from one model to another.
public struct MigrationObject: Sendable {
    private let entity: EntityDescription
    private var values: [String: SQLValue]
    /// The attributes that have been set.
    private(set) var changes: Set<String> = []
    /// The attributes of the identity that may be set.
    private let fillable: Set<String>

    init(
        _ entity: EntityDescription, values: [String: SQLValue], fillable: Set<String> = []
    ) {
        self.entity = entity
        self.values = values
        self.fillable = fillable
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
    ///   where there must be one, or the attribute identifies the object as it has before.
    public mutating func set<Value: AttributeValue>(_ name: String, _ value: Value) throws {
        guard let attribute = entity.attribute(named: name) else { throw unknown(name) }
        guard attribute.type == Value.attributeType else {
            throw StoreError(
                .unexpectedValue, "\(entity.name).\(name) is of type \(attribute.type.rawValue)")
        }
        guard !entity.identity.contains(name) || fillable.contains(name) else {
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
    /// The table of the objects that are not numbered yet, nil where they are in the new one.
    var filling: String?

    private var row: String { filling == nil ? copy.new.rowid : IdentityFilling.row }

    private var pairs: String {
        filling.map { "\($0) AS n JOIN \(copy.old.table) AS o ON \(copy.row) = n.\(row)" }
            ?? migrator.pairs(of: copy)
    }

    /// Calls the closure for each object, a part at a time, and writes what it has set.
    ///
    /// - Returns: The names of what it has set.
    @discardableResult
    func run(_ body: MigrationContext.Map) throws -> Set<String> {
        let fillable = filling == nil ? [] : copy.fillable
        var changes: Set<String> = []
        let connection = migrator.connection
        let (old, new) = (copy.match.old, copy.match.new)
        let columns =
            old.attributes.map { "o.\($0.name.sqlName)" }
            + new.attributes.map { "n.\($0.name.sqlName)" }
        let query =
            "SELECT n.\(row), \(columns.joined(separator: ", "))"
            + " FROM \(pairs) WHERE n.\(row) >= ?"
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
                var object = MigrationObject(new, values: after, fillable: fillable)
                try body(MigrationObject(old, values: before), &object)
                try write(object, row: row[0])
                changes.formUnion(object.changes)
            }
            guard case .integer(let last)? = rows.last?.first, last < .max else { return changes }
            start = last + 1
        }
    }

    /// The condition that the old row was an object, of this entity or of one below it.
    private var wasComplete: String {
        let bearers = migrator.mapping.bearers(of: copy.new.name)
        return bearers.compactMap { migrator.copies[$0.new.name]?.wasComplete }
            .map { "(\($0))" }.joined(separator: " OR ")
    }

    private func write(_ object: MigrationObject, row number: SQLValue) throws {
        let names = object.changes.sorted()
        guard !names.isEmpty else { return }
        var assignments = names.map { "\($0.sqlName) = ?" }
        if filling != nil, !object.changes.isDisjoint(with: copy.fillable) {
            assignments.append("\(IdentityFilling.isFilled) = 1")
        }
        let statement = try migrator.connection.prepare(
            "UPDATE \(filling ?? migrator.tableName(copy.new.family.tableName))"
                + " SET \(assignments.joined(separator: ", ")) WHERE \(row) = ?")
        try statement.bind(try names.map { try object[$0] } + [number])
        try statement.run()
    }
}
