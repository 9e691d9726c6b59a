/// What other lists have made of a list's objects.
extension Vanishing {
    /// Whether an element of a list is marked, or not linked by the owner whose relationship the list is of, as where
    /// another list has lacked it since.
    ///
    /// What stands within elements is not looked at: nobody has kept of it whether it was named.
    func isUndone(_ objects: ListedObjects) throws -> Bool {
        try completeness.scopes.contains { scope in
            try hasMarked(objects, scope) || lacksLinks(objects, scope)
        }
    }

    private func hasMarked(
        _ objects: ListedObjects, _ scope: Completeness.Scope
    ) throws -> Bool {
        guard let mark = scope.mark else { return false }
        let entity = try plan.entity(scope.entity)
        let names = objects.names(of: entity).rows.sorted()
        guard !names.isEmpty else { return false }
        var query = QueryDescription(entity: entity.name)
        let isListed = QueryExpression.infix(.row(ColumnPath()), "IN", .objects(names, of: []))
        query.condition = .joined(isListed, .and, mark.isMissing.negated)
        return try !context.rows(of: query).isEmpty
    }

    private func lacksLinks(
        _ objects: ListedObjects, _ scope: Completeness.Scope
    ) throws -> Bool {
        guard case .relationship(let name, let owner, let ownerEntity) = scope.objects else {
            return false
        }
        let entity = try plan.entity(ownerEntity)
        let rows = try listedRows(of: scope, in: objects)
        guard !rows.isEmpty, let index = entity.toMany.firstIndex(where: { $0.name == name })
        else { return false }
        // One that has gone is made again by who brings the list; nobody else is.
        guard let owner = try context.row(of: owner, in: entity) else {
            if case .identity = owner { return true } else { return false }
        }
        let isThere = "SELECT 1 FROM \(entity.table) WHERE \(entity.rowid) = ?"
        guard try !context.connection.allRows(isThere, [.integer(owner)]).isEmpty else {
            return false
        }
        let writer = LinkWriter(context: context, entity: entity, index: index, owner: owner)
        let others = writer.others(among: rows)
        guard case .column(let column) = writer.relationship.storage else {
            return try !Set(others).isSubset(of: writer.rows())
        }
        // What another owner has is that one's, by whichever list came last.
        let destination = plan.entities[writer.relationship.destination]
        let select = try context.connection.prepare(
            "SELECT 1 FROM json_each(?) AS l CROSS JOIN \(destination.table) AS t"
                + " ON t.\(destination.rowid) = l.value"
                + " WHERE t.\(destination.columnNames[column].sqlName) IS NULL LIMIT 1")
        try select.bind([.text(JSONText.array(others))])
        defer { select.reset() }
        return try select.step()
    }
}

extension LinkWriter {
    /// The rows that are not the owner's own.
    func others(among rows: [Int64]) -> [Int64] {
        let plan = context.store.plan
        let destination = plan.entities[relationship.destination]
        guard plan.root(of: destination) === plan.root(of: entity) else { return rows }
        return rows.filter { $0 != owner }
    }
}
