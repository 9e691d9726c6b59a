/// The layout and prepared statements that one connection keeps to read objects of one type.
final class ObjectStatements {
    let layout: RowLayout
    /// The columns as a query of the table `t0` selects them.
    let columns: String
    private let plan: EntityPlan
    /// The types of the attributes that identify an object.
    private let identity: [AttributeType]
    /// Unowned because the connection keeps this: it would never be closed otherwise.
    private unowned let connection: Connection
    private var preparedFind: Statement?
    private var preparedRow: Statement?

    init<Object: Entity>(_ type: Object.Type, plan: EntityPlan, connection: Connection) {
        layout = RowLayout(type, plan)
        columns = layout.columnNames.map { "t0.\($0.sqlName)" }.joined(separator: ", ")
        identity = plan.description.identity.compactMap {
            plan.description.attribute(named: $0)?.type
        }
        self.plan = plan
        self.connection = connection
    }

    /// Whether values, in the order of the identity, can identify an object.
    func isIdentity(_ values: [SQLValue]) -> Bool {
        !values.isEmpty && values.count == identity.count
            && zip(identity, values).allSatisfy { $0.keeps($1) }
    }

    /// Selects the object that the values in the parameters identify, unless it is known by a
    /// reference only.
    func find() throws(StoreError) -> Statement {
        if let preparedFind, !preparedFind.isBusy { return preparedFind }
        let identity = plan.description.identity.map { name in
            let isOptional = plan.description.attribute(named: name)?.isOptional ?? false
            return "t0.\(name.sqlName) \(isOptional ? "IS" : "=") ?"
        }
        let scopes = [plan.identityScope("t0"), plan.isRow(.object, "t0")].compactMap(\.self)
        let statement = try Statement(
            "SELECT \(columns) FROM \(plan.table) AS t0 WHERE "
                + (identity + scopes).joined(separator: " AND "),
            on: connection)
        preparedFind = statement
        return statement
    }

    /// Selects the object in the row of the parameter, unless that is a reference.
    func row() throws(StoreError) -> Statement {
        if let preparedRow, !preparedRow.isBusy { return preparedRow }
        let statement = try Statement(
            "SELECT \(columns) FROM \(plan.table) AS t0 WHERE t0.\(plan.rowid) = ?"
                + " AND \(plan.isRow(.object, "t0"))",
            on: connection)
        preparedRow = statement
        return statement
    }
}
