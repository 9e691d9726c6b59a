/// All that mapping and querying an entity need, worked out once from the model.
///
/// An entity's fields are numbered: its columns first (attributes, then to-one relationships),
/// then its to-many relationships.
final class EntityPlan: Sendable {
    /// The key by which an object finds its row.
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
        /// The converter that makes the value where the coder is `special`.
        let converter: ValueConverter?
        /// The index of the destination's plan, -1 where the column holds a value.
        let destination: Int
        /// The index, among the destination's to-many relationships, of the one that leads back.
        let inverse: Int?
        /// Whether an object there that lacks what is required is a reference.
        let isPartial: Bool
    }

    let index: Int
    /// The entity with all that it inherits.
    let description: EntityDescription
    /// The entities that it shares its table with.
    let family: EntityFamily
    /// The picker of the entity of a new object.
    let picker: EntityPicker?
    /// The closure that rewrites an object's JSON first.
    let rewrite: ObjectTransformer.Rewriting?
    /// The place where an object's JSON says that it is gone, nil where it never does.
    let tombstone: NodePath?
    /// Whether the store keeps when objects of the entity were fetched.
    let keepsFetchTimes: Bool
    /// The rules of the entity's type and of its ancestors.
    let rules: [ObjectRules]
    /// Whether an object is mapped without any of what inheritance and rewriting ask for.
    let isPlain: Bool
    /// The SQL literals of an inserted row in columns that the table has no default for.
    let insertedDefaults: [(column: Int, literal: String)]
    /// The SQL literals of all defaults of columns that don't identify an object.
    ///
    /// Objects have them, and references don't: nobody has said them.
    let defaults: [(column: Int, literal: String)]
    /// The columns of those defaults, which have the same numbers in entities below this one.
    let defaultColumns: ColumnSet
    let identity: Identity
    let columns: [Column]
    /// The columns' names, apart so that a column can be passed around without counting references.
    let columnNames: [String]
    let toMany: [ToManyPlan]
    /// The number of columns that hold attributes; those behind them lead to other objects.
    let attributeCount: Int
    let columnCount: Int
    let fieldCount: Int
    let keys: KeyTable
    /// Columns that a complete object has a value in.
    let required: ColumnSet
    /// Columns that identify an object.
    let identifying: ColumnSet
    /// Whether an identifying column may be empty.
    let hasOptionalIdentity: Bool
    /// Identifying columns that may be empty and have a default.
    let identifyingDefaults: ColumnSet
    /// Columns besides the identity that a complete object has a value in.
    let requiredRest: ColumnSet
    /// Whether JSON has no more to say of an object itself than what identifies it, so that a bare
    /// identity is the whole object; false where it leaves open which entity the object is of.
    let isWholeByIdentity: Bool
    /// The column that a bare identity refers to, nil where it takes more than one, or there is
    /// none.
    let referringColumn: Int?

    init(
        index: Int, description: EntityDescription, family: EntityFamily, columns: [Column],
        toMany: [ToManyPlan], picker: EntityPicker? = nil,
        rewrite: ObjectTransformer.Rewriting? = nil, tombstone: NodePath? = nil,
        rules: [ObjectRules] = [],
        insertedDefaults: [(column: Int, literal: String)] = []
    ) {
        self.index = index
        self.description = description
        self.family = family
        self.picker = picker
        self.rewrite = rewrite
        self.rules = rules
        self.insertedDefaults = insertedDefaults
        self.tombstone = tombstone
        keepsFetchTimes = description.hasFetchedAt
        isPlain = family.isAlone && rewrite == nil && tombstone == nil
        self.columns = columns
        columnNames =
            description.attributes.map(\.name) + description.toOneRelationships.map(\.name)
        self.toMany = toMany
        attributeCount = description.attributes.count
        columnCount = columns.count
        fieldCount = columns.count + toMany.count
        identity = Self.identity(of: description, rowid: family.rowidName)
        keys = KeyTable(
            keyPaths: description.attributes.map(\.key)
                + description.toOneRelationships.map(\.key)
                + description.relationships.filter(\.isToMany).map(\.key))
        var identifying = ColumnSet()
        for name in description.identity {
            if let column = description.attributes.firstIndex(where: { $0.name == name }) {
                identifying.insert(column)
            }
        }
        // A default identity would make all objects without one the same.
        var required = ColumnSet()
        for (index, column) in columns.enumerated()
        where !column.isOptional && (!column.hasDefault || identifying.contains(index)) {
            required.insert(index)
        }
        self.required = required
        self.identifying = identifying
        referringColumn = description.identity.count == 1 ? identifying.first : nil
        hasOptionalIdentity = identifying.columns.contains { columns[$0].isOptional }
        var identifyingDefaults = ColumnSet()
        for column in identifying.columns
        where columns[column].isOptional && columns[column].hasDefault {
            identifyingDefaults.insert(column)
        }
        self.identifyingDefaults = identifyingDefaults
        requiredRest = required.subtracting(identifying)
        let defaults = description.attributes.enumerated().compactMap { column, attribute in
            attribute.defaultValue.map { (column: column, literal: $0.sqlValue.literal) }
        }
        self.defaults = defaults.filter { !identifying.contains($0.column) }
        defaultColumns = self.defaults.reduce(into: ColumnSet()) { $0.insert($1.column) }
        isWholeByIdentity =
            !description.isAbstract && family.descendants.count <= 1 && requiredRest.isEmpty
            && description.toOneRelationships.allSatisfy { $0.key == nil }
            && description.attributes.enumerated().allSatisfy {
                $0.element.key == nil || identifying.contains($0.offset)
            }
    }

    /// Whether a column never turns out to be empty where the JSON has a value other than null.
    func alwaysHasValue(_ column: Int) -> Bool {
        !columns[column].isOptional || columns[column].converter == nil
    }

    /// The entity's name.
    var name: String { description.name }

    /// The name of the table that the family shares, quoted.
    var table: String { family.tableName.sqlName }

    /// The name of the column that is the rowid, quoted.
    var rowid: String { family.rowidName.sqlName }

    /// The name of the table of when objects were fetched, quoted.
    var fetchTable: String { family.fetchTableName.sqlName }

    /// The moment when the object of a row was fetched, of a table at hand; empty where it never was.
    func fetchedAt(_ alias: String) -> String {
        "(SELECT f.at FROM \(fetchTable) AS f WHERE f.row = \(alias).\(rowid))"
    }

    /// Throws where it is not kept when objects of the entity were fetched.
    func checkKeepsFetchTimes() throws(StoreError) {
        guard !keepsFetchTimes else { return }
        throw StoreError(
            .unknownEntity,
            "the store does not keep when objects of \(name) were fetched,"
                + " which @Entity(fetchedAt: true) asks for")
    }

    /// The name of the column that says which entity a row's object is of, quoted; nil where the
    /// entity is alone in its table.
    var entityColumn: String? { family.isAlone ? nil : EntityFamily.entityColumn.sqlName }

    /// The condition that keeps a query to the entity's objects; nil where all rows are.
    func scope(_ alias: String) -> String? {
        family.concreteNames.map {
            "\(alias).\(EntityFamily.entityColumn.sqlName) IN \($0.sqlList)"
        }
    }

    /// The condition that keeps a statement to the rows of the entity's objects and of references to
    /// them; nil where all rows are.
    func rowScope(_ alias: String) -> String? {
        family.rowNames.map { "\(alias).\(EntityFamily.entityColumn.sqlName) IN \($0.sqlList)" }
    }

    /// The same, to be added to another condition; nothing where all rows are.
    func rowCondition(_ alias: String) -> String { rowScope(alias).map { " AND \($0)" } ?? "" }

    /// The condition that keeps a look-up by identity to the rows among which that is unique; nil where all
    /// rows are.
    ///
    /// It is the index's own, without which SQLite does not use that.
    func identityScope(_ alias: String) -> String? {
        family.uniqueScope.map {
            "\(alias).\(EntityFamily.entityColumn.sqlName) IN \($0.sqlList)"
        }
    }

    /// The condition that keeps a statement to the rows of this entity, and of none below it; nil
    /// where all rows are.
    ///
    /// Rows of which damage has left no entity of the family are with the root's.
    func ownScope(_ alias: String) -> String? {
        entityColumn.map { column in
            family.ancestors.isEmpty
                ? "\(alias).\(column) NOT IN \(Array(family.memberNames.dropFirst()).sqlList)"
                : "\(alias).\(column) = \(SQLValue.text(name).literal)"
        }
    }

    /// The condition, for the root of a family, that a row's object is of no entity of the family that
    /// has objects, or a reference of none at all; nil where the entity is alone in its table.
    func lacksEntity(_ alias: String) -> String? {
        entityColumn.map { column in
            let isObject = Self.isMarked(.object, alias)
            let isOther = family.concreteNames.map {
                " OR \(isObject) AND \(alias).\(column) NOT IN \($0.sqlList)"
            }
            return "(\(alias).\(column) NOT IN \(family.memberNames.sqlList)\(isOther ?? ""))"
        }
    }

    /// Binds the defaults of columns that are not named, where a statement has a parameter for each
    /// column.
    func bindDefaults(besides columns: ColumnSet, to statement: Statement) throws(StoreError) {
        for (column, attribute) in description.attributes.enumerated()
        where !columns.contains(column) {
            guard let value = attribute.defaultValue else { continue }
            try statement.bind(value.sqlValue, at: Int32(column + 1))
        }
    }

    /// The name of the property behind a field.
    func fieldName(_ field: Int) -> String {
        field < columnCount ? columnNames[field] : toMany[field - columnCount].name
    }

    /// The key path that a field is read from, nil where JSON does not have it.
    func key(of field: Int) -> String? {
        let name = fieldName(field)
        return description.attribute(named: name)?.key ?? description.relationship(named: name)?.key
    }

    private static func identity(of description: EntityDescription, rowid: String) -> Identity {
        let columns = description.identity.compactMap { name in
            description.attributes.firstIndex { $0.name == name }
        }
        if columns.isEmpty { return .none }
        return columns.count == 1 && description.attributes[columns[0]].name == rowid
            ? .rowid(column: columns[0]) : .unique(columns: columns)
    }
}
