/// The values of an object's columns, as code hands them over.
struct ObjectRow: RowValues {
    let entity: EntityPlan
    /// One for each column, nil for those that are not handed over.
    let values: [SQLValue?]

    init(_ values: [SQLValue?], of entity: EntityPlan) {
        self.entity = entity
        self.values = values
    }

    /// An identity alone, its values in the order of the columns.
    init(identity: [SQLValue], of entity: EntityPlan) {
        var values = [SQLValue?](repeating: nil, count: entity.columnCount)
        for (column, value) in zip(entity.identifying.columns, identity) { values[column] = value }
        self.init(values, of: entity)
    }

    /// The columns that are handed over.
    var named: ColumnSet {
        var named = ColumnSet()
        for (column, value) in values.enumerated() where value != nil { named.insert(column) }
        return named
    }

    var knownRow: Int64? {
        guard case .rowid(let column) = entity.identity, case .integer(let row)? = values[column]
        else { return nil }
        return row
    }

    func isEmpty(_ column: Int) -> Bool { (values[column] ?? .null) == .null }

    func bind(_ columns: ColumnSet, to target: ColumnStatement) throws {
        for (offset, column) in columns.columns.enumerated() {
            try target.statement.bind(
                values[column] ?? .null, at: target.parameter(of: column, at: offset))
        }
    }

    func error(_ refusal: RowRefusal) -> any Error {
        switch refusal {
        case .missingRow: StoreError.missingObject(of: entity)
        case .otherEntity(let other):
            WritingError(entity: entity.name, reason: .otherEntity(other.name))
        case .abstract: WritingError(entity: entity.name, reason: .abstract)
        case .missing(let column, let entity):
            WritingError(
                entity: entity.name, attribute: entity.columnNames[column], reason: .missing)
        case .constraint(let message):
            WritingError(entity: entity.name, reason: .refused(message))
        }
    }
}

extension StoreError {
    /// The error of a change to an object, or by a link to one, that is not in the store.
    static func missingObject(of entity: EntityPlan) -> StoreError {
        StoreError(.missingObject, "an object of \(entity.name) is not in the store")
    }
}
