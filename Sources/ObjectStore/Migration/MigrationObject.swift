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
