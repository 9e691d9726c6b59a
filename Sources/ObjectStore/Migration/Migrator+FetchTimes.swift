/// When objects were fetched, which a migration knows of what is still the same object after it.
extension Migrator {
    /// Sets aside what is known of tables whose rows get other numbers, or whose entity gets another name, while
    /// the old ones are there.
    ///
    /// - Returns: The entities that the new tables are named after.
    func setFetchTimesAside() throws -> [EntityPlan] {
        try new.fetchedRoots.filter { root in
            // The entity that the table is named after may have come with the model.
            guard let copy = copies(into: root).first else { return false }
            let former = old.root(of: copy.old)
            let isRenamed = former.family.fetchTableName != root.family.fetchTableName
            guard isRenamed || renumbered.contains(root.name) else { return false }
            let row = newRow("f.row", of: root.name)
            try createTemporarily(asideName(of: root), "row INTEGER PRIMARY KEY, at REAL")
            // Nothing is known of it then, and another's table may have had the name.
            guard old.fetchedRoots.contains(where: { $0 === former }) else { return true }
            // Of several that become one the last counts.
            try connection.execute(
                "INSERT INTO \(asideName(of: root)) SELECT \(row), max(f.at)"
                    + " FROM \(former.fetchTable) AS f WHERE \(row) IS NOT NULL GROUP BY 1")
            return true
        }
    }

    /// Has the tables, which are in place, tell of the objects that there are.
    func keepFetchTimes(setAside roots: [EntityPlan]) throws {
        for root in roots {
            try connection.execute("DELETE FROM \(root.fetchTable)")
            try connection.execute(
                "INSERT INTO \(root.fetchTable) SELECT row, at FROM \(asideName(of: root))")
        }
        for root in new.fetchedRoots {
            let members = new.members(beside: root).filter(\.keepsFetchTimes)
            let scopes = members.compactMap { $0.ownScope("t") }
            try connection.execute(
                "DELETE FROM \(root.fetchTable) WHERE row NOT IN"
                    + " (SELECT t.\(root.rowid) FROM \(root.table) AS t"
                    + (scopes.isEmpty ? ")" : " WHERE \(scopes.joined(separator: " OR ")))"))
        }
    }

    private func asideName(of root: EntityPlan) -> String {
        "$new.\(root.family.fetchTableName).aside".sqlName
    }
}
