/// What other lists have made of a list's objects.
extension Vanishing {
    /// Whether an element of a list is marked, or not linked by the owner whose relationship the list is of, or in
    /// another order, as where another list has lacked it since, or has given it to another owner.
    ///
    /// What stands within elements is not looked at: nobody has kept of it whether it was named.
    ///
    /// - Parameter wholeScopes: Those that the list says the order of, as bits by their numbers.
    func isUndone(_ objects: ListedObjects, inOrderOf wholeScopes: UInt64) throws -> Bool {
        try completeness.scopes.enumerated().contains { index, scope in
            let isInOrder = wholeScopes & 1 << UInt64(index) != 0
            return try hasMarked(objects, scope)
                || lacksLinks(objects, scope, isInOrder: isInOrder)
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
        _ objects: ListedObjects, _ scope: Completeness.Scope, isInOrder: Bool
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
        if case .column = writer.relationship.storage, isContested(name, of: ownerEntity) {
            return false
        }
        let linked = try writer.rows()
        guard isInOrder, writer.isOrdered else { return !Set(others).isSubset(of: linked) }
        // What is linked besides is behind those that the list has.
        return !writer.others(among: linked).starts(with: others)
    }

    /// Whether one list is that of several owners, of which an object can have but one: they are never all as it says.
    private func isContested(_ relationship: String, of entity: String) -> Bool {
        completeness.scopes.count { scope in
            if case .relationship(relationship, _, entity) = scope.objects { true } else { false }
        } > 1
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
