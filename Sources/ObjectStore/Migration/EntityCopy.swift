/// The SQL that copies the objects of an entity from the old model's table to the new one's.
///
/// In its SQL the old row is `o`.
struct EntityCopy {
    let match: ModelMapping.Match
    let old: EntityPlan
    let new: EntityPlan
    /// Whether the old table says which rows are references, as older ones did not.
    let tellsReferences: Bool
    /// The attributes that steps have set before the objects are copied, and the table in which all of them stand.
    var filled: (table: String, names: Set<String>)?

    /// The old row's number.
    var row: String { "o.\(old.rowid)" }

    /// The condition that the old row is one of the old entity.
    var isOwn: String { old.ownScope("o") ?? "TRUE" }

    /// The temporary table of row numbers, where they don't stay as they are.
    var mapName: String { Self.mapName(of: new.family) }

    static func mapName(of family: EntityFamily) -> String {
        "temp.\("$map.\(family.tableName)".sqlName)"
    }

    /// The SQL of an attribute's new value; nil where the new column's default serves.
    func value(of attribute: AttributeDescription) -> String? {
        guard let filled, filled.names.contains(attribute.name) else {
            return ownValue(of: attribute)
        }
        let own = ownValue(of: attribute) ?? attribute.defaultLiteral
        return "iif(\(wasComplete), (SELECT f.\(attribute.name.sqlName) FROM \(filled.table) AS f"
            + " WHERE f.\(IdentityFilling.row) = \(row)), \(own))"
    }

    private func ownValue(of attribute: AttributeDescription) -> String? {
        guard let before = match.attributes[attribute.name] else { return filler(attribute) }
        let value = conversion(of: attribute, from: before)
        guard fillsWithDefault(attribute), let filler = filler(attribute) else { return value }
        return "coalesce(\(value), \(filler))"
    }

    /// The SQL of an attribute's default, nil for none; references have it in their identity only.
    private func filler(_ attribute: AttributeDescription) -> String? {
        guard let literal = attribute.defaultValue?.sqlValue.literal else { return nil }
        if match.new.identity.contains(attribute.name) { return literal }
        return "iif(\(wasComplete), \(literal), NULL)"
    }

    /// The new attributes that have a default, and the SQL of that.
    var addedDefaults: [(name: String, literal: String)] {
        new.defaults.map { (name: new.columnNames[$0.column], literal: $0.literal) }
            .filter { match.attributes[$0.name] == nil }
    }

    /// The SQL that makes an old attribute's value one of the new one; `NULL` where it can't be.
    func conversion(
        of attribute: AttributeDescription, from before: AttributeDescription
    ) -> String {
        let value = ValueConversion(from: before.type, to: attribute.type)
            .sql("o.\(before.name.sqlName)")
        guard match.narrowed.contains(attribute.name) else { return value }
        return ValueNarrowing.sql(value, for: attribute.name, of: new)
    }

    /// Whether an attribute's default stands in for values that the old model could lack.
    private func fillsWithDefault(_ attribute: AttributeDescription) -> Bool {
        guard let before = match.attributes[attribute.name], !attribute.isOptional,
            attribute.defaultValue != nil
        else { return false }
        // References lack it, and are told from others by it from now on.
        let identifies =
            match.new.identity.contains(attribute.name)
            && !match.old.identity.contains(before.name)
        return before.isOptional || match.converts(attribute) || identifies
    }

    /// Whether all attributes that the old table has stay what they are.
    var keepsAttributes: Bool {
        match.old.name == match.new.name && filled == nil
            && match.new.attributes.allSatisfy { attribute in
                guard let before = match.attributes[attribute.name] else {
                    // The table has it as a default of its own.
                    return !new.insertedDefaults.contains {
                        new.columnNames[$0.column] == attribute.name
                    }
                }
                return before.name == attribute.name && !match.converts(attribute)
                    && !fillsWithDefault(attribute)
            }
    }

    /// Whether nothing of an old row would stay in its table that the new entity does not have.
    var leavesNothing: Bool {
        if new.family.isAlone, old.family.isAlone { return true }
        let targets = match.new.toOneRelationships.map { match.relationships[$0.name]?.name }
        return match.old.attributes.allSatisfy { match.keeps($0.name) }
            && match.old.toOneRelationships.allSatisfy { targets.contains($0.name) }
    }

    /// The condition that the old row was a complete object of the old entity.
    var wasComplete: String { old.isOwnObject("o", tellsReferences: tellsReferences) }

    /// The SQL of the new row's value in the column that tells references.
    var referenceMark: String {
        "CASE WHEN \(wasComplete) THEN NULL ELSE \(EntityPlan.referenceMark) END"
    }

    /// Whether nothing is required of the new object that the old one may not have had.
    var requiresNothingNew: Bool {
        new.requiredRest.columns.allSatisfy { column in
            let name = new.columnNames[column]
            if column < new.attributeCount {
                // What does not fit the new type is empty, where that is allowed.
                return match.attributes[name]?.isOptional == false
                    && !match.converts(new.description.attributes[column])
            }
            return match.relationships[name].map { !$0.isToMany && !$0.isOptional } ?? false
        }
    }

    /// Each old row as `o` beside what has become of it as `n`.
    ///
    /// - Parameter table: The name, quoted, that the new table has at this moment.
    func pairs(with table: String, isRenumbered: Bool) -> String {
        isRenumbered
            ? "\(mapName) AS m JOIN \(old.table) AS o ON \(row) = m.old"
                + " JOIN \(table) AS n ON n.\(new.rowid) = m.new AND m.stays"
            : "\(table) AS n JOIN \(old.table) AS o ON \(row) = n.\(new.rowid)"
    }

    /// The values that identify the new object, in SQL.
    private var identity: [String] {
        match.new.identity.compactMap(match.new.attribute(named:)).map(filledValue)
    }

    /// The condition that the old row lacks what the new identity requires.
    var lacksIdentity: String {
        let required = zip(match.new.identity, identity).filter { name, _ in
            match.new.attribute(named: name)?.isOptional == false
        }
        return required.isEmpty
            ? "FALSE" : required.map { "(\($0.1)) IS NULL" }.joined(separator: " OR ")
    }

    /// Whether the number of a row is no other afterwards, unless the row becomes one with others.
    var keepsNumbers: Bool {
        guard case .rowid(let column) = new.identity else { return true }
        guard case .rowid(let before) = old.identity else { return false }
        let attribute = match.new.attributes[column]
        return match.attributes[attribute.name]?.name == match.old.attributes[before].name
            && !match.converts(attribute)
    }

    /// Selects each old row with what numbers the rows of the new table: `old`, `entity`,
    /// `isObject`, `stands` (whether the new identity has what it requires), `number` (the new one,
    /// `NULL` where it is that of the row that stays), and what is equal in rows that become one.
    ///
    /// An identity whose parts are all empty is like no other; one that is empty in part is like
    /// those that are so too.
    ///
    /// - Parameter keyCount: How many values the longest identity of the table has, at least one.
    func numbering(keyCount: Int) -> String {
        var scope = SQLValue.text(
            (new.family.uniqueScope ?? [new.family.tableName]).joined(separator: ".")
        ).literal
        var number = "NULL"
        var keys = identity
        switch new.identity {
        case .none:
            scope = "NULL"
            keys = [row]
        case .rowid:
            if keepsNumbers { keys = [row] }
            number = keys[0]
        case .unique:
            let isEmpty = identity.map { "(\($0)) IS NULL" }.joined(separator: " AND ")
            scope = "CASE WHEN \(isEmpty) THEN NULL ELSE \(scope) END"
            keys[0] = "CASE WHEN \(isEmpty) THEN \(row) ELSE \(identity[0]) END"
        }
        keys += Array(repeating: "NULL", count: keyCount - keys.count)
        let columns =
            [
                "\(row) AS old", "\(SQLValue.text(new.name).literal) AS entity",
                "(\(wasComplete)) AS isObject", "NOT (\(lacksIdentity)) AS stands",
                "\(number) AS number", "\(scope) AS scope",
            ] + keys.enumerated().map { "\($1) AS key\($0)" }
        return "SELECT \(columns.joined(separator: ", ")) FROM \(old.table) AS o WHERE \(isOwn)"
    }
}
