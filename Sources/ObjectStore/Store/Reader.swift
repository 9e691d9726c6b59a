/// Reads objects over one connection.
struct Reader {
    let connection: Connection
    let store: Store

    func objects<Object: Entity>(_ query: Query<Object>) throws -> [Object] {
        let layout = RowLayout(Object.entityDescription)
        var compiler = QueryCompiler(entity: try plan(Object.self), in: store.plan)
        let sql = try compiler.select(query, columns: layout.columnNames)
        return try objects(sql, compiler.values, layout: layout)
    }

    func count<Object: Entity>(_ query: Query<Object>) throws -> Int {
        var compiler = QueryCompiler(entity: try plan(Object.self), in: store.plan)
        let statement = try connection.prepare(try compiler.count(query))
        try statement.bind(compiler.values)
        defer { statement.reset() }
        return try statement.step() ? Int(statement.integer(at: 0)) : 0
    }

    /// The object in a row.
    func object<Object: Entity>(_ type: Object.Type, row: Int64) throws -> Object {
        let plan = try plan(type)
        let layout = RowLayout(type.entityDescription)
        let sql =
            "SELECT \(columns(of: layout)) FROM \(plan.table) AS t0 WHERE t0.\(plan.rowid) = ?"
        let objects: [Object] = try objects(sql, [.integer(row)], layout: layout)
        guard let object = objects.first else { throw missing(type) }
        return object
    }

    /// The objects in rows, in their order.
    func objects<Object: Entity>(_ type: Object.Type, rows: [Int64]) throws -> [Object] {
        let plan = try plan(type)
        let layout = RowLayout(type.entityDescription)
        let sql =
            "SELECT \(columns(of: layout)) FROM json_each(?) AS row CROSS JOIN \(plan.table) AS t0"
            + " ON t0.\(plan.rowid) = row.value ORDER BY row.key"
        let objects: [Object] = try objects(sql, [.text(JSONText.array(rows))], layout: layout)
        guard objects.count == rows.count else { throw missing(type) }
        return objects
    }

    /// The objects of a to-many relationship, in its order.
    func objects<Object: Entity>(
        _ type: Object.Type, of relationship: String, owner: Int64, entity: String
    ) throws -> [Object] {
        let links = try links(relationship, of: entity)
        let plan = try plan(type)
        let layout = RowLayout(type.entityDescription)
        let isComplete = plan.completenessColumns.map {
            " AND t0.\(plan.columnNames[$0].sqlName) IS NOT NULL"
        }
        let sql =
            "SELECT \(columns(of: layout)) FROM \(links.table) AS l"
            + " CROSS JOIN \(plan.table) AS t0 ON t0.\(plan.rowid) = l.\(links.target)"
            + " WHERE l.\(links.source) = ?\(isComplete.joined()) ORDER BY l.\(links.order)"
        return try objects(sql, [.integer(owner)], layout: layout)
    }

    /// How many objects a to-many relationship links.
    func count(of relationship: String, owner: Int64, entity: String) throws -> Int {
        let links = try links(relationship, of: entity)
        let statement = try connection.prepare(
            "SELECT count(*) FROM \(links.table) AS l WHERE l.\(links.source) = ?")
        statement.bind(owner, at: 1)
        defer { statement.reset() }
        return try statement.step() ? Int(statement.integer(at: 0)) : 0
    }

    private func objects<Object: Entity>(
        _ sql: String, _ values: [SQLValue], layout: RowLayout
    ) throws -> [Object] {
        let statement = try connection.prepare(sql)
        try statement.bind(values)
        defer { statement.reset() }
        let row = Row(statement: statement.pointer, layout: layout, store: store)
        var objects: [Object] = []
        while try statement.step() { objects.append(try Object(row: row)) }
        return objects
    }

    private func plan<Object: Entity>(_ type: Object.Type) throws(StoreError) -> EntityPlan {
        try store.plan.entity(type.entityName)
    }

    private func links(_ relationship: String, of entity: String) throws(StoreError) -> LinkQuery {
        let plan = try store.plan.entity(entity)
        guard let relationship = plan.toMany.first(where: { $0.name == relationship }) else {
            throw StoreError(
                .unknownEntity, "\(entity) has no relationship \(relationship) in the store's model"
            )
        }
        return LinkQuery(relationship, in: store.plan)
    }

    private func columns(of layout: RowLayout) -> String {
        layout.columnNames.map { "t0.\($0.sqlName)" }.joined(separator: ", ")
    }

    private func missing<Object: Entity>(_ type: Object.Type) -> StoreError {
        StoreError(.missingObject, "an object of \(type.entityName) is not in the store any more")
    }
}
