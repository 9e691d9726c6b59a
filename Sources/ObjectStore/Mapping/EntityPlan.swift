/// All that mapping and querying an entity need, worked out once from the model.
///
/// An entity's fields are numbered: its columns first (attributes, then to-one relationships),
/// then its to-many relationships.
final class EntityPlan: Sendable {
    /// How an object finds its row.
    enum Identity: Sendable {
        /// Each object is a new row.
        case none
        /// The attribute in this column is the rowid.
        case rowid(column: Int)
        /// The attributes in these columns are unique together.
        case unique(columns: [Int])
    }

    /// A column: an attribute, or the target of a to-one relationship.
    struct Column: Sendable {
        let isOptional: Bool
        let hasDefault: Bool
        /// Nil where the column holds a link.
        let coder: ValueCoder?
        /// The index of the destination's plan, -1 where the column holds a value.
        let destination: Int
        /// The index, among the destination's to-many relationships, of the one that leads back.
        let inverse: Int?
    }

    let index: Int
    let description: EntityDescription
    let identity: Identity
    let columns: [Column]
    /// The columns' names, apart so that a column can be passed around without counting references.
    let columnNames: [String]
    let toMany: [ToManyPlan]
    let keys: KeyTable
    /// Columns that a complete object has a value in.
    let required: ColumnSet
    /// Columns that identify an object.
    let identifying: ColumnSet
    /// Columns that have a key path.
    let mapped: ColumnSet

    init(
        index: Int, description: EntityDescription, columns: [Column], toMany: [ToManyPlan]
    ) {
        self.index = index
        self.description = description
        self.columns = columns
        columnNames = description.attributes.map(\.name) + description.toOneRelationships.map(\.name)
        self.toMany = toMany
        identity = Self.identity(of: description)
        keys = KeyTable(
            keyPaths: description.attributes.map(\.key)
                + description.toOneRelationships.map(\.key)
                + description.relationships.filter(\.isToMany).map(\.key))
        var required = ColumnSet()
        var mapped = ColumnSet()
        for (index, column) in columns.enumerated() {
            if !column.isOptional, !column.hasDefault { required.insert(index) }
            let key =
                index < description.attributes.count
                ? description.attributes[index].key
                : description.toOneRelationships[index - description.attributes.count].key
            if key != nil { mapped.insert(index) }
        }
        var identifying = ColumnSet()
        for name in description.identity {
            if let column = description.attributes.firstIndex(where: { $0.name == name }) {
                identifying.insert(column)
            }
        }
        self.required = required
        self.identifying = identifying
        self.mapped = mapped
    }

    /// The entity's name.
    var name: String { description.name }

    /// The table's name, quoted.
    var table: String { name.sqlName }

    /// The name of the column that is the rowid, quoted.
    var rowid: String { Self.rowid(of: description).sqlName }

    /// The number of fields.
    var fieldCount: Int { columns.count + toMany.count }

    /// A column that is empty in rows that only a reference made, nil where a reference is all
    /// that an object of the entity needs.
    var completenessColumn: Int? {
        required.subtracting(identifying).first
    }

    /// The name of the column that is the rowid: the identity where it is one whole number, else a
    /// column of its own, whose name no property can have.
    static func rowid(of description: EntityDescription) -> String {
        if description.identity.count == 1,
            let attribute = description.attribute(named: description.identity[0]),
            attribute.type == .integer, !attribute.isOptional
        {
            return attribute.name
        }
        return "$id"
    }

    private static func identity(of description: EntityDescription) -> Identity {
        let columns = description.identity.compactMap { name in
            description.attributes.firstIndex { $0.name == name }
        }
        if columns.isEmpty { return .none }
        return rowid(of: description) == "$id"
            ? .unique(columns: columns) : .rowid(column: columns[0])
    }
}
