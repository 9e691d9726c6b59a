/// Values that are read without their objects.
extension Reader {
    /// Returns the value in the first column of a statement's first row.
    func value<Value: AttributeValue>(
        _ description: QueryDescription,
        _ sql: (inout QueryCompiler) throws(StoreError) -> String
    ) throws -> Value {
        var values: [Value] = []
        try rows(description, sql) { row in values.append(try row.next()) }
        guard let value = values.first else {
            throw StoreError(.unexpectedValue, "the statement gave no row")
        }
        return value
    }

    /// Compiles a statement, runs it, and hands over each row.
    func rows(
        _ description: QueryDescription,
        _ sql: (inout QueryCompiler) throws(StoreError) -> String,
        _ body: (inout ValueRow) throws -> Void
    ) throws {
        var compiler = QueryCompiler(
            entity: try store.plan.entity(description.entity), in: store.plan)
        let sql = try sql(&compiler)
        let statement = try connection.prepare(sql, by: compiler)
        defer { statement.reset() }
        while try statement.step() {
            var row = ValueRow(statement: statement.pointer)
            try body(&row)
        }
    }

    /// Some of a query's objects and the cursor behind them.
    func page<Object: Entity>(
        _ query: Query<Object>, size: Int, after cursor: QueryCursor?
    ) throws -> Page<Object> {
        // What the offset leaves out stands before the first page.
        let query =
            cursor.map { cursor in
                query.after(cursor).changed { $0.skippedCount = nil }
            } ?? query
        let given = cursor?.count ?? 0
        let rest = query.description.maximumCount.map { max($0 - given, 0) } ?? .max
        let limit = min(max(size, 1), rest)
        try query.description.checkFindsObjects()
        guard limit > 0 else { return Page(objects: [], next: nil) }
        let plan = try store.plan.entity(Object.entityName)
        let layout = RowLayout(Object.self, plan)
        // One more says whether there is a next page.
        let one = query.limit(limit < rest ? limit + 1 : limit)
        let keys = query.description.sortKeys.map(\.expression)
        var compiler = QueryCompiler(entity: plan, in: store.plan)
        let sql = try compiler.select(
            one.description, columns: layout.columnNames, expressions: keys)
        let statement = try connection.prepare(sql, by: compiler)
        defer { statement.reset() }
        let row = EntityRow(statement: statement.pointer, layout: layout, home: LinkedStore(store))
        var objects: [Object] = []
        var next: QueryCursor?
        while try statement.step() {
            guard objects.count < limit else { return Page(objects: objects, next: next) }
            objects.append(try Object(row: row))
            guard objects.count == limit else { continue }
            let first = Int32(layout.columnNames.count)
            next = QueryCursor(
                values: keys.indices.map { statement.value(at: first + Int32($0)) },
                row: row.row, in: query.description,
                count: given > .max - limit ? .max : given + limit)
        }
        return Page(objects: objects, next: nil)
    }
}
