/// Objects by the names of their entities.
extension Reader {
    /// The objects that a query finds.
    func records(_ query: QueryDescription) throws -> [Record] {
        let plan = try store.plan.entity(query.entity)
        let layout = RecordLayout(plan, in: store.plan)
        var compiler = QueryCompiler(entity: plan, in: store.plan)
        let sql = try compiler.select(query, columns: layout.columnNames)
        let statement = try connection.prepare(sql, by: compiler)
        defer { statement.reset() }
        var records: [Record] = []
        while try statement.step() {
            records.append(try layout.record(in: statement, of: store))
        }
        return records
    }

    /// The objects in rows, in their order.
    func records(in rows: [Int64], of plan: EntityPlan) throws -> [Record] {
        let layout = RecordLayout(plan, in: store.plan)
        let columns = layout.columnNames.map { "t0.\($0.sqlName)" }.joined(separator: ", ")
        let statement = try connection.prepare(
            "SELECT \(columns) FROM json_each(?) AS row CROSS JOIN \(plan.table) AS t0"
                + " ON t0.\(plan.rowid) = row.value ORDER BY row.key")
        try statement.bind(.text(JSONText.array(rows)), at: 1)
        defer { statement.reset() }
        var records: [Record] = []
        while try statement.step() {
            records.append(try layout.record(in: statement, of: store))
        }
        guard records.count == rows.count else {
            throw StoreError(
                .missingObject, "an object of \(plan.name) is not in the store any more")
        }
        return records
    }

    /// The object of an entity that values identify, in the order of the entity's identity; nil
    /// where there is none, or only a reference to it.
    func record(_ entity: String, id values: [SQLValue]) throws -> Record? {
        let plan = try store.plan.entity(known: entity)
        return try records(QueryDescription(of: plan, id: values)).first
    }
}
