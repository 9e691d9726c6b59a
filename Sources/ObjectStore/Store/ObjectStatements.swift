/// What one connection keeps for reading objects of one type: layout and prepared statements.
final class ObjectStatements {
    let layout: RowLayout
    /// The columns as a query of the table `t0` selects them.
    let columns: String
    private let plan: EntityPlan
    /// Unowned because the connection keeps this: it would never be closed otherwise.
    private unowned let connection: Connection
    private var preparedFind: Statement?
    private var preparedRow: Statement?

    init<Object: Entity>(_ type: Object.Type, plan: EntityPlan, connection: Connection) {
        layout = RowLayout(type, plan)
        columns = layout.columnNames.map { "t0.\($0.sqlName)" }.joined(separator: ", ")
        self.plan = plan
        self.connection = connection
    }

    /// How many values identify an object.
    var identityCount: Int { plan.description.identity.count }

    /// Selects the object that the values in the parameters identify, unless it is known by a
    /// reference only.
    func find() throws(StoreError) -> Statement {
        if let preparedFind, !preparedFind.isBusy { return preparedFind }
        let identity = plan.description.identity.map { name in
            let isOptional = plan.description.attribute(named: name)?.isOptional ?? false
            return "t0.\(name.sqlName) \(isOptional ? "IS" : "=") ?"
        }
        let statement = try Statement(
            "SELECT \(columns) FROM \(plan.table) AS t0 WHERE "
                + (identity + [plan.isRow(.object, "t0")]).joined(separator: " AND "),
            on: connection)
        preparedFind = statement
        return statement
    }

    /// Selects the object in the row of the parameter, unless that is a reference.
    func row() throws(StoreError) -> Statement {
        if let preparedRow, !preparedRow.isBusy { return preparedRow }
        let statement = try Statement(
            "SELECT \(columns) FROM \(plan.table) AS t0 WHERE t0.\(plan.rowid) = ?"
                + " AND \(EntityPlan.isMarked(.object, "t0"))",
            on: connection)
        preparedRow = statement
        return statement
    }
}
