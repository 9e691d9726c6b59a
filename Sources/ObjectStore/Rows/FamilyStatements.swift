/// The statements for one entity of several that share a table.
///
/// Which entity a row's object is of must be known before it is written, so that rows are looked for
/// first, and then inserted or updated.
final class FamilyStatements {
    private let plan: EntityPlan
    private let connection: Connection
    /// Nil where what identifies an object is its row's number.
    private let numbers: RowNumbers?
    private let root: Int
    private var inserts = ColumnSetCache<Statement>()
    private var generalInsert: Statement?
    private var preparedFind: Statement?

    init(plan: EntityPlan, connection: Connection, numbers: RowNumbers) {
        self.plan = plan
        self.connection = connection
        self.numbers = plan.hasOwnNumbers ? numbers : nil
        root = plan.family.members[0]
    }

    /// Finds the row of the identity in the parameters, and the name of its object's entity.
    func find() throws(StoreError) -> Statement {
        if let preparedFind { return preparedFind }
        var conditions = plan.identifying.columns.map {
            "\(name($0)) \(plan.columns[$0].isOptional ? "IS" : "=") ?"
        }
        if let scope = plan.identityScope(plan.table) { conditions.append(scope) }
        let statement = try Statement(
            "SELECT \(plan.rowid), \(entityColumn) FROM \(plan.table)"
                + " WHERE \(conditions.joined(separator: " AND ")) LIMIT 1",
            on: connection)
        preparedFind = statement
        return statement
    }

    /// Inserts an object of these columns, with the entity's defaults for others, or a reference.
    func insert(
        _ columns: ColumnSet, asReference isReference: Bool = false
    ) throws(StoreError) -> ColumnStatement {
        if let number = try numbers?.next(in: root) {
            return try generalInsert(columns, number: number, asReference: isReference)
        }
        var key = columns
        if isReference { key.insert(EntityPlan.referenceNumber) }
        let prepared = try inserts.value(for: key) { () throws(StoreError) in
            try Statement(insertSQL(columns, asReference: isReference), on: connection)
        }
        if let prepared { return ColumnStatement(named: prepared) }
        return try generalInsert(columns, number: nil, asReference: isReference)
    }

    private func insertSQL(_ columns: ColumnSet, asReference isReference: Bool) -> String {
        // The table has defaults of its own for what the whole family has.
        let others = (isReference ? plan.defaults : plan.insertedDefaults)
            .filter { !columns.contains($0.column) }
        var names = columns.columns.map(name) + others.map { name($0.column) }
        var values =
            columns.columns.map { _ in "?" } + others.map { isReference ? "NULL" : $0.literal }
        if isReference {
            names.append(reference)
            values.append(EntityPlan.referenceMark)
        }
        return "INSERT INTO \(plan.table) (\(([entityColumn] + names).joined(separator: ", ")))"
            + " VALUES (\(([entityName] + values).joined(separator: ", ")))"
    }

    /// Inserts an object of any columns, where these are too seldom to have a statement of their own
    /// or the row must have a number.
    private func generalInsert(
        _ columns: ColumnSet, number: Int64?, asReference isReference: Bool
    ) throws(StoreError) -> ColumnStatement {
        let statement: Statement
        if let generalInsert {
            statement = generalInsert
        } else {
            statement = try Statement(generalInsertSQL, on: connection)
        }
        generalInsert = statement
        statement.clear()
        if isReference {
            statement.bind(Int64(1), at: Int32(plan.columnCount + 1))
        } else {
            try plan.bindDefaults(besides: columns, to: statement)
        }
        if let number { statement.bind(number, at: Int32(plan.columnCount + 2)) }
        return ColumnStatement(general: statement, rowParameter: 0)
    }

    private var generalInsertSQL: String {
        var names = plan.columnNames.map(\.sqlName) + [reference]
        if plan.hasOwnNumbers { names.append(plan.rowid) }
        let values = names.indices.map { "?\($0 + 1)" }
        return "INSERT INTO \(plan.table) (\((names + [entityColumn]).joined(separator: ", ")))"
            + " VALUES (\((values + [entityName]).joined(separator: ", ")))"
    }

    /// Makes a reference one to an object of this entity, which it is already where the identity is
    /// all that there is to one.
    func settle() throws(StoreError) -> Statement {
        var assignments = ["\(entityColumn) = \(entityName)"]
        if plan.isWholeByIdentity {
            assignments.append("\(reference) = NULL")
            assignments += plan.fillings(besides: [])
        }
        return try connection.prepare(
            "UPDATE \(plan.table) SET \(assignments.joined(separator: ", "))"
                + " WHERE \(plan.rowid) = ?")
    }

    private func name(_ column: Int) -> String { plan.columnNames[column].sqlName }

    private var reference: String { EntityPlan.referenceColumn.sqlName }

    private var entityColumn: String { EntityFamily.entityColumn.sqlName }

    private var entityName: String { SQLValue.text(plan.name).literal }
}
