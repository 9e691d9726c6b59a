import CLarderSQLite

/// A row of a query's result, while it is read into an object.
///
/// It is only valid inside `Entity.init(row:)`.
public struct EntityRow {
    @usableFromInline let statement: OpaquePointer
    @usableFromInline let layout: RowLayout
    @usableFromInline let home: LinkedStore

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
        if let row = columnOfRelationship(index).integer { return One(row: row, in: home) }
        throw relationshipFailure(index)
    }

    /// Reads the optional to-one relationship at an index among the entity's to-one relationships.
    @inlinable
    public func one<Destination: Entity>(_ index: Int) throws -> One<Destination>? {
        guard let row = columnOfRelationship(index).integer else { return nil }
        return One(row: row, in: home)
    }

    /// Reads the attribute at an index among the entity's inherited properties, those without a
    /// column passed over.
    ///
    /// - Throws: `StoreError` where the column is empty though the attribute must not be, or holds
    ///   something of another type.
    public func attribute<Value: AttributeValue>(inherited index: Int) throws -> Value {
        let column = column(ofInherited: index)
        if let value = Value.read(column) { return value }
        throw failure(column, layout.inheritedNames[index])
    }

    /// Reads the to-one relationship at an index among the entity's inherited properties, those
    /// without a column passed over.
    ///
    /// - Throws: `StoreError` where it is empty.
    public func one<Destination: Entity>(inherited index: Int) throws -> One<Destination> {
        if let link: One<Destination> = try one(inherited: index) { return link }
        throw failure(column(ofInherited: index), layout.inheritedNames[index])
    }

    /// Reads the optional to-one relationship at an index among the entity's inherited properties,
    /// those without a column passed over.
    public func one<Destination: Entity>(inherited index: Int) throws -> One<Destination>? {
        column(ofInherited: index).integer.map { One(row: $0, in: home) }
    }

    /// The name of the entity that the object is of, which may be below the one that is read.
    public var entityName: String {
        guard let column = layout.entityColumn else { return layout.entity.name }
        return RowColumn(statement: statement, index: column).text ?? layout.entity.name
    }

    /// The objects of a to-many relationship, which are read when they are asked for.
    @inlinable
    public func many<Destination: Entity>(_ name: String) -> Many<Destination> {
        Many(content: .relationship(name, owner: row, of: layout.entityName, home))
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

    /// The identity of the object, or its row where it has none, in an error's words.
    private var identity: String {
        let values = layout.identityColumns.map { name, index in
            let value: Any =
                switch RowColumn(statement: statement, index: index).value {
                case .integer(let value): value
                case .real(let value): value
                case .text(let value): "\"\(value)\""
                case .blob(let bytes): "\(bytes.count) bytes"
                case .null: "nil"
                }
            return "\(name) \(value)"
        }
        return values.isEmpty ? "row \(row)" : values.joined(separator: ", ")
    }

    private func column(ofInherited index: Int) -> RowColumn {
        RowColumn(statement: statement, index: layout.firstInherited + Int32(index))
    }

    private func failure(_ column: RowColumn, _ name: String) -> StoreError {
        let entity = layout.entity.name
        if column.isNull {
            return StoreError(
                .incompleteObject,
                "\(entity).\(name) of \(identity) is empty: the object is known by a reference only"
            )
        }
        return StoreError(
            .unexpectedValue,
            "\(entity).\(name) of \(identity) holds \(column.value), which is not of its type")
    }
}

/// The columns of an entity's rows: the rowid, the attributes, the to-one relationships, what is
/// inherited, and the entity's name where it shares its table.
@usableFromInline
final class RowLayout: Sendable {
    /// The entity's own description, without what it inherits.
    let entity: EntityDescription
    @usableFromInline let entityName: String
    let toOneNames: [String]
    /// The index of the first to-one relationship's column.
    @usableFromInline let firstToOne: Int
    /// The inherited properties that have a column.
    let inheritedNames: [String]
    /// The index of the first of their columns.
    let firstInherited: Int32
    /// The index of the column with the entity's name.
    let entityColumn: Int32?
    /// The columns that identify an object.
    let identityColumns: [(name: String, index: Int32)]
    /// The columns' names as a query selects them, in order.
    let columnNames: [String]

    init<Object: Entity>(_ type: Object.Type, _ plan: EntityPlan) {
        entity = type.entityDescription
        entityName = entity.name
        firstToOne = 1 + entity.attributes.count
        toOneNames = entity.toOneRelationships.map(\.name)
        inheritedNames = type.inheritedProperties.filter(\.hasColumn).map(\.name)
        var names = [plan.family.rowidName] + entity.attributes.map(\.name) + toOneNames
        firstInherited = Int32(names.count)
        names += inheritedNames
        if plan.family.isAlone {
            entityColumn = nil
        } else {
            entityColumn = Int32(names.count)
            names.append(EntityFamily.entityColumn)
        }
        columnNames = names
        identityColumns = plan.description.identity.compactMap { name in
            names.dropFirst().firstIndex(of: name).map { (name, Int32($0)) }
        }
    }
}

/// The rows that a query finds, while they are read into objects.
///
/// They are only valid inside `Entity.objects(in:)`.
public struct EntityRows {
    /// The row that `next()` has moved to.
    public let row: EntityRow
    private let statement: Statement
    /// The recorder that takes note of each row that is read.
    private let recorder: RowRecorder?
    /// The rows that are read of those that the query finds; nil for all.
    private let selection: RowSelection?

    init(
        of statement: Statement, layout: RowLayout, store: Store, recorder: RowRecorder? = nil,
        among selection: RowSelection? = nil
    ) {
        self.statement = statement
        self.recorder = recorder
        self.selection = selection
        row = EntityRow(statement: statement.pointer, layout: layout, home: LinkedStore(store))
    }

    /// Moves to the next row, the first one at first; false behind the last.
    ///
    /// - Throws: `StoreError` where the store can't be read.
    public func next() throws -> Bool {
        repeat {
            guard try statement.step() else { return false }
        } while selection.map { !$0.takes(row.row) } ?? false
        recorder?.note(statement.pointer)
        return true
    }
}

/// Takes note of the rows that objects are read from.
final class RowRecorder {
    private(set) var rows: [Int64] = []
    private(set) var fingerprints: [Fingerprint] = []
    private let columnCount: Int32

    /// - Parameter columnCount: How many columns a row has, its rowid included.
    init(columnCount: Int) {
        self.columnCount = Int32(columnCount)
    }

    func reserveCapacity(_ count: Int) {
        rows.reserveCapacity(count)
        fingerprints.reserveCapacity(count)
    }

    /// Notes the row that a statement stands at.
    func note(_ statement: OpaquePointer) {
        rows.append(sqlite3_column_int64(statement, 0))
        fingerprints.append(Fingerprint(statement, from: 1, count: columnCount))
    }
}
