/// The statements for one entity of several that share a table.
///
/// Which entity a row's object is of must be known before it is written, so that rows are looked for
/// first, and then inserted or updated.
final class FamilyStatements {
    private let plan: EntityPlan
    private let connection: Connection
    private var inserts: [Insertion: Statement] = [:]
    private var preparedFind: Statement?

    init(plan: EntityPlan, connection: Connection) {
        self.plan = plan
        self.connection = connection
    }

    /// Finds the row of the identity in the parameters, and the name of its object's entity.
    func find() throws(StoreError) -> Statement {
        if let preparedFind { return preparedFind }
        var conditions = plan.identifying.columns.map {
            "\(name($0)) \(plan.columns[$0].isOptional ? "IS" : "=") ?"
        }
        if let scope = plan.family.identityScope {
            conditions.append("\(entityColumn) IN \(scope.sqlList)")
        }
        let statement = try Statement(
            "SELECT \(plan.rowid), \(entityColumn) FROM \(plan.table)"
                + " WHERE \(conditions.joined(separator: " AND ")) LIMIT 1",
            on: connection)
        preparedFind = statement
        return statement
    }

    private struct Insertion: Hashable {
        let columns: ColumnSet
        let isReference: Bool
    }

    /// Inserts an object of these columns, or a reference, with the entity's defaults for others.
    func insert(
        _ columns: ColumnSet, asReference isReference: Bool = false
    ) throws(StoreError) -> Statement {
        let insertion = Insertion(columns: columns, isReference: isReference)
        if let prepared = inserts[insertion] { return prepared }
        let defaults = plan.insertedDefaults.filter { !columns.contains($0.column) }
        var names = columns.columns.map(name) + defaults.map { name($0.column) }
        var values = columns.columns.map { _ in "?" } + defaults.map(\.literal)
        if isReference {
            names.append(EntityPlan.referenceColumn.sqlName)
            values.append(EntityPlan.referenceMark)
        }
        let statement = try Statement(
            "INSERT INTO \(plan.table) (\(([entityColumn] + names).joined(separator: ", ")))"
                + " VALUES (\(([entityName] + values).joined(separator: ", ")))",
            on: connection)
        inserts[insertion] = statement
        return statement
    }

    /// Makes a row's object one of this entity, with the entity's defaults.
    func settle() throws(StoreError) -> Statement {
        let defaults = plan.insertedDefaults.map {
            "\(name($0.column)) = coalesce(\(name($0.column)), \($0.literal))"
        }
        return try connection.prepare(
            "UPDATE \(plan.table) SET "
                + (["\(entityColumn) = \(entityName)"] + defaults).joined(separator: ", ")
                + " WHERE \(plan.rowid) = ?")
    }

    private func name(_ column: Int) -> String { plan.columnNames[column].sqlName }

    private var entityColumn: String { EntityFamily.entityColumn.sqlName }

    private var entityName: String { SQLValue.text(plan.name).literal }
}
