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
            for root in plan.roots {
                let members = plan.members(beside: root)
                let columns = Set(members.flatMap(\.columnNames).map(\.sqlName))
                    .subtracting([root.rowid]).sorted()
                let isComplete = try copy(
                    root.table,
                    (root.entityColumn.map { [$0] } ?? []) + reference(of: root) + columns
                        + [root.rowid],
                    key: [root.rowid])
                for entity in members {
                    let lostCount = try removeUnidentified(entity)
                    if !isComplete || lostCount > 0 { report.incomplete.append(entity.name) }
                }
            }
            for links in plan.linkTables {
                let isComplete = try copy(
                    links.name.sqlName, ["source", "target"] + links.positions,
                    key: ["source", "target"])
                if !isComplete { report.incomplete.append(links.name) }
            }
            // Numbers of objects that had gone are not used again.
            _ = try copy(Schema.numbersTable.sqlName, ["name", "last"], key: ["name"])
            report.brokenLinks = try removeBrokenLinks()
            try markReferences()
            for entity in plan.entities {
                report.saved[entity.name] = try target.number(
                    "SELECT count(*) FROM \(entity.table) AS t"
                        + " WHERE \(EntityPlan.isMarked(.object, "t"))"
                        + (entity.ownScope("t").map { " AND \($0)" } ?? ""))
            }
            try plan.catchUpSearches(on: target)
        }
        try target.execute("PRAGMA foreign_keys = ON")
    }

    /// The column that tells references, where the damaged table has it, as older ones do not.
    private func reference(of root: EntityPlan) throws -> [String] {
        let column = EntityPlan.referenceColumn
        let isThere = try Self.attempt {
            try source.hasColumn(column, of: root.family.tableName)
        }
        return isThere == true ? [column.sqlName] : []
    }

    /// Removes objects that nothing tells from others any more, and gives their number.
    private func removeUnidentified(_ entity: EntityPlan) throws -> Int {
        let isLost = entity.identifying.columns.filter { !entity.columns[$0].isOptional }
            .map { "t.\(entity.columnNames[$0].sqlName) IS NULL" }
        guard !isLost.isEmpty else { return 0 }
        try target.execute(
            "DELETE FROM \(entity.table) AS t WHERE (\(isLost.joined(separator: " OR ")))"
                + (entity.ownScope("t").map { " AND \($0)" } ?? ""))
        return target.changeCount
    }

    /// Makes references of what lacks something required: what it was is not to be read any more.
    private func markReferences() throws {
        for entity in plan.entities {
            let isLacking = entity.requiredRest.columns.map {
                "t.\(entity.columnNames[$0].sqlName) IS NULL"
            }
            guard !isLacking.isEmpty else { continue }
            try target.execute(
                "UPDATE \(entity.table) AS t SET \(EntityPlan.referenceColumn.sqlName)"
                    + " = \(EntityPlan.referenceMark) WHERE \(EntityPlan.isMarked(.object, "t"))"
                    + " AND (\(isLacking.joined(separator: " OR ")))"
                    + (entity.ownScope("t").map { " AND \($0)" } ?? ""))
        }
    }

    /// Copies a table; gives whether all of its rows arrived.
    private func copy(_ table: String, _ columns: [String], key: [String]) throws -> Bool {
        let names = columns.joined(separator: ", ")
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        let insertion = try Statement(
            "INSERT OR IGNORE INTO \(table) (\(names)) VALUES (\(places))", on: target)
        for direction in ["ASC", "DESC"] {
            let order = key.map { "\($0) \(direction)" }.joined(separator: ", ")
            let isWhole = try read(
                "SELECT \(names) FROM \(table) NOT INDEXED ORDER BY \(order)"
            ) { values in
                try insertion.bind(values)
                try take(insertion)
            }
            if isWhole { return direction == "ASC" }
        }
        return false
    }

    /// Hands over rows of the damaged store for as long as they can be read; gives whether it was to
    /// the end.
    private func read(_ sql: String, _ body: ([SQLValue]) throws -> Void) throws -> Bool {
        guard let query = try Self.attempt({ try source.prepare(sql) }) else { return false }
        let count = sqlite3_column_count(query.pointer)
        while true {
            guard let isRow = try Self.attempt({ try query.step() }) else { return false }
            guard isRow else { return true }
            try body((0..<count).map { query.value(at: $0) })
        }
    }

    /// The upper part of `SQLITE_IOERR_NOMEM`, a macro that Swift can't read.
    private static let ioErrorOfMemory: Int32 = 12

    /// Runs a body that reads the damaged store; returns nil where the damage is in its way.
    ///
    /// - Throws: What has nothing to do with the file: another try could read more then.
    static func attempt<Result>(_ body: () throws -> Result) throws -> Result? {
        do {
            return try body()
        } catch let error as StoreError {
            switch error.resultCode & 0xFF {
            case SQLITE_NOMEM, SQLITE_BUSY, SQLITE_LOCKED, SQLITE_INTERRUPT, SQLITE_CANTOPEN:
                throw error
            case SQLITE_IOERR where error.resultCode >> 8 == ioErrorOfMemory:
                throw error
            default:
                return nil
            }
        }
    }

    /// Runs an insertion, unless a damaged value is of another type than its column.
    private func take(_ insertion: Statement) throws(StoreError) {
        do {
            try insertion.run()
        } catch {
            if error.reason != .constraint { throw error }
        }
    }

    private func removeBrokenLinks() throws -> Int {
        var count = 0
        for entity in plan.entities {
            for (column, name) in zip(entity.columns, entity.columnNames)
            where column.destination >= 0 {
                let destination = plan.entities[column.destination]
                // What is empty is in no table that is empty too.
                try target.execute(
                    "UPDATE \(entity.table) SET \(name.sqlName) = NULL"
                        + " WHERE \(name.sqlName) IS NOT NULL AND \(name.sqlName)"
                        + " NOT IN (SELECT \(destination.rowid) FROM \(destination.table))")
                count += target.changeCount
            }
        }
        for links in plan.linkTables {
            let (owner, inverse) = (
                plan.entities[links.owner.entity], plan.entities[links.inverse.entity]
            )
            try target.execute(
                "DELETE FROM \(links.name.sqlName)"
                    + " WHERE source NOT IN (SELECT \(owner.rowid) FROM \(owner.table))"
                    + " OR target NOT IN (SELECT \(inverse.rowid) FROM \(inverse.table))")
            count += target.changeCount
        }
        return count
    }
}
