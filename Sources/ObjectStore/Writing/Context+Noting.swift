/// The notes that those who write rows make of them.
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

    /// Has a to-one column of a row lead to another row, or to none, and notes what that means.
    func point(_ column: Int, of row: Int64, in entity: EntityPlan, to target: Int64?) throws {
        guard try rows.point(column, of: row, in: entity, to: target) else { return }
        let concrete = try rows.entity(of: row, as: entity)
        count(concrete.name) { $0.updated += 1 }
        expectRules(of: row, as: concrete)
    }

    /// Has the rules of an entity be asked about a row's object before the writing ends.
    func expectRules(of row: Int64, as entity: EntityPlan) {
        if !entity.rules.isEmpty { ruled[entity.index, default: []].insert(row) }
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
