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

    /// The new number of the row that an expression gives the old number of; `NULL` where no object of
    /// an entity is left of it.
    func newRow(_ expression: String, of entity: String) -> String {
        guard let family = (try? new.entity(entity))?.family else { return expression }
        if renumbered.contains(family.tableName) {
            return "(SELECT new FROM \(EntityCopy.mapName(of: family)) WHERE old = \(expression)"
                + (family.rowNames.map { " AND entity IN \($0.sqlList)" } ?? "") + ")"
        }
        let copies = copies.values.filter { $0.new.family.tableName == family.tableName }
        guard let names = family.rowNames, let table = copies.first?.old,
            let column = table.entityColumn
        else { return expression }
        let former = copies.filter { names.contains($0.new.name) }.map(\.old.name).sorted()
        return "(SELECT f.\(table.rowid) FROM \(table.table) AS f"
            + " WHERE f.\(table.rowid) = \(expression) AND f.\(column) IN \(former.sqlList))"
    }

    /// Empties the tables beside the objects' that hold numbers of rows, where some have got others, or an entity has
    /// the name by which they tell another's.
    func forgetRows() throws {
        let takesName = copies.values.contains { copy in
            copy.old.name != copy.new.name && old.entities.contains { $0.name == copy.new.name }
        }
        guard takesName || !renumbered.isEmpty else { return }
        for name in Schema.sideTablesWithRows {
            let exists = try connection.allRows(
                "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", [.text(name)])
            if !exists.isEmpty { try connection.execute("DELETE FROM \(name.sqlName)") }
        }
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

/// The numbers of rows, none of which is used again by what comes after the migration.
extension Migrator {
    /// The largest numbers that rows have had so far, by the names of the tables they go into.
    func largestNumbers() throws -> [String: Int64] {
        let isKept = try SchemaSnapshot(of: connection).tables[Schema.numbersTable] != nil
        var numbers: [String: Int64] = [:]
        for root in old.roots where root.hasOwnNumbers {
            var largest = try connection.number(
                "SELECT coalesce(max(\(root.rowid)), 0) FROM \(root.table)")
            if isKept {
                let last = try connection.number(
                    "SELECT coalesce(max(last), 0) FROM \(Schema.numbersTable.sqlName)"
                        + " WHERE name = \(SQLValue.text(root.family.tableName).literal)")
                largest = max(largest, last)
            }
            let family = Set(root.family.members)
            let homes = copies.values.filter { family.contains($0.old.index) }
                .map(\.new.family.tableName)
            // A table that is gone may come again under its name.
            for name in Set(homes + [root.family.tableName]) {
                numbers[name] = max(numbers[name] ?? 0, Int64(largest))
            }
        }
        return numbers
    }

    /// Writes down the largest numbers that there have been.
    func keep(_ numbers: [String: Int64]) throws {
        for (name, number) in numbers.sorted(by: { $0.key < $1.key }) where number > 0 {
            try connection.execute(
                RowNumbers.insertion("SELECT \(SQLValue.text(name).literal), \(number)"))
        }
    }
}

extension Migrator {
    /// Returns the entities whose objects may lack what is required now, while the old tables are there.
    ///
    /// - Parameter hasEndings: Whether steps go on once the tables are in place, in which they may write
    ///   what they like.
    func entitiesInDoubt(_ hasEndings: Bool) -> [EntityPlan] {
        if hasEndings { return new.entities }
        return copies.values.filter { copy in
            // A table that stays has the rows that it had.
            tableName(copy.new.family.tableName) != copy.new.table || !copy.requiresNothingNew
        }.map(\.new)
    }

    /// Makes references of the objects that lack what is required now, which was allowed, until a
    /// value arrives, and of those whose entity has no objects any more; and objects of the references
    /// whose identity is all that there is to them now.
    ///
    /// Comes last, as steps may fill what is required.
    func markReferences(_ inDoubt: [EntityPlan]) throws {
        for copy in copies.values {
            if copy.new.description.isAbstract {
                try makeReferences(of: copy.new)
            } else if copy.new.isWholeByIdentity {
                let assignments =
                    ["\(EntityPlan.referenceColumn.sqlName) = NULL"]
                    + copy.new.fillings(besides: [], of: "n.")
                try connection.execute(
                    "UPDATE \(copy.new.table) AS n SET \(assignments.joined(separator: ", "))"
                        + " WHERE \(EntityPlan.isMarked(.reference, "n"))"
                        + (copy.new.ownScope("n").map { " AND \($0)" } ?? ""))
            }
        }
        for entity in inDoubt {
            if let isLacking = entity.lacksRequired("n") {
                try makeReferences(of: entity, where: isLacking)
            }
            if let repair = entity.repair() { try connection.execute(repair) }
        }
    }

    /// Makes references of objects of just one entity, without the defaults that are new to them.
    private func makeReferences(of entity: EntityPlan, where condition: String = "TRUE") throws {
        let assignments =
            ["\(EntityPlan.referenceColumn.sqlName) = \(EntityPlan.referenceMark)"]
            + (copies[entity.name]?.addedDefaults ?? []).map { name, literal in
                "\(name.sqlName) = nullif(n.\(name.sqlName), \(literal))"
            }
        try connection.execute(
            "UPDATE \(entity.table) AS n SET \(assignments.joined(separator: ", "))"
                + " WHERE \(entity.isOwnObject("n")) AND (\(condition))")
    }

    /// Marks the references in a table that stays and did not tell them, and takes from them the
    /// defaults that new columns have in all rows.
    func settleReferences(among copy: EntityCopy) throws {
        if !copy.tellsReferences {
            try connection.execute(
                "UPDATE \(copy.new.table) AS o SET \(EntityPlan.referenceColumn.sqlName)"
                    + " = \(EntityPlan.referenceMark)"
                    + " WHERE \(copy.isOwn) AND NOT (\(copy.wasComplete))")
        }
        let added = copy.addedDefaults.map { "\($0.name.sqlName) = NULL" }
        guard !added.isEmpty else { return }
        try connection.execute(
            "UPDATE \(copy.new.table) AS o SET \(added.joined(separator: ", "))"
                + " WHERE \(copy.isOwn) AND \(EntityPlan.isMarked(.reference, "o"))")
    }
}

extension EntityPlan {
    /// The condition that a row of the entity lacks something that is required; nil where none can.
    fileprivate func lacksRequired(_ alias: String) -> String? {
        let isEmpty = requiredRest.columns.map { "\(alias).\(columnNames[$0].sqlName) IS NULL" }
        return isEmpty.isEmpty ? nil : isEmpty.joined(separator: " OR ")
    }
}
