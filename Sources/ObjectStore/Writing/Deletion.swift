/// Deletes objects by the rules of their relationships, in a few statements however many they are.
///
/// The objects to go are first listed in a temporary table, which the rules are then checked
/// against: what goes along denies nothing, whichever order the objects stand in.
struct Deletion {
    let context: Context
    /// The entity that the deletion starts from, and those that it can reach.
    let entities: [EntityPlan]

    var plan: StorePlan { context.store.plan }
    var connection: Connection { context.connection }

    /// The table of the objects that are to go.
    static let table = "temp.\"$deleted\""

    init(of entity: EntityPlan, in context: Context) {
        self.context = context
        var reached: Set = [entity.index]
        var entities = [entity]
        var next = 0
        while next < entities.count {
            for rule in DeletionRule.all(of: entities[next], in: context.store.plan)
            where rule.rule == .cascade && reached.insert(rule.destination.index).inserted {
                entities.append(rule.destination)
            }
            next += 1
        }
        self.entities = entities
    }

    /// Deletes the objects in rows and returns how many objects have gone.
    func delete(_ rows: [Int64]) throws -> Int {
        guard let entity = entities.first, !rows.isEmpty else { return 0 }
        return try delete(
            "SELECT t.\(entity.rowid) FROM json_each(?1) AS l"
                + " CROSS JOIN \(entity.table) AS t ON t.\(entity.rowid) = l.value",
            [.text(JSONText.array(rows))])
    }

    /// Deletes the objects whose rows a statement selects and returns how many objects have gone.
    func delete(_ rows: String, _ values: [SQLValue]) throws -> Int {
        try context.statements.prepareDeletion()
        try connection.execute(
            "CREATE TEMP TABLE IF NOT EXISTS \"$deleted\" (entity INTEGER, row INTEGER,"
                + " PRIMARY KEY (entity, row)) WITHOUT ROWID")
        try run("DELETE FROM \(Self.table)")
        defer { try? run("DELETE FROM \(Self.table)") }
        try makeIndexes()
        try list(rows, values)
        guard try connection.value("SELECT 1 FROM \(Self.table) LIMIT 1") != nil else { return 0 }
        try checkDenials()
        try nullify()
        try unlink()
        return try deleteRows()
    }

    // MARK: Steps

    /// Lists the objects, and all that goes with them.
    private func list(_ rows: String, _ values: [SQLValue]) throws {
        let start = "SELECT \(entities[0].index), * FROM (\(rows))"
        let cascades = entities.flatMap { entity in
            DeletionRule.all(of: entity, in: plan).filter { $0.rule == .cascade }
                .map { " UNION \($0.followers)" }
        }
        let sql =
            cascades.isEmpty
            ? start
            : "WITH RECURSIVE doomed (entity, row) AS (\(start)\(cascades.joined()))"
                + " SELECT entity, row FROM doomed"
        let insert = try connection.prepare("INSERT INTO \(Self.table) \(sql)")
        try insert.bind(values)
        try insert.run()
    }

    private func checkDenials() throws {
        for entity in entities {
            for rule in DeletionRule.all(of: entity, in: plan) where rule.rule == .deny {
                let count = try count(rule.remaining)
                guard count > 0 else { continue }
                throw WritingError(
                    entity: entity.name, attribute: rule.name, reason: .denied(count: count))
            }
        }
    }

    /// Empties the columns that lead to what goes; foreign keys would do so too, but can't say so.
    private func nullify() throws {
        for (entity, column) in columnsLeadingHere {
            let name = entity.columnNames[column].sqlName
            let destination = plan.entities[entity.columns[column].destination]
            let leads =
                "\(name) IN (\(Self.rows(of: destination)))"
                + " AND \(entity.rowid) NOT IN (\(Self.rows(of: entity)))"
            if entity.columns[column].isOptional {
                let change = try changes(
                    of: "UPDATE \(entity.table) SET \(name) = NULL WHERE \(leads)")
                if change > 0 { context.count(entity.name) { $0.updated += change } }
            } else {
                let count = try count("SELECT count(*) FROM \(entity.table) WHERE \(leads)")
                guard count > 0 else { continue }
                throw WritingError(
                    entity: entity.name, attribute: entity.columnNames[column],
                    reason: .leftWithout(count: count))
            }
        }
    }

    /// Takes away the links to what goes; those that come from there go by themselves.
    private func unlink() throws {
        for (entity, table, destination) in tablesLeadingHere {
            let change = try changes(
                of: "DELETE FROM \(table.name)"
                    + " WHERE \(table.target) IN (\(Self.rows(of: destination)))")
            guard change > 0 else { continue }
            context.count(entity.name) { $0.unlinked += change }
            context.statements.changes.noteLinks(table)
        }
    }

    private func deleteRows() throws -> Int {
        var total = 0
        for entity in entities {
            let change = try changes(
                of: "DELETE FROM \(entity.table)"
                    + " WHERE \(entity.rowid) IN (\(Self.rows(of: entity)))")
            guard change > 0 else { continue }
            context.count(entity.name) { $0.deleted += change }
            total += change
        }
        return total
    }

    // MARK: What leads to objects that go

    /// To-one columns that lead to entities of which objects go.
    private var columnsLeadingHere: [(EntityPlan, Int)] {
        let goals = Set(entities.map(\.index))
        return plan.entities.flatMap { entity in
            entity.columns.indices.filter { goals.contains(entity.columns[$0].destination) }
                .map { (entity, $0) }
        }
    }

    /// Tables of links that lead to entities of which objects go.
    private var tablesLeadingHere: [(EntityPlan, ToManyPlan.LinkTable, EntityPlan)] {
        let goals = Set(entities.map(\.index))
        return plan.entities.flatMap { entity in
            entity.toMany.compactMap { relationship in
                guard case .table(let table) = relationship.storage,
                    goals.contains(relationship.destination)
                else { return nil }
                return (entity, table, plan.entities[relationship.destination])
            }
        }
    }

    /// Makes the indexes without which each deleted object would cost a look at a whole table.
    ///
    /// A store that nothing is ever deleted from is spared them, and so is importing into it.
    private func makeIndexes() throws {
        for (entity, column) in columnsLeadingHere {
            let name = entity.columnNames[column]
            try makeIndex("\(entity.name).\(name)", on: entity.table, name.sqlName)
        }
        for (entity, table, _) in tablesLeadingHere where table.target == "target" {
            let relationship = entity.toMany.first {
                if case .table(let other) = $0.storage { other.name == table.name } else { false }
            }
            guard let relationship else { continue }
            try makeIndex(
                "\(entity.name).\(relationship.name).inverse", on: table.name, table.target)
        }
    }

    private func makeIndex(_ name: String, on table: String, _ column: String) throws {
        let find = try connection.prepare(
            "SELECT 1 FROM main.sqlite_schema WHERE type = 'index' AND name = ?")
        try find.bind([.text(name)])
        defer { find.reset() }
        guard try !find.step() else { return }
        try connection.execute("CREATE INDEX \(name.sqlName) ON \(table) (\(column))")
    }

    // MARK: SQL

    /// The rows of an entity that are to go.
    static func rows(of entity: EntityPlan) -> String {
        "SELECT row FROM \(table) WHERE entity = \(entity.index)"
    }

    private func run(_ sql: String) throws { try connection.prepare(sql).run() }

    private func changes(of sql: String) throws -> Int {
        try run(sql)
        return connection.changeCount
    }

    private func count(_ sql: String) throws -> Int {
        guard case .integer(let count)? = try connection.value(sql) else { return 0 }
        return Int(count)
    }
}
