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
        return written
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
