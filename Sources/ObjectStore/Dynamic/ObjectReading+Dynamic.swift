extension DynamicQuery: ObjectQuery {
    /// The query as a store asks it.
    ///
    /// - Throws: `StoreError` for a name that the model does not have, `ExpressionError` for a
    ///   mistake in a condition or an order.
    public func description(in store: Store) throws -> QueryDescription {
        try description(in: store.plan)
    }

    /// Reads the objects that a query finds.
    public static func fetch(
        _ query: QueryDescription, in snapshot: Snapshot
    ) throws -> [DynamicObject] {
        try snapshot.reader.dynamicObjects(query)
    }
}

extension ObjectReading {
    /// The object of an entity with an identity, its values in the order of the entity's identity;
    /// nil where there is none, or where only a reference to it has arrived.
    ///
    ///     let issue = try store.find("Issue", id: 42)
    ///
    /// - Throws: `StoreError` where the model has no such entity, or it is identified by another
    ///   number of values.
    public func find(_ entity: String, id values: any AttributeValue...) throws -> DynamicObject? {
        let values = values.map(\.keptValue)
        return try reading { try $0.reader.dynamicObject(entity, id: values) }
    }
}

/// Objects by the names of their entities.
extension Reader {
    /// The objects that a query finds.
    func dynamicObjects(_ query: QueryDescription) throws -> [DynamicObject] {
        let plan = try store.plan.entity(query.entity)
        let layout = DynamicObjectLayout(plan, in: store.plan)
        var compiler = QueryCompiler(entity: plan, in: store.plan)
        let sql = try compiler.select(query, columns: layout.columnNames)
        let statement = try connection.prepare(sql, by: compiler)
        defer { statement.reset() }
        var objects: [DynamicObject] = []
        while try statement.step() {
            objects.append(try layout.object(in: statement, of: store))
        }
        return objects
    }

    /// The objects in rows, in their order.
    func dynamicObjects(in rows: [Int64], of plan: EntityPlan) throws -> [DynamicObject] {
        let layout = DynamicObjectLayout(plan, in: store.plan)
        let columns = layout.columnNames.map { "t0.\($0.sqlName)" }.joined(separator: ", ")
        let statement = try connection.prepare(
            "SELECT \(columns) FROM json_each(?) AS row CROSS JOIN \(plan.table) AS t0"
                + " ON t0.\(plan.rowid) = row.value ORDER BY row.key")
        try statement.bind(.text(JSONText.array(rows)), at: 1)
        defer { statement.reset() }
        var objects: [DynamicObject] = []
        while try statement.step() {
            objects.append(try layout.object(in: statement, of: store))
        }
        guard objects.count == rows.count else {
            throw StoreError(
                .missingObject, "an object of \(plan.name) is not in the store any more")
        }
        return objects
    }

    /// The object of an entity that values identify, in the order of the entity's identity; nil
    /// where there is none, or only a reference to it.
    func dynamicObject(_ entity: String, id values: [SQLValue]) throws -> DynamicObject? {
        let plan = try store.plan.entity(known: entity)
        return try dynamicObjects(QueryDescription(of: plan, id: values)).first
    }
}
