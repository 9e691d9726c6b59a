/// Deleting what can go, and leaving the rest.
extension Deletion {
    /// The table of the objects that the deletion starts from.
    private static let startTable = "temp.\"$start\""
    /// The table of the objects that can't go, or with which one goes that can't.
    private static let stuckTable = "temp.\"$stuck\""
    /// The table of what may stay since it has lost what it would have gone along with, and then of what
    /// does.
    private static let looseTable = "temp.\"$loose\""

    /// Lists the objects that can go with all that goes along.
    ///
    /// What does not go along any more, once what it would have gone along with stays, may be what
    /// keeps another object: then it takes a round more, which looks at nothing but what the last one
    /// has let stay.
    func listWhatCanGo(_ rows: String, _ values: [SQLValue]) throws {
        let tables = [Self.startTable, Self.stuckTable, Self.looseTable]
        for name in ["$start", "$stuck", "$loose"] { try makeTable(name) }
        defer { for table in tables { try? run("DELETE FROM \(table)") } }
        let insert = try connection.prepare(
            "INSERT INTO \(Self.startTable) SELECT \(roots[0].index), * FROM (\(rows))")
        try insert.bind(values)
        try insert.run()
        try list("SELECT entity, row FROM \(Self.startTable)", [])
        let denials = rules.filter { $0.rule == .deny }
        var holders = denials.map(\.holders) + neededRows
        guard !holders.isEmpty else { return }
        let loose = "\(Self.looseTable) AS \(Self.held)"
        let laterHolders = denials.map { $0.leaders(of: loose) } + rowsNeeded(by: loose)
        while try withdraw(whatIsHeldBy: holders) {
            try leaveWhatIsLoose()
            holders = laterHolders
        }
    }

    /// Takes objects from the start that can't go, or with which one goes that can't, and lists what
    /// would have gone along; false where there are none.
    private func withdraw(whatIsHeldBy holders: [String]) throws -> Bool {
        // What would take along or is denied by a row that stays, or what that can't be without,
        // stays as well.
        let others = rules.map { $0.leaders(of: Self.held) } + rowsNeeded(by: Self.held)
        try run("DELETE FROM \(Self.stuckTable)")
        try run(
            "WITH RECURSIVE \(Self.held) (entity, row) AS"
                + " (SELECT * FROM (\(holders.joined(separator: " UNION ")))"
                + "\(others.map { " UNION \($0)" }.joined()))"
                + " INSERT INTO \(Self.stuckTable) SELECT entity, row FROM \(Self.held)")
        try run("DELETE FROM \(Self.looseTable)")
        try run(
            "WITH RECURSIVE \(Self.doomed) (entity, row) AS (SELECT s.entity, s.row"
                + " FROM \(Self.stuckTable) AS k CROSS JOIN \(Self.startTable) AS s"
                + " ON s.entity = k.entity AND s.row = k.row"
                + "\(cascades.map { " UNION \($0.followers)" }.joined()))"
                + " INSERT INTO \(Self.looseTable) SELECT entity, row FROM \(Self.doomed)")
        guard connection.changeCount > 0 else { return false }
        try run(
            "DELETE FROM \(Self.startTable)"
                + " WHERE (entity, row) IN (SELECT entity, row FROM \(Self.stuckTable))")
        return true
    }

    /// Takes objects from those that are to go, but for what goes along with others, or is to go itself.
    private func leaveWhatIsLoose() throws {
        try run(
            "DELETE FROM \(Self.table)"
                + " WHERE (entity, row) IN (SELECT entity, row FROM \(Self.looseTable))")
        let led = cascades.map {
            " UNION "
                + $0.leaders(
                    of: "\(Self.looseTable) AS \(Self.held)",
                    select: "\(Self.held).entity, \(Self.held).row"
                )
        }
        let followers = cascades.map {
            " UNION \($0.followers) AND EXISTS (SELECT 1 FROM \(Self.looseTable) AS c"
                + " WHERE c.entity = \($0.destination.index) AND c.row = \($0.target))"
        }
        try run(
            "WITH RECURSIVE \(Self.doomed) (entity, row) AS (SELECT s.entity, s.row"
                + " FROM \(Self.looseTable) AS c CROSS JOIN \(Self.startTable) AS s"
                + " ON s.entity = c.entity AND s.row = c.row\((led + followers).joined()))"
                + " INSERT INTO \(Self.table) SELECT entity, row FROM \(Self.doomed)")
        try run(
            "DELETE FROM \(Self.looseTable) AS c WHERE EXISTS (SELECT 1 FROM \(Self.table) AS d"
                + " WHERE d.entity = c.entity AND d.row = c.row)")
    }

    /// What keeps objects from going: those that the rule of an error denies of all that were to go, and those that
    /// would take them along, by the entities that their tables are named after.
    func rowsRefused(by error: WritingError, of rows: [[Int64]]) throws -> [Int: Set<Int64>] {
        try makeTable("$deleted")
        defer { try? run("DELETE FROM \(Self.table)") }
        try list(rows)
        let holders = rules.filter {
            $0.rule == .deny && $0.entity == error.entity && $0.name == error.attribute
        }.map(\.holders)
        guard !holders.isEmpty else { return [:] }
        let leaders = cascades.map { " UNION \($0.leaders(of: Self.held))" }
        let found = try connection.allRows(
            "WITH RECURSIVE \(Self.held) (entity, row) AS"
                + " (SELECT * FROM (\(holders.joined(separator: " UNION ")))\(leaders.joined()))"
                + " SELECT entity, row FROM \(Self.held)")
        var refused: [Int: Set<Int64>] = [:]
        for values in found {
            guard case .integer(let entity) = values[0], case .integer(let row) = values[1]
            else { continue }
            refused[Int(entity), default: []].insert(row)
        }
        return refused
    }

    private var cascades: [DeletionRule] { rules.filter { $0.rule == .cascade } }

    /// Statements that select what is to go and what others that stay can't be without.
    private var neededRows: [String] {
        rowsNeeded { entity in
            "\(entity.table) AS t WHERE t.\(entity.rowid) NOT IN (\(rows(beside: entity)))"
        }
    }

    /// The same of those in a table that stay, `$held`.
    private func rowsNeeded(by table: String) -> [String] {
        rowsNeeded { entity in
            "\(table) CROSS JOIN \(entity.table) AS t ON t.\(entity.rowid) = \(Self.held).row"
                + " WHERE \(Self.held).entity = \(plan.root(of: entity).index)"
        }
    }

    /// - Parameter source: The SQL that finds the objects in question as `t`, from a table's name to a
    ///   condition.
    private func rowsNeeded(by source: (EntityPlan) -> String) -> [String] {
        columnsLeadingHere.filter { !$0.0.columns[$0.1].isOptional }.map { entity, column in
            let name = "t.\(entity.columnNames[column].sqlName)"
            let destination = plan.root(of: plan.entities[entity.columns[column].destination])
            return "SELECT \(destination.index), \(name) FROM \(source(entity))"
                + " AND \(Self.isToGo(name, of: destination))"
                + (entity.ownScope("t").map { " AND \($0)" } ?? "")
        }
    }
}
