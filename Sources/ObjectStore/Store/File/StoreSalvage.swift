import CLarderSQLite

/// Copies what can be read of a damaged store into a new one.
///
/// A table is read from its beginning until it can't be read on, and then from its end.
struct StoreSalvage {
    let plan: StorePlan
    let source: Connection
    let target: Connection

    /// Copies all tables, and removes links to what could not be read.
    func run(_ report: inout RebuildReport) throws {
        try target.execute("PRAGMA foreign_keys = OFF")
        try target.transaction("BEGIN IMMEDIATE") {
            for entity in plan.entities {
                let columns = [entity.rowid] + entity.columnNames.map(\.sqlName)
                let (count, isComplete) = try copy(
                    entity.table, columns.filter { $0 != entity.rowid } + [entity.rowid],
                    key: [entity.rowid])
                report.saved[entity.name] = count
                if !isComplete { report.incomplete.append(entity.name) }
            }
            for (name, table, positions) in linkTables {
                let (_, isComplete) = try copy(
                    table, ["source", "target"] + positions, key: ["source", "target"])
                if !isComplete { report.incomplete.append(name) }
            }
            report.brokenLinks = try removeBrokenLinks()
        }
        try target.execute("PRAGMA foreign_keys = ON")
    }

    /// The tables of links with their names, quoted, and their columns of places.
    private var linkTables: [(name: String, table: String, positions: [String])] {
        plan.entities.flatMap { entity in
            entity.toMany.compactMap { relationship in
                guard case .table(let links) = relationship.storage, links.source == "source" else {
                    return nil
                }
                let columns =
                    (try? target.allRows(
                        "SELECT * FROM pragma_table_info(?)",
                        [
                            .text("\(entity.name).\(relationship.name)")
                        ])) ?? []
                let names = columns.compactMap { row -> String? in
                    if case .text(let name) = row[1], name != "source", name != "target" {
                        name
                    } else {
                        nil
                    }
                }
                return ("\(entity.name).\(relationship.name)", links.name, names)
            }
        }
    }

    /// Copies a table; gives the number of rows that arrived, and whether they are all.
    private func copy(
        _ table: String, _ columns: [String], key: [String]
    ) throws -> (count: Int, isComplete: Bool) {
        let names = columns.joined(separator: ", ")
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        let insertion = try Statement(
            "INSERT OR IGNORE INTO \(table) (\(names)) VALUES (\(places))", on: target)
        var count = 0
        for direction in ["ASC", "DESC"] {
            let order = key.map { "\($0) \(direction)" }.joined(separator: ", ")
            let isWhole = try read(
                "SELECT \(names) FROM \(table) NOT INDEXED ORDER BY \(order)"
            ) { values in
                try insertion.bind(values)
                if try isTaken(insertion) { count += target.changeCount }
            }
            if isWhole { return (count, direction == "ASC") }
        }
        return (count, false)
    }

    /// Hands over rows of the damaged store for as long as they can be read; gives whether it was to
    /// the end.
    private func read(_ sql: String, _ body: ([SQLValue]) throws -> Void) throws -> Bool {
        let query: Statement
        do { query = try source.prepare(sql) } catch { return false }
        let count = sqlite3_column_count(query.pointer)
        while true {
            do { if try !query.step() { return true } } catch { return false }
            try body((0..<count).map { query.value(at: $0) })
        }
    }

    /// Runs an insertion; false where a damaged value is of another type than its column.
    private func isTaken(_ insertion: Statement) throws -> Bool {
        do {
            try insertion.run()
            return true
        } catch {
            if error.code == .constraint { return false }
            throw error
        }
    }

    private func removeBrokenLinks() throws -> Int {
        var count = 0
        for entity in plan.entities {
            for (column, name) in zip(entity.columns, entity.columnNames)
            where column.destination >= 0 {
                let destination = plan.entities[column.destination]
                try target.execute(
                    "UPDATE \(entity.table) SET \(name.sqlName) = NULL WHERE \(name.sqlName)"
                        + " NOT IN (SELECT \(destination.rowid) FROM \(destination.table))")
                count += target.changeCount
            }
            for relationship in entity.toMany {
                guard case .table(let links) = relationship.storage, links.source == "source" else {
                    continue
                }
                let destination = plan.entities[relationship.destination]
                try target.execute(
                    "DELETE FROM \(links.name)"
                        + " WHERE source NOT IN (SELECT \(entity.rowid) FROM \(entity.table))"
                        + " OR target NOT IN"
                        + " (SELECT \(destination.rowid) FROM \(destination.table))")
                count += target.changeCount
            }
        }
        return count
    }
}
