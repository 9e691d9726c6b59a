extension Migrator {
    /// Works out the new numbers of rows whose numbers change, and which rows go.
    func numberRows() throws {
        for root in new.roots {
            let copies = copies(into: root)
            guard let first = copies.first else { continue }
            var isNeeded = false
            var rows = copies.map { copy in
                let row = copy.newRow(mayMerge: mayMerge(copy))
                if row != nil { isNeeded = true }
                return "SELECT \(copy.row) AS old, \(row ?? copy.row) AS new"
                    + " FROM \(copy.old.table) AS o WHERE \(copy.isOwn)"
            }
            for entity in try removedEntities(among: copies) {
                isNeeded = true
                rows.append(
                    "SELECT o.\(entity.rowid), NULL FROM \(entity.table) AS o"
                        + " WHERE \(entity.ownScope("o") ?? "TRUE")")
            }
            guard isNeeded else { continue }
            try createTemporarily(
                first.mapName, "old INTEGER PRIMARY KEY, new INTEGER, stays INTEGER")
            try connection.execute(
                """
                INSERT INTO \(first.mapName)
                SELECT old, new, new IS NOT NULL AND old = max(old) OVER (PARTITION BY new)
                FROM (\(rows.joined(separator: " UNION ALL ")))
                """)
            renumbered.insert(root.name)
        }
    }

    /// The new number of the row that an expression gives the old number of.
    func newRow(_ expression: String, of entity: String) -> String {
        guard let copy = copies[entity], renumbered.contains(copy.new.family.tableName) else {
            return expression
        }
        return "(SELECT new FROM \(copy.mapName) WHERE old = \(expression))"
    }

    /// Whether several old objects can be one under the new identity.
    private func mayMerge(_ copy: EntityCopy) -> Bool {
        ([copy.new.index] + copy.new.family.ancestors).contains { index in
            plan.possibleLosses.contains(
                MigrationLoss(.entity(new.entities[index].name), .duplicate))
        }
    }

    /// The entities that have objects in the old table of others and that the new model does not
    /// have there any more.
    private func removedEntities(among copies: [EntityCopy]) throws -> [EntityPlan] {
        guard let first = copies.first else { return [] }
        let kept = Set(self.copies.values.map(\.old.index))
        return try old.members(beside: first.old).filter { entity in
            guard !kept.contains(entity.index) else { return false }
            return try connection.number(
                "SELECT EXISTS (SELECT 1 FROM \(entity.table) AS o"
                    + " WHERE \(entity.ownScope("o") ?? "TRUE"))") > 0
        }
    }
}
