/// The mark that tells objects from references: rows that hold an identity and wait for the rest.
extension EntityPlan {
    /// The column that is empty in the row of an object, and not in that of a reference; no property
    /// can have its name.
    static let referenceColumn = "$reference"

    /// The number that stands for the column in sets of columns, which no other has.
    static let referenceNumber = EntityDescription.maximumColumnCount

    /// The SQL of the column's value in the row of a reference.
    static let referenceMark = "1"

    /// The two kinds of rows in a table of objects.
    enum RowKind {
        case object
        case reference
    }

    /// The condition that the row at an alias is what it is said to be, whichever entity of the table
    /// it is of.
    static func isMarked(_ kind: RowKind, _ alias: String) -> String {
        "\(alias).\(referenceColumn.sqlName) IS \(kind == .object ? "NULL" : "NOT NULL")"
    }

    /// The conditions that a row at an alias is an object of this entity or of one below it, or a
    /// reference to one.
    func isRow(_ kind: RowKind = .object, _ alias: String) -> String {
        let scope = kind == .object ? scope(alias) : rowScope(alias)
        let mark = Self.isMarked(kind, alias)
        return scope.map { "\(mark) AND \($0)" } ?? mark
    }

    /// Whether JSON of a kind may be a bare identity: numbers and strings, whatever identifies the
    /// entity, `true` and `false` where that is a truth value.
    func mayBeReferred(to kind: JSONNodeKind) -> Bool {
        switch kind {
        case .object, .array, .null: false
        case .true, .false:
            referringColumn.map { description.attributes[$0].type == .boolean } ?? false
        default: true
        }
    }

    /// Whether an object that names these columns says all that is required, so that it is no
    /// reference any more.
    func completes(_ columns: ColumnSet) -> Bool { columns.isSuperset(of: requiredRest) }

    /// The columns that are written along with those of an object.
    func written(_ columns: ColumnSet) -> ColumnSet {
        guard completes(columns) else { return columns }
        var written = columns
        written.insert(Self.referenceNumber)
        written.formUnion(defaultColumns)
        return written
    }
}

/// Attributes' defaults, which a reference gets where it becomes an object: those of that day.
extension EntityPlan {
    /// The assignments by which a row that is made an object gets the defaults of columns that are
    /// not named, where it has been a reference and they are empty.
    ///
    /// What an earlier document had as null of a mere reference gets them, too, as it is not told
    /// apart.
    ///
    /// - Parameter row: What stands before a column's name, such as `t0.`.
    func fillings(besides columns: ColumnSet, of row: String = "") -> [String] {
        defaults.filter { !columns.contains($0.column) }.map {
            "\(columnNames[$0.column].sqlName) = \(filled($0.column, by: $0.literal, of: row))"
        }
    }

    /// The value of a column in a row that is made an object, whose JSON does not name it.
    func filled(_ column: Int, by literal: String, of row: String = "") -> String {
        let value = "\(row)\(columnNames[column].sqlName)"
        return "iif(\(row)\(Self.referenceColumn.sqlName) IS NULL, \(value),"
            + " coalesce(\(value), \(literal)))"
    }

    /// The statement that gives the entity's own objects the defaults of what they must have; nil
    /// where there are none.
    ///
    /// - Parameter tellsReferences: Whether the table says which rows are references.
    func repair(tellsReferences: Bool = true) -> String? {
        let values = defaults.filter { !columns[$0.column].isOptional }
            .map { (name: columnNames[$0.column].sqlName, literal: $0.literal) }
        guard !values.isEmpty else { return nil }
        let assignments = values.map { "\($0.name) = coalesce(t.\($0.name), \($0.literal))" }
        let isEmpty = values.map { "t.\($0.name) IS NULL" }
        return "UPDATE \(table) AS t SET \(assignments.joined(separator: ", "))"
            + " WHERE \(isOwnObject("t", tellsReferences: tellsReferences))"
            + " AND (\(isEmpty.joined(separator: " OR ")))"
    }

    /// The condition that a row is an object of this entity, and of none below it.
    ///
    /// - Parameter tellsReferences: Whether the table says which rows are references, as older ones
    ///   did not.
    func isOwnObject(_ alias: String, tellsReferences: Bool = true) -> String {
        let isOwn = ownScope(alias) ?? "TRUE"
        if tellsReferences { return "\(isOwn) AND \(Self.isMarked(.object, alias))" }
        if description.isAbstract { return "FALSE" }
        let columns = requiredRest.columns.map {
            "\(alias).\(columnNames[$0].sqlName) IS NOT NULL"
        }
        return ([isOwn] + columns).joined(separator: " AND ")
    }
}

/// The state of a row as to what its entity requires.
struct RowStanding {
    /// Whether it is a reference.
    var isReference: Bool
    /// The first required column that is empty.
    let missing: Int?
    /// Whether it has just been made an object.
    var isCompleted = false
}

extension EntityPlan {
    /// Throws where values, in the order of the entity's identity, can't identify an object of it.
    func checkIdentity(_ values: [SQLValue]) throws(StoreError) {
        let identity = description.identity
        guard values.count == identity.count, !values.isEmpty else {
            throw StoreError(
                .unexpectedValue,
                "\(name) is identified by \(identity.count) values, not by \(values.count)")
        }
        for (attribute, value) in zip(identity, values) {
            guard let type = description.attribute(named: attribute)?.type, !type.keeps(value)
            else { continue }
            throw StoreError(
                .unexpectedValue,
                "\(name) is identified by \(attribute): expected \(type.plainName)")
        }
    }
}
