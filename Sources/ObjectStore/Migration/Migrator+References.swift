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
                try mark(copy.new, as: EntityPlan.referenceMark)
            } else if copy.new.isWholeByIdentity {
                try mark(copy.new, as: "NULL")
            }
        }
        for entity in inDoubt {
            guard let isLacking = entity.lacksRequired("n") else { continue }
            try connection.execute(
                "UPDATE \(tableName(entity.family.tableName)) AS n"
                    + " SET \(EntityPlan.referenceColumn.sqlName) = \(EntityPlan.referenceMark)"
                    + " WHERE \(EntityPlan.isMarked(.object, "n")) AND \(isLacking)")
        }
    }
}

extension Migrator {
    /// Marks the rows of just one entity.
    private func mark(_ entity: EntityPlan, as mark: String) throws {
        let reference = EntityPlan.referenceColumn.sqlName
        try connection.execute(
            "UPDATE \(tableName(entity.family.tableName)) AS n SET \(reference) = \(mark)"
                + " WHERE n.\(reference) IS NOT \(mark)"
                + (entity.ownScope("n").map { " AND \($0)" } ?? ""))
    }
}

extension EntityPlan {
    /// The condition that a row of the entity lacks something that is required; nil where none can.
    fileprivate func lacksRequired(_ alias: String) -> String? {
        let isEmpty = requiredRest.columns.map { "\(alias).\(columnNames[$0].sqlName) IS NULL" }
        if isEmpty.isEmpty { return nil }
        return "(\(isEmpty.joined(separator: " OR ")))"
            + (ownScope(alias).map { " AND \($0)" } ?? "")
    }
}

extension Connection {
    /// Whether a table has a column.
    func hasColumn(_ column: String, of table: String) throws(StoreError) -> Bool {
        let count = try value(
            "SELECT count(*) FROM pragma_table_info(\(SQLValue.text(table).literal))"
                + " WHERE name = \(SQLValue.text(column).literal)")
        return count == .integer(1)
    }
}
