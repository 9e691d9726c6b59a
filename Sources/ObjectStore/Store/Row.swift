import CLarderSQLite

/// A row of a query's result, while it is read into an object.
///
/// It is only valid inside `Entity.init(row:)`.
public struct Row {
    @usableFromInline let statement: OpaquePointer
    @usableFromInline let layout: RowLayout
    @usableFromInline let store: Store

    /// Reads the attribute at an index among the entity's attributes.
    ///
    /// - Throws: `StoreError` where the column is empty though the attribute must not be, or holds
    ///   something of another type.
    @inlinable
    public func attribute<Value: AttributeValue>(_ index: Int) throws -> Value {
        let column = RowColumn(statement: statement, index: Int32(truncatingIfNeeded: index &+ 1))
        if let value = Value.read(column) { return value }
        throw attributeFailure(index)
    }

    /// Reads the to-one relationship at an index among the entity's to-one relationships.
    ///
    /// - Throws: `StoreError` where it is empty.
    @inlinable
    public func one<Destination: Entity>(_ index: Int) throws -> One<Destination> {
        if let row = columnOfRelationship(index).integer { return One(row: row, store: store) }
        throw relationshipFailure(index)
    }

    /// Reads the optional to-one relationship at an index among the entity's to-one relationships.
    @inlinable
    public func one<Destination: Entity>(_ index: Int) throws -> One<Destination>? {
        guard let row = columnOfRelationship(index).integer else { return nil }
        return One(row: row, store: store)
    }

    /// The objects of a to-many relationship, which are read when they are asked for.
    @inlinable
    public func many<Destination: Entity>(_ name: String) -> Many<Destination> {
        Many(content: .relationship(name, owner: row, of: layout.entityName, store))
    }

    /// The object's rowid.
    @usableFromInline var row: Int64 { sqlite3_column_int64(statement, 0) }

    @inlinable
    func columnOfRelationship(_ index: Int) -> RowColumn {
        RowColumn(
            statement: statement, index: Int32(truncatingIfNeeded: layout.firstToOne &+ index))
    }

    @usableFromInline
    func attributeFailure(_ index: Int) -> any Error {
        failure(
            RowColumn(statement: statement, index: Int32(index + 1)),
            layout.entity.attributes[index].name)
    }

    @usableFromInline
    func relationshipFailure(_ index: Int) -> any Error {
        failure(columnOfRelationship(index), layout.toOneNames[index])
    }

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
@usableFromInline
final class RowLayout: Sendable {
    let entity: EntityDescription
    @usableFromInline let entityName: String
    let toOneNames: [String]
    /// The index of the first to-one relationship's column.
    @usableFromInline let firstToOne: Int

    init(_ entity: EntityDescription) {
        self.entity = entity
        entityName = entity.name
        firstToOne = 1 + entity.attributes.count
        toOneNames = entity.toOneRelationships.map(\.name)
    }

    /// The columns' names as a query selects them, in order.
    var columnNames: [String] {
        [EntityPlan.rowid(of: entity)] + entity.attributes.map(\.name) + toOneNames
    }
}
