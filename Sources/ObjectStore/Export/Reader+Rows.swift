/// Rows of objects.
extension Reader {
    /// The rows of the objects that a query finds.
    func rows(of query: QueryDescription) throws -> [Int64] {
        let plan = try store.plan.entity(query.entity)
        var compiler = QueryCompiler(entity: plan, in: store.plan)
        let sql = try compiler.select(query, columns: [plan.family.rowidName])
        let statement = try connection.prepare(sql, by: compiler)
        defer { statement.reset() }
        var rows: [Int64] = []
        while try statement.step() { rows.append(statement.integer(at: 0)) }
        return rows
    }

    /// The rows of the objects that a to-many relationship links, in its order; those that are known
    /// by a reference only are left out unless asked for.
    func rows(
        of relationship: String, owner: Int64, entity: String, includingReferences: Bool = false
    ) throws -> [Int64] {
        let plan = try store.plan.entity(entity)
        guard let relationship = plan.toMany.first(where: { $0.name == relationship }) else {
            throw StoreError(
                .unknownEntity, "\(entity) has no relationship \(relationship) in the store's model"
            )
        }
        let links = LinkQuery(relationship, in: store.plan)
        let destination = store.plan.entities[relationship.destination]
        let condition =
            includingReferences ? destination.rowScope("t0") : destination.isRow(.object, "t0")
        let statement = try connection.prepare(
            "SELECT l.\(links.target) FROM \(links.table) AS l CROSS JOIN \(destination.table) AS t0"
                + " ON t0.\(destination.rowid) = l.\(links.target)"
                + " WHERE l.\(links.source) = ?\(condition.map { " AND \($0)" } ?? "") ORDER BY l.\(links.order)"
        )
        statement.bind(owner, at: 1)
        defer { statement.reset() }
        var rows: [Int64] = []
        while try statement.step() { rows.append(statement.integer(at: 0)) }
        if rows.isEmpty { try checkIsThere(owner, of: plan) }
        return rows
    }
}
