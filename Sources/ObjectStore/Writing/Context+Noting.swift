/// What those who write rows have to say of them.
extension Context {
    /// Runs a body that writes objects; nothing is left of it where it throws, or where an object
    /// breaks a rule in the end.
    func writing<Result>(_ body: () throws -> Result) throws -> Result {
        try whole {
            defer { ruled.removeAll() }
            let result = try body()
            try checkRules()
            return result
        }
    }

    /// Notes that the statement which just ran has updated a column of a row.
    func noteUpdate(of row: Int64, in entity: EntityPlan, column: Int) throws {
        var columns = ColumnSet()
        columns.insert(column)
        statements.changes.noteUpdate(of: row, in: entity, columns: columns)
        let concrete = try concrete(row, of: entity)
        count(concrete.name) { $0.updated += 1 }
        expectRules(of: row, as: concrete)
    }

    /// Has the rules of an entity be asked about a row's object before the writing ends.
    func expectRules(of row: Int64, as entity: EntityPlan) {
        if !entity.rules.isEmpty { ruled[entity.index, default: []].insert(row) }
    }

    /// The entity that a row's object is of, which may be below the given one.
    func concrete(_ row: Int64, of entity: EntityPlan) throws -> EntityPlan {
        guard let column = entity.entityColumn else { return entity }
        let find = try connection.prepare(
            "SELECT \(column) FROM \(entity.table) WHERE \(entity.rowid) = ?")
        find.bind(row, at: 1)
        defer { find.reset() }
        return try find.step() ? store.plan.entity(find.text(at: 0)) : entity
    }

    private func checkRules() throws {
        if ruled.isEmpty { return }
        try statements.writeLinks()
        for (index, rows) in ruled.sorted(by: { $0.key < $1.key }) {
            let entity = store.plan.entities[index]
            for rules in entity.rules {
                guard let breach = try rules.breach(among: rows.sorted(), reader) else { continue }
                throw WritingError(entity: entity.name, reason: .rule(breach.rule))
            }
        }
    }
}
