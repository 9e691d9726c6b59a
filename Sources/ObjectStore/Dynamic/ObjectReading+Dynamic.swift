public import Foundation

extension ObjectReading {
    /// The objects that a query finds.
    ///
    /// - Throws: `StoreError` for a name that the model does not have, `ExpressionError` for a
    ///   mistake in a condition or an order.
    public func fetch(_ query: DynamicQuery) throws -> [DynamicObject] {
        try reader { try $0.records(query.description(in: $0.store.plan)) }
    }

    /// The first object that a query finds, nil where there is none.
    public func first(_ query: DynamicQuery) throws -> DynamicObject? {
        try fetch(query.limit(Swift.min(query.maximumCount ?? 1, 1))).first
    }

    /// The object of an entity with an identity, its values in the order of the entity's identity;
    /// nil where there is none, or where only a reference to it has arrived.
    ///
    ///     let issue = try store.find("Issue", id: 42)
    ///
    /// - Throws: `StoreError` where the model has no such entity, or it is identified by another
    ///   number of values.
    public func find(_ entity: String, id values: any AttributeValue...) throws -> DynamicObject? {
        let values = values.map(\.sqlValue)
        return try reader { try $0.record(entity, id: values) }
    }

    /// Returns the number of objects that a query finds.
    public func count(_ query: DynamicQuery) throws -> Int {
        try reader { reader in
            let description = try query.description(in: reader.store.plan)
            return try reader.value(description) { compiler throws(StoreError) in
                try compiler.count(description)
            }
        }
    }

    /// Whether a query finds an object.
    public func contains(_ query: DynamicQuery) throws -> Bool {
        try count(query.limit(Swift.min(query.maximumCount ?? 1, 1))) > 0
    }

    /// Writes the objects that a query finds as JSON by the model, one after the other: as for
    /// entities that are types.
    ///
    /// - Parameters:
    ///   - query: Which objects, in which order.
    ///   - relationships: What stands for the objects that they are linked to.
    ///   - body: Takes each object's JSON: UTF-8 without a line break.
    /// - Throws: What the body or a transformer throws, `StoreError` or `ExpressionError`.
    public func export(
        _ query: DynamicQuery, relationships: ExportedRelationships = .nested,
        _ body: (Data) throws -> Void
    ) throws {
        try read { snapshot in
            try snapshot.export(
                query.description(in: snapshot.store.plan), relationships: relationships, body)
        }
    }

    /// The objects that a query finds as a JSON array, by the model.
    public func json(
        _ query: DynamicQuery, relationships: ExportedRelationships = .nested
    ) throws -> Data {
        try read { snapshot in
            try snapshot.json(
                query.description(in: snapshot.store.plan), relationships: relationships)
        }
    }
}

/// Objects by the names of their entities.
extension Reader {
    /// The objects that a query finds.
    func records(_ query: QueryDescription) throws -> [DynamicObject] {
        let plan = try store.plan.entity(query.entity)
        let layout = DynamicObjectLayout(plan, in: store.plan)
        var compiler = QueryCompiler(entity: plan, in: store.plan)
        let sql = try compiler.select(query, columns: layout.columnNames)
        let statement = try connection.prepare(sql, by: compiler)
        defer { statement.reset() }
        var records: [DynamicObject] = []
        while try statement.step() {
            records.append(try layout.record(in: statement, of: store))
        }
        return records
    }

    /// The objects in rows, in their order.
    func records(in rows: [Int64], of plan: EntityPlan) throws -> [DynamicObject] {
        let layout = DynamicObjectLayout(plan, in: store.plan)
        let columns = layout.columnNames.map { "t0.\($0.sqlName)" }.joined(separator: ", ")
        let statement = try connection.prepare(
            "SELECT \(columns) FROM json_each(?) AS row CROSS JOIN \(plan.table) AS t0"
                + " ON t0.\(plan.rowid) = row.value ORDER BY row.key")
        try statement.bind(.text(JSONText.array(rows)), at: 1)
        defer { statement.reset() }
        var records: [DynamicObject] = []
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
    func record(_ entity: String, id values: [SQLValue]) throws -> DynamicObject? {
        let plan = try store.plan.entity(known: entity)
        return try records(QueryDescription(of: plan, id: values)).first
    }
}
