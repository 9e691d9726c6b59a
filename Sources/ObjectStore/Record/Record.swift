/// An object of a model that is known at run time only: a value by name.
///
///     for issue in try store.fetch(RecordQuery("Issue").where("state = 'open'")) {
///         print(try issue.value("title", as: String.self), try issue.one("user")?["login"] ?? .null)
///     }
///
/// Like a value of an entity it holds what the object was when it was read.
public struct Record: Sendable {
    let plan: EntityPlan
    let row: Int64
    /// The values of the columns: attributes, then to-one relationships.
    let values: [SQLValue]
    /// Whether more than a reference to the object has arrived.
    public let isComplete: Bool
    let store: Store

    /// The name of the entity that the object is of, which may be below the one that was asked for.
    public var entityName: String { plan.name }

    /// The entity with all that it inherits.
    public var entity: EntityDescription { plan.description }

    /// The value of an attribute as SQLite keeps it, `.null` where it is empty; nil where the entity
    /// has no attribute of this name.
    ///
    /// Booleans are 0 and 1, dates seconds since the beginning of 2001 (UTC), decimal numbers, URLs,
    /// UUIDs and JSON text.
    public subscript(name: String) -> SQLValue? {
        attributeIndex(of: name).map { values[$0] }
    }

    /// The value of an attribute as a Swift type, an optional one where it may be empty:
    /// `try record.value("body", as: String?.self)`.
    ///
    /// - Throws: `StoreError` with the code `unknownEntity` where the entity has no such attribute,
    ///   `incompleteObject` where it is empty, `unexpectedValue` where it is of another type.
    public func value<Value: AttributeValue>(
        _ name: String, as type: Value.Type = Value.self
    ) throws -> Value {
        guard let index = attributeIndex(of: name) else { throw unknown("attribute", name) }
        // A whole number reads as a date, say; the model knows what it is.
        let isOfType = plan.description.attributes[index].type == Value.attributeType
        if isOfType || values[index] == .null, let value = Value(sqlValue: values[index]) {
            return value
        }
        guard values[index] != .null else {
            throw StoreError(
                .incompleteObject,
                "\(entityName).\(name) is empty; ask for \(Value.self)? where it may be")
        }
        throw StoreError(
            .unexpectedValue,
            "\(entityName).\(name) is of type \(plan.description.attributes[index].type.rawValue) and"
                + " no \(Value.self)")
    }

    private func attributeIndex(of name: String) -> Int? {
        plan.description.attributes.firstIndex { $0.name == name }
    }

    /// The error for a name that the entity does not have, with those that it has.
    func unknown(_ kind: String, _ name: String) -> StoreError {
        let names =
            switch kind {
            case "attribute": plan.description.attributes.map(\.name)
            case "to-one relationship": plan.description.toOneRelationships.map(\.name)
            default: plan.toMany.map(\.name)
            }
        return StoreError(
            .unknownEntity, "\(entityName) has no \(kind) \(name); it has \(names.shortList)")
    }
}

extension Record: Hashable {
    /// Whether both are the same object and hold the same.
    public static func == (left: Record, right: Record) -> Bool {
        left.row == right.row && left.plan === right.plan && left.values == right.values
    }

    /// Hashes which object it is.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(plan.table)
        hasher.combine(row)
    }
}

extension Record: CustomStringConvertible {
    /// The entity and its attributes, such as `Issue(id: 3, title: "Crash")`.
    public var description: String {
        let attributes = zip(plan.description.attributes, values).map { attribute, value in
            switch value {
            case .null: "\(attribute.name): nil"
            case .integer(let value): "\(attribute.name): \(value)"
            case .real(let value): "\(attribute.name): \(value)"
            case .text(let value): "\(attribute.name): \"\(value)\""
            case .blob(let value): "\(attribute.name): \(value.count) bytes"
            }
        }
        return "\(entityName)(\(attributes.joined(separator: ", ")))"
    }
}

extension [String] {
    /// The names for an error, not too many of them.
    var shortList: String {
        isEmpty ? "none" : prefix(20).joined(separator: ", ") + (count > 20 ? ", …" : "")
    }
}
