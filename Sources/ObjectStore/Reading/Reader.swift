/// Reads objects over one connection.
struct Reader {
    let connection: Connection
    let store: Store

    func objects<Object: Entity>(_ query: Query<Object>) throws -> [Object] {
        try objects(Object.self, of: query.description)
    }

    func objects<Object: Entity>(
        _ type: Object.Type, of query: QueryDescription
    ) throws -> [Object] {
        try query.checkFindsObjects()
        let layout = try statements(for: type).layout
        var compiler = QueryCompiler(entity: try plan(type), in: store.plan)
        let sql = try compiler.select(query, columns: layout.columnNames)
        let statement = try connection.prepare(sql, by: compiler)
        return try objects(of: statement, layout: layout)
    }

    func count(_ query: QueryDescription) throws -> Int {
        try value(query) { compiler throws(StoreError) in try compiler.count(query) }
    }

    func contains(_ query: QueryDescription) throws -> Bool {
        let found: Int = try value(query) { compiler throws(StoreError) in
            try compiler.exists(query)
        }
        return found != 0
    }

    /// The object that values identify, in the order of the entity's identity; nil where there is
    /// none, or only a reference to it.
    func find<Object: Entity>(_ type: Object.Type, id values: [SQLValue]) throws -> Object? {
        let statements = try statements(for: type)
        if !statements.isIdentity(values) { try plan(type).checkIdentity(values) }
        guard values.contains(where: { $0 != .null }) else { return nil }
        let find = try statements.find()
        defer { find.reset() }
        for (index, value) in values.enumerated() { try find.bind(value, at: Int32(index + 1)) }
        return try object(of: find, layout: statements.layout)
    }

    /// The object in a row.
    func object<Object: Entity>(_ type: Object.Type, row: Int64) throws -> Object {
        guard let object = try find(type, row: row) else { throw try missing(type, row: row) }
        return object
    }

    /// The object in a row, nil where there is none, or only a reference to it.
    func find<Object: Entity>(_ type: Object.Type, row: Int64) throws -> Object? {
        let statements = try statements(for: type)
        let find = try statements.row()
        defer { find.reset() }
        find.bind(row, at: 1)
        return try object(of: find, layout: statements.layout)
    }

    private func object<Object: Entity>(
        of statement: Statement, layout: RowLayout
    ) throws -> Object? {
        guard try statement.step() else { return nil }
        return try Object(
            row: EntityRow(statement: statement.pointer, layout: layout, home: LinkedStore(store)))
    }

    /// The objects in rows, in their order, those left out that are known by a reference only.
    func objects<Object: Entity>(_ type: Object.Type, rows: [Int64]) throws -> [Object] {
        let objects = try presentObjects(type, rows: rows)
        if objects.count < rows.count { try checkAreThere(rows, of: plan(type)) }
        return objects
    }

    /// The same, also without those that are not there any more.
    func presentObjects<Object: Entity>(_ type: Object.Type, rows: [Int64]) throws -> [Object] {
        if let selection = RowSelection(rows),
            let found = try selection.inOrder(objects(type, of: selection))
        {
            return found
        }
        let plan = try plan(type)
        let statements = try statements(for: type)
        let sql =
            "SELECT \(statements.columns) FROM json_each(?) AS row CROSS JOIN \(plan.table) AS t0"
            + " ON t0.\(plan.rowid) = row.value AND \(plan.isRow(.object, "t0"))"
            + " ORDER BY row.key"
        return try objects(sql, [.text(JSONText.array(rows))], layout: statements.layout)
    }

    /// The objects of a selection, in the order of their numbers.
    private func objects<Object: Entity>(
        _ type: Object.Type, of selection: RowSelection
    ) throws -> [Object] {
        let plan = try plan(type)
        let statements = try statements(for: type)
        let (range, row) = (selection.range, "t0.\(plan.rowid)")
        let statement = try connection.prepare(
            "SELECT \(statements.columns) FROM \(plan.table) AS t0 WHERE \(row) "
                + (range == nil ? "IN (SELECT value FROM json_each(?))" : "BETWEEN ? AND ?")
                + " AND \(plan.isRow(.object, "t0")) ORDER BY \(row)")
        if let range {
            statement.bind(range.lowerBound, at: 1)
            statement.bind(range.upperBound, at: 2)
        } else {
            try statement.bind(.text(JSONText.array(selection.numbers)), at: 1)
        }
        return try objects(of: statement, layout: statements.layout, among: selection)
    }

    /// The objects of a to-many relationship, in its order.
    func objects<Object: Entity>(
        _ type: Object.Type, of relationship: String, owner: Int64, entity: String
    ) throws -> [Object] {
        let links = try links(relationship, of: entity)
        let plan = try plan(type)
        let statements = try statements(for: type)
        let sql =
            "SELECT \(statements.columns) FROM \(links.table) AS l"
            + " CROSS JOIN \(plan.table) AS t0 ON t0.\(plan.rowid) = l.\(links.target)"
            + " WHERE l.\(links.source) = ? AND \(plan.isRow(.object, "t0")) ORDER BY \(links.order)"
        let objects: [Object] = try objects(sql, [.integer(owner)], layout: statements.layout)
        if objects.isEmpty { try checkIsThere(owner, of: store.plan.entity(entity)) }
        return objects
    }

    /// Returns the number of objects that a to-many relationship links, also by references.
    func count(of relationship: String, owner: Int64, entity: String) throws -> Int {
        let links = try links(relationship, of: entity)
        let statement = try connection.prepare(
            "SELECT count(*) FROM \(links.table) AS l WHERE l.\(links.source) = ?"
                + (links.rowScope.map { " AND \($0)" } ?? ""))
        statement.bind(owner, at: 1)
        defer { statement.reset() }
        let count = try statement.step() ? Int(statement.integer(at: 0)) : 0
        if count == 0 { try checkIsThere(owner, of: store.plan.entity(entity)) }
        return count
    }

    private func objects<Object: Entity>(
        _ sql: String, _ values: [SQLValue], layout: RowLayout
    ) throws -> [Object] {
        let statement = try connection.prepare(sql)
        try statement.bind(values)
        return try objects(of: statement, layout: layout)
    }

    private func objects<Object: Entity>(
        of statement: Statement, layout: RowLayout, among selection: RowSelection? = nil
    ) throws -> [Object] {
        defer { statement.reset() }
        return try Object.objects(
            in: EntityRows(of: statement, layout: layout, store: store, among: selection))
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

    /// Returns the layout and the statements that the connection keeps for a type.
    private func statements<Object: Entity>(
        for type: Object.Type
    ) throws(StoreError) -> ObjectStatements {
        let key = ObjectIdentifier(type)
        if let kept = connection.kept[key] as? ObjectStatements { return kept }
        let statements = ObjectStatements(
            type, plan: try plan(type), connection: connection)
        connection.kept[key] = statements
        return statements
    }
}
