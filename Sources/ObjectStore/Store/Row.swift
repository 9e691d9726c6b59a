import CLarderSQLite

/// A row of a query's result, while it is read into an object.
///
/// It is only valid inside `Entity.init(row:)`.
public struct Row {
    let statement: OpaquePointer
    let layout: RowLayout
    let store: Store

    /// Reads the attribute at an index among the entity's attributes.
    ///
    /// - Throws: `StoreError` where the column is empty though the attribute must not be, or holds
    ///   something of another type.
    @inline(__always)
    public func attribute<Value: AttributeValue>(_ index: Int) throws -> Value {
        let column = RowColumn(statement: statement, index: Int32(truncatingIfNeeded: index + 1))
        if let value = Value.read(column) { return value }
        throw failure(column, layout.entity.attributes[index].name)
    }

    /// Reads the to-one relationship at an index among the entity's to-one relationships.
    ///
    /// - Throws: `StoreError` where it is empty.
    public func one<Destination: Entity>(_ index: Int) throws -> One<Destination> {
        if let link: One<Destination> = try one(index) { return link }
        throw failure(column(ofRelationship: index), layout.toOneNames[index])
    }

    /// Reads the optional to-one relationship at an index among the entity's to-one relationships.
    public func one<Destination: Entity>(_ index: Int) throws -> One<Destination>? {
        column(ofRelationship: index).integer.map { One(row: $0, store: store) }
    }

    /// The objects of a to-many relationship, which are read when they are asked for.
    public func many<Destination: Entity>(_ name: String) -> Many<Destination> {
        Many(content: .relationship(name, owner: row, of: layout.entity.name, store))
    }

    /// The object's rowid.
    var row: Int64 { sqlite3_column_int64(statement, 0) }

    private func column(ofRelationship index: Int) -> RowColumn {
        RowColumn(statement: statement, index: Int32(1 + layout.entity.attributes.count + index))
    }

    @inline(never)
    private func failure(_ column: RowColumn, _ name: String) -> StoreError {
        let entity = layout.entity.name
        if column.isNull {
            return StoreError(
                .incompleteObject,
                "\(entity).\(name) is empty: the object is known by a reference only")
        }
        return StoreError(
            .unexpectedValue, "\(entity).\(name) holds \(column.value), which is not of its type")
    }
}

/// The columns of an entity's rows: the rowid, the attributes, the to-one relationships.
final class RowLayout: Sendable {
    let entity: EntityDescription
    let toOneNames: [String]

    init(_ entity: EntityDescription) {
        self.entity = entity
        toOneNames = entity.toOneRelationships.map(\.name)
    }

    /// The columns' names as a query selects them, in order.
    var columnNames: [String] {
        [EntityPlan.rowid(of: entity)] + entity.attributes.map(\.name) + toOneNames
    }
}
