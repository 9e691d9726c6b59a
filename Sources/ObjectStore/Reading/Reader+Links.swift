/// Objects of to-many relationships, read for many owners together.
extension Reader {
    /// The objects that a to-many relationship links, by the row of their owner, in its order.
    ///
    /// Objects that are known by a reference only are left out.
    func objects<Object: Entity>(
        _ type: Object.Type, of relationship: String, owners: [Int64], entity: String
    ) throws -> [Int64: [Object]] {
        let plan = try store.plan.entity(entity)
        guard let relationship = plan.toMany.first(where: { $0.name == relationship }) else {
            throw StoreError(
                .unknownEntity, "\(entity) has no relationship \(relationship) in the store's model"
            )
        }
        let links = LinkQuery(relationship, in: store.plan)
        let statement = try connection.prepare(
            "SELECT l.\(links.source), l.\(links.target) FROM json_each(?) AS owner"
                + " CROSS JOIN \(links.table) AS l ON l.\(links.source) = owner.value"
                + " ORDER BY owner.key, l.\(links.order)")
        try statement.bind(.text(JSONText.array(Set(owners).sorted())), at: 1)
        defer { statement.reset() }
        var rows: [(owner: Int64, row: Int64)] = []
        while try statement.step() {
            rows.append((statement.integer(at: 0), statement.integer(at: 1)))
        }
        let objects = try completeObjects(type, rows: Set(rows.map(\.row)).sorted())
        var linked: [Int64: [Object]] = [:]
        for (owner, row) in rows {
            if let object = objects[row] { linked[owner, default: []].append(object) }
        }
        return linked
    }

    /// The objects in rows that hold more than a reference.
    func completeObjects<Object: Entity>(
        _ type: Object.Type, rows: [Int64]
    ) throws -> [Int64: Object] {
        let plan = try store.plan.entity(type.entityName)
        let layout = RowLayout(type, plan)
        let columns = layout.columnNames.map { "t0.\($0.sqlName)" }.joined(separator: ", ")
        let statement = try connection.prepare(
            "SELECT \(columns) FROM json_each(?) AS row CROSS JOIN \(plan.table) AS t0"
                + " ON t0.\(plan.rowid) = row.value AND \(plan.isRow(.object, "t0"))")
        try statement.bind(.text(JSONText.array(rows)), at: 1)
        defer { statement.reset() }
        let row = Row(statement: statement.pointer, layout: layout, store: store)
        var objects: [Int64: Object] = [:]
        while try statement.step() { objects[row.row] = try Object(row: row) }
        return objects
    }
}
