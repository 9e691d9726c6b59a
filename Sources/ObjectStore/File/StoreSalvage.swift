import CLarderSQLite

/// Copies what can be read of a damaged store into a new one.
///
/// A table is read from its beginning until it can't be read on, then from its end, and then from the
/// middle of each gap that is left, so that damage costs what it has hit and little beside.
struct StoreSalvage {
    /// The entities as they are in both stores.
    let plan: StorePlan
    let unfit: UnfitValues
    let source: Connection
    let target: Connection

    /// Copies all tables, and removes links to what could not be read.
    func run(_ report: inout RebuildReport) throws {
        try target.execute("PRAGMA foreign_keys = OFF")
        try unfit.register(on: target)
        try target.transaction("BEGIN IMMEDIATE") {
            for root in plan.roots {
                let members = plan.members(beside: root)
                let columns = try Set(members.flatMap(\.columnNames))
                    .filter { try isThere($0, in: root.family.tableName) ?? true }
                    .map(\.sqlName).filter { $0 != root.rowid }.sorted()
                var isComplete = try copy(
                    root.table,
                    (root.entityColumn.map { [$0] } ?? []) + reference(of: root) + columns
                        + [root.rowid],
                    key: [root.rowid], number: root.rowid, entity: root.entityColumn,
                    identity: members.flatMap { entity in
                        entity.identifying.columns.map { entity.columnNames[$0].sqlName }
                    })
                if try settle(root, members) > 0 { isComplete = false }
                if members.contains(where: \.keepsFetchTimes) { try copyFetchTimes(of: root) }
                for entity in members {
                    let lostCount =
                        try unfit.remove(from: entity, on: target) + removeUnidentified(entity)
                    if !isComplete || lostCount > 0 { report.incomplete.append(entity.name) }
                }
            }
            for links in plan.linkTables {
                let isComplete = try copy(
                    links.name.sqlName, ["source", "target"] + links.positions,
                    key: ["source", "target"], number: "source")
                if links.isSymmetric {
                    // Each direction tells of the other.
                    try target.execute(
                        "INSERT OR IGNORE INTO \(links.name.sqlName) (source, target)"
                            + " SELECT target, source FROM \(links.name.sqlName)")
                }
                if !isComplete { report.incomplete.append(links.name) }
            }
            // Numbers of objects that had gone are not used again.
            _ = try copy(Schema.numbersTable.sqlName, ["name", "last"], key: ["name"])
            report.brokenLinks = try removeBrokenLinks()
            try markReferences()
            for entity in plan.entities {
                if let repair = entity.repair() { try target.execute(repair) }
                report.saved[entity.name] = try target.number(
                    "SELECT count(*) FROM \(entity.table) AS t"
                        + " WHERE \(EntityPlan.isMarked(.object, "t"))"
                        + (entity.ownScope("t").map { " AND \($0)" } ?? ""))
            }
            try plan.catchUpSearches(on: target)
        }
        try target.execute("PRAGMA foreign_keys = ON")
    }

    /// Copies when objects were fetched, as far as that can be read: what is lost of it is fetched again.
    private func copyFetchTimes(of root: EntityPlan) throws {
        _ = try copy(root.fetchTable, ["row", "at"], key: ["row"], number: "row")
        try target.execute(
            "DELETE FROM \(root.fetchTable)"
                + " WHERE row NOT IN (SELECT \(root.rowid) FROM \(root.table))")
    }

    /// The column that tells references, where the damaged table has it, as older ones do not.
    private func reference(of root: EntityPlan) throws -> [String] {
        let column = EntityPlan.referenceColumn
        return try isThere(column, in: root.family.tableName) == true ? [column.sqlName] : []
    }

    /// Whether the damaged store has a column, nil where that can't be read; to SQLite a name in quotes that
    /// none has is a text.
    private func isThere(_ column: String, in table: String) throws -> Bool? {
        try Self.attempt { try source.hasColumn(column, of: table) }
    }

    /// Makes objects of a family's root of those whose entity is lost, where the root has objects, and
    /// removes the others; gives their number.
    private func settle(_ root: EntityPlan, _ members: [EntityPlan]) throws -> Int {
        guard let column = root.entityColumn, let isLost = root.lacksEntity("t") else { return 0 }
        var count = 0
        if !root.description.isAbstract {
            let others = Set(members.flatMap(\.columnNames)).subtracting(root.columnNames).sorted()
            let values =
                ["\(column) = \(SQLValue.text(root.name).literal)"]
                + others.map { "\($0.sqlName) = NULL" }
            // Another object may have the identity among the root's.
            try target.execute(
                "UPDATE OR IGNORE \(root.table) AS t SET \(values.joined(separator: ", "))"
                    + " WHERE \(isLost)")
            count += target.changeCount
        }
        try target.execute("DELETE FROM \(root.table) AS t WHERE \(isLost)")
        return count + target.changeCount
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
    ///
    /// - Parameters:
    ///   - number: The column of the key that is a whole number, by which gaps are halved.
    ///   - entity: The column that says which entity a row's object is of.
    ///   - identity: Columns without whose value a row is another object, or none.
    private func copy(
        _ table: String, _ columns: [String], key: [String], number: String? = nil,
        entity: String? = nil, identity: [String] = []
    ) throws -> Bool {
        let names = columns.joined(separator: ", ")
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        let insertion = try Statement(
            "INSERT OR IGNORE INTO \(table) (\(names)) VALUES (\(places))", on: target)
        let numberIndex = number.flatMap { columns.firstIndex(of: $0) }
        let types = try declaredTypes(of: names, in: table)
        let keyIndices = Set((key + identity).compactMap { columns.firstIndex(of: $0) })
        let entityIndex = entity.flatMap { columns.firstIndex(of: $0) }
        var areTaken = true
        /// Reads rows in one order; gives whether it was to the end, and the last number that was read.
        func copy(_ condition: String, _ direction: String) throws -> (isWhole: Bool, last: Int64?)
        {
            let order = key.map { "\($0) \(direction)" }.joined(separator: ", ")
            var last: Int64?
            let isWhole = try read(
                "SELECT \(names) FROM \(table) NOT INDEXED\(condition) ORDER BY \(order)"
            ) { values in
                if let numberIndex, case .integer(let value) = values[numberIndex] { last = value }
                var values = values
                // Of no entity, as the row must say something.
                if let entityIndex, !values[entityIndex].isHeld(by: "TEXT", isRequired: true) {
                    values[entityIndex] = .text("")
                }
                if try !take(values, by: insertion, types: types, key: keyIndices) {
                    areTaken = false
                }
            }
            return (isWhole, last)
        }
        let first = try copy("", "ASC")
        if first.isWhole { return areTaken }
        let second = try copy("", "DESC")
        // Where neither end can be read, the way to the rows is lost.
        guard !second.isWhole, let number, first.last != nil || second.last != nil else {
            return false
        }
        // Rows of one number may be many, in a table of links, so that both bounds belong to a gap.
        var gaps = [(low: first.last ?? .min / 4, high: second.last ?? .max / 4)][...]
        for _ in 0..<Self.maximumGaps {
            guard let (low, high) = gaps.popFirst() else { break }
            // A damaged row may say any number.
            let middle = low / 2 + high / 2 + (low % 2 + high % 2) / 2
            guard low < middle else { continue }
            let upward = try copy(
                " WHERE \(number) >= \(middle) AND \(number) <= \(high)", "ASC")
            if !upward.isWhole { gaps.append((upward.last ?? middle, high)) }
            let downward = try copy(
                " WHERE \(number) < \(middle) AND \(number) >= \(low)", "DESC")
            if !downward.isWhole { gaps.append((low, downward.last ?? middle - 1)) }
        }
        return false
    }

    /// The types that columns are declared with.
    private func declaredTypes(of names: String, in table: String) throws -> [String] {
        let query = try target.prepare("SELECT \(names) FROM \(table)")
        return (0..<sqlite3_column_count(query.pointer)).map {
            sqlite3_column_decltype(query.pointer, $0).map { String(cString: $0) } ?? ""
        }
    }

    /// The most gaps of a table that are looked into, the widest first.
    private static let maximumGaps = 1_000

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

    /// Inserts a row, without those of its values that are of another type than their columns, as damage
    /// alone can have made them, unless it is there already; gives whether it has been inserted whole.
    private func take(
        _ values: [SQLValue], by insertion: Statement, types: [String], key: Set<Int>
    ) throws(StoreError) -> Bool {
        if try insert(values, by: insertion) { return true }
        let unfit = values.indices.filter { !values[$0].isHeld(by: types[$0]) }
        guard !unfit.isEmpty, key.isDisjoint(with: unfit) else { return false }
        var rest = values
        for index in unfit { rest[index] = .null }
        _ = try insert(rest, by: insertion)
        return false
    }

    /// Inserts a row, unless a value is of another type than its column, or it is there already; gives
    /// whether it has been inserted.
    private func insert(
        _ values: [SQLValue], by insertion: Statement
    ) throws(StoreError) -> Bool {
        do {
            try insertion.bind(values)
            try insertion.run()
            return target.changeCount > 0
        } catch {
            if error.reason != .constraint { throw error }
            return false
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
                        + " NOT IN (\(rows(of: destination)))")
                count += target.changeCount
            }
        }
        for links in plan.linkTables {
            let (owner, inverse) = (
                plan.entities[links.owner.entity], plan.entities[links.inverse.entity]
            )
            try target.execute(
                "DELETE FROM \(links.name.sqlName)"
                    + " WHERE source NOT IN (\(rows(of: owner)))"
                    + " OR target NOT IN (\(rows(of: inverse)))")
            count += target.changeCount
        }
        return count
    }

    /// Selects the rows that links to an entity can lead to.
    private func rows(of entity: EntityPlan) -> String {
        "SELECT t.\(entity.rowid) FROM \(entity.table) AS t"
            + (entity.rowScope("t").map { " WHERE \($0)" } ?? "")
    }
}

extension SQLValue {
    /// Whether a column of a `STRICT` table holds such a value (sqlite.org/stricttables.html).
    fileprivate func isHeld(by type: String, isRequired: Bool = false) -> Bool {
        switch (self, type) {
        case (.null, _): !isRequired
        case (_, "ANY"), (.integer, "INTEGER"), (.integer, "REAL"), (.real, "REAL"),
            (.text, "TEXT"), (.blob, "BLOB"):
            true
        default: false
        }
    }
}
