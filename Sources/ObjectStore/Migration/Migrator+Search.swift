/// Full-text indexes: they stay where nothing that they hold has been touched.
extension Migrator {
    /// Drops the indexes that are to be others, and returns those to be filled at the end.
    ///
    /// - Parameter mapped: The entities whose objects the app's steps have changed.
    func staleSearches(mapped: Set<String>) throws -> [SearchPlan] {
        let current = try SchemaSnapshot(of: connection)
        let target = try SchemaSnapshot.fresh(new)
        return try new.searches.filter { search in
            let root = new.entities[search.root]
            // The index has numbers for columns; which attributes these are is said by its view.
            let isKept =
                current.tables[search.name] == target.tables[search.name]
                && formerViews[search.textView] == target.views[search.textView]
            if !isKept, current.tables[search.name] != nil {
                try connection.execute("DROP TABLE \(search.table)")
            }
            let isTouched = root.family.members.contains { mapped.contains(new.entities[$0].name) }
            return !isKept || isTouched || tableName(root.name) != root.table
        }
    }

    /// Fills the indexes, once all objects are what they will be.
    func indexText(_ stale: [SearchPlan]) throws {
        for search in stale { try search.rebuild(on: connection) }
        try new.catchUpSearches(on: connection)
    }
}
