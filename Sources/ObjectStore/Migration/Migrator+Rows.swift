extension Migrator {
    /// Works out the new numbers of rows whose numbers change, and which rows go.
    ///
    /// Of several that become one, objects stay before references, the last stored before others.
    func numberRows() throws {
        for root in new.roots {
            let copies = copies(into: root)
            guard let first = copies.first else { continue }
            let removed = try removedEntities(among: copies)
            guard try !removed.isEmpty || copies.contains(where: changesNumbers) else { continue }
            let keyCount = copies.reduce(1) { max($0, $1.match.new.identity.count) }
            let keys = (0..<keyCount).map { "key\($0)" }.joined(separator: ", ")
            var rows = copies.map { $0.numbering(keyCount: keyCount) }
            for entity in removed {
                rows.append(
                    "SELECT o.\(entity.rowid), NULL, FALSE, FALSE, NULL, NULL"
                        + String(repeating: ", NULL", count: keyCount)
                        + " FROM \(entity.table) AS o WHERE \(entity.ownScope("o") ?? "TRUE")")
            }
            try createTemporarily(
                first.mapName,
                "old INTEGER PRIMARY KEY, new INTEGER, stays INTEGER, isObject INTEGER, entity TEXT,"
                    + " was TEXT"
            )
            try connection.execute(
                """
                INSERT INTO \(first.mapName)
                SELECT old, iif(stands, coalesce(number, last), NULL), stands AND old = last,
                  isObject, lastEntity, entity
                FROM (
                  SELECT *, first_value(old) OVER same AS last,
                    first_value(entity) OVER same AS lastEntity
                  FROM (\(rows.joined(separator: " UNION ALL ")))
                  WINDOW same AS (PARTITION BY stands, scope, \(keys) ORDER BY isObject DESC, old DESC)
                )
                """)
            renumbered.insert(root.name)
        }
    }

    /// The new number of the row that an expression gives the old number of; `NULL` where none of an
    /// entity is left of it.
    func newRow(_ expression: String, of entity: String) -> String {
        // Perhaps a parent that only the new model has.
        guard let family = (try? new.entity(entity))?.family, renumbered.contains(family.tableName)
        else { return expression }
        return "(SELECT new FROM \(EntityCopy.mapName(of: family)) WHERE old = \(expression)"
            + (family.rowNames.map { " AND entity IN \($0.sqlList)" } ?? "") + ")"
    }

    /// Whether rows of an entity get other numbers, become one with others, or go.
    private func changesNumbers(_ copy: EntityCopy) throws -> Bool {
        if !copy.keepsNumbers || copy.match.mayMerge { return true }
        guard copy.match.mayLackIdentity else { return false }
        return try connection.number(
            "SELECT EXISTS (SELECT 1 FROM \(copy.old.table) AS o"
                + " WHERE \(copy.isOwn) AND (\(copy.lacksIdentity)))") > 0
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
