extension Migrator {
    /// Makes references of the objects that lack what is required now, which was allowed, until a
    /// value arrives.
    func markReferences() throws {
        for copy in copies.values {
            // A table that stays has the rows that it had.
            let isAnew = tableName(copy.new.family.tableName) != copy.new.table
            guard isAnew || !copy.requiresNothingNew else { continue }
            guard let isLacking = copy.lacksRequired("n") else { continue }
            try connection.execute(
                "UPDATE \(tableName(copy.new.family.tableName)) AS n"
                    + " SET \(EntityPlan.referenceColumn.sqlName) = \(EntityPlan.referenceMark)"
                    + " WHERE \(EntityPlan.isMarked(.object, "n")) AND \(isLacking)")
        }
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
