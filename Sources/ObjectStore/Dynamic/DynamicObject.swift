public import Foundation

/// An object of a model that is known at run time only: a value by name.
///
///     for issue in try store.fetch(DynamicQuery("Issue").where("state = 'open'")) {
///         print(try issue.value("title", as: String.self), try issue.one("user")?["login"] ?? .null)
///     }
///
/// Like a value of an entity it holds what the object was when it was read.
public struct DynamicObject: Sendable {
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
    /// `try issue.value("body", as: String?.self)`.
    ///
    /// - Throws: `StoreError` with the reason `unknownEntity` where the entity has no such attribute,
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

extension DynamicObject: Hashable {
    /// Whether both are the same object and hold the same.
    public static func == (left: DynamicObject, right: DynamicObject) -> Bool {
        left.row == right.row && left.plan === right.plan && left.values == right.values
    }

    /// Hashes which object it is.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(plan.table)
        hasher.combine(row)
    }
}

extension DynamicObject: CustomStringConvertible {
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

extension DynamicObject {
    /// Reads the object at the other end of a to-one relationship as it is now, nil where there is
    /// none.
    ///
    /// - Throws: `StoreError` where the entity has no such relationship, or the object has gone.
    public func one(_ name: String) throws -> DynamicObject? {
        guard let column = plan.columnNames.firstIndex(of: name),
            plan.columns[column].destination >= 0
        else { throw unknown("to-one relationship", name) }
        guard case .integer(let row) = values[column] else { return nil }
        let destination = store.plan.entities[plan.columns[column].destination]
        return try store.reading { try $0.reader.dynamicObjects(in: [row], of: destination) }[0]
    }

    /// Reads the objects of a to-many relationship as they are now, in its order; those that are
    /// known by a reference only are left out.
    ///
    /// - Throws: `StoreError` where the entity has no such relationship.
    public func many(_ name: String) throws -> [DynamicObject] {
        guard let relationship = plan.toMany.first(where: { $0.name == name }) else {
            throw unknown("to-many relationship", name)
        }
        let destination = store.plan.entities[relationship.destination]
        return try store.read { snapshot in
            let rows = try snapshot.reader.rows(of: name, owner: row, entity: plan.name)
            return try snapshot.reader.dynamicObjects(in: rows, of: destination)
        }
    }

    /// The object as JSON by the model, as it is now; see `ObjectReading.export`.
    ///
    /// - Parameter relationships: What stands for the objects that it is linked to.
    /// - Throws: What a transformer throws, or `StoreError`, also where the object has gone.
    public func json(relationships: ExportedRelationships = .nested) throws -> Data {
        try store.read { try $0.json(of: row, as: plan.name, relationships: relationships) }
    }
}

/// Objects that JSON was imported to by the name of their entity: which they are, not what they
/// hold.
public struct DynamicObjects: Sendable {
    /// The name of the entity that the JSON was imported as.
    public let entityName: String
    let rows: [Int64]
    let store: Store

    /// The number of objects; one that was met twice counts once.
    public var count: Int { rows.count }

    /// Reads the objects as they are now, in the order of the JSON.
    ///
    /// - Throws: `StoreError` with the reason `missingObject` where one has gone.
    public func fetch() throws -> [DynamicObject] {
        let entity = try store.plan.entity(entityName)
        return try store.reading { try $0.reader.dynamicObjects(in: rows, of: entity) }
    }

    /// The objects as a JSON array, by the model, as they are now; see `ObjectReading.export`.
    ///
    /// - Parameter relationships: What stands for the objects that they are linked to.
    /// - Throws: What a transformer throws, or `StoreError`.
    public func json(relationships: ExportedRelationships = .nested) throws -> Data {
        try store.read {
            try $0.json(of: rows, as: entityName, relationships: relationships)
        }
    }
}

/// The columns that objects of an entity, and of those below it, are read from.
struct DynamicObjectLayout {
    /// The columns' names: the rowid, the entity's name where there is a choice, what tells references,
    /// then all that one of the entities has.
    let columnNames: [String]
    private let plan: EntityPlan
    /// The index of the column that is empty unless the object has not arrived.
    private let referenceColumn: Int32
    /// By the name of an entity: its plan, and where its columns are.
    private var members: [String: (plan: EntityPlan, columns: [Int32])] = [:]

    init(_ plan: EntityPlan, in store: StorePlan) {
        self.plan = plan
        var names = [plan.family.rowidName]
        if !plan.family.isAlone { names.append(EntityFamily.entityColumn) }
        referenceColumn = Int32(names.count)
        names.append(EntityPlan.referenceColumn)
        let first = names.count
        var places: [String: Int32] = [:]
        // The entity itself is among them; ancestors are there for rows that are still references.
        for index in Set(plan.family.descendants).union(plan.family.ancestors).sorted() {
            let member = store.entities[index]
            for name in member.columnNames where places[name] == nil {
                places[name] = Int32(names.count)
                names.append(name)
            }
            members[member.name] = (member, member.columnNames.map { places[$0] ?? Int32(first) })
        }
        columnNames = names
    }

    /// Reads the object in a statement's row.
    func object(in statement: Statement, of store: Store) throws(StoreError) -> DynamicObject {
        let name = plan.family.isAlone ? plan.name : statement.text(at: 1)
        guard let member = members[name] else {
            guard store.plan.hasEntity(name) else {
                throw StoreError(unknownEntity: name, inTableOf: plan)
            }
            throw StoreError(
                .unexpectedValue, "an object of \(name) stands where one of \(plan.name) belongs")
        }
        return DynamicObject(
            plan: member.plan, row: statement.integer(at: 0),
            values: member.columns.map { statement.value(at: $0) },
            isComplete: statement.isNull(at: referenceColumn), store: store)
    }
}
