/// Deleting what can go, and leaving the rest.
extension Deletion {
    /// The table of the objects that the deletion starts from.
    private static let startTable = "$start"

    /// Lists the objects that can go with all that goes along.
    ///
    /// What stays may be what keeps another object, so that it takes as many rounds as such objects
    /// hang on each other.
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
        let leaders = rules.filter { $0.rule == .cascade }.map { " UNION \($0.leaders)" }
        try run(
            "WITH RECURSIVE stuck (entity, row) AS"
                + " (SELECT * FROM (\(holders.joined(separator: " UNION ")))\(leaders.joined()))"
                + " DELETE FROM temp.\(Self.startTable.sqlName)"
                + " WHERE (entity, row) IN (SELECT entity, row FROM stuck)")
        return connection.changeCount > 0
    }

    /// Statements that select what is to go and what others that stay can't be without.
    private var neededRows: [String] {
        columnsLeadingHere.filter { !$0.0.columns[$0.1].isOptional }.map { entity, column in
            let name = entity.columnNames[column].sqlName
            let destination = plan.root(of: plan.entities[entity.columns[column].destination])
            return "SELECT \(destination.index), t.\(name) FROM \(entity.table) AS t"
                + " WHERE t.\(name) IN (\(rows(beside: destination)))"
                + " AND t.\(entity.rowid) NOT IN (\(rows(beside: entity)))"
                + (entity.ownScope("t").map { " AND \($0)" } ?? "")
        }
    }
}
