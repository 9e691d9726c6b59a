/// Deleting what can go, and leaving the rest.
extension Deletion {
    /// The table of the objects that the deletion starts from.
    private static let startTable = "$start"

    /// Lists the objects that can go with all that goes along.
    ///
    /// What does not go along any more, once what it would have gone along with stays, may be what
    /// keeps another object: then it takes a round more.
    func listWhatCanGo(_ rows: String, _ values: [SQLValue]) throws {
        try makeTable(Self.startTable)
        defer { try? run("DELETE FROM temp.\(Self.startTable.sqlName)") }
        let insert = try connection.prepare(
            "INSERT INTO temp.\(Self.startTable.sqlName) SELECT \(roots[0].index), * FROM (\(rows))"
        )
        try insert.bind(values)
        try insert.run()
        while true {
            try list("SELECT row FROM temp.\(Self.startTable.sqlName)", [])
            guard try withdraw() else { return }
            try run("DELETE FROM \(Self.table)")
        }
    }

    /// Takes objects from the start that can't go, or with which one goes that can't; false where
    /// there are none.
    private func withdraw() throws -> Bool {
        let holders = rules.filter { $0.rule == .deny }.map(\.holders) + neededRows
        guard !holders.isEmpty else { return false }
        // What would take along or is denied by a row that stays, or what that can't be without,
        // stays as well.
        let others = (rules.map(\.leaders) + rowsNeededByStuck).map { " UNION \($0)" }
        try run(
            "WITH RECURSIVE stuck (entity, row) AS"
                + " (SELECT * FROM (\(holders.joined(separator: " UNION ")))\(others.joined()))"
                + " DELETE FROM temp.\(Self.startTable.sqlName)"
                + " WHERE (entity, row) IN (SELECT entity, row FROM stuck)")
        return connection.changeCount > 0
    }

    /// Statements that select what is to go and what others that stay can't be without.
    private var neededRows: [String] {
        rowsNeeded { entity in
            "\(entity.table) AS t WHERE t.\(entity.rowid) NOT IN (\(rows(beside: entity)))"
        }
    }

    /// The same of those that were to go and stay.
    private var rowsNeededByStuck: [String] {
        rowsNeeded { entity in
            "stuck CROSS JOIN \(entity.table) AS t ON t.\(entity.rowid) = stuck.row"
                + " WHERE stuck.entity = \(plan.root(of: entity).index)"
        }
    }

    /// - Parameter source: The SQL that finds the objects in question as `t`, from a table's name to a
    ///   condition.
    private func rowsNeeded(by source: (EntityPlan) -> String) -> [String] {
        columnsLeadingHere.filter { !$0.0.columns[$0.1].isOptional }.map { entity, column in
            let name = entity.columnNames[column].sqlName
            let destination = plan.root(of: plan.entities[entity.columns[column].destination])
            return "SELECT \(destination.index), t.\(name) FROM \(source(entity))"
                + " AND t.\(name) IN (\(rows(beside: destination)))"
                + (entity.ownScope("t").map { " AND \($0)" } ?? "")
        }
    }
}
