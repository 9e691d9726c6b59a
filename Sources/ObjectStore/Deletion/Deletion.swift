/// Deletes objects by the rules of their relationships, in a few statements however many they are.
///
/// The objects to go are first listed in a temporary table, which the rules are then checked
/// against: what goes along denies nothing, whichever order the objects stand in. They are listed by
/// their tables, which the entities of a family share.
struct Deletion {
    let plan: StorePlan
    let statements: WriteStatements
    /// The receiver of notes on what it does.
    let log: any DeletionLog
    /// The entities that the tables are named after which the deletion can reach, those that it starts from
    /// first.
    let roots: [EntityPlan]
    /// The rules of all relationships in these tables.
    let rules: [DeletionRule]
    /// The entities that the deletion starts from.
    private let starts: [EntityPlan]
    /// The entities of which objects may go.
    private let goals: Set<Int>

    var connection: Connection { statements.connection }

    /// The table of the objects that are to go.
    static let table = "temp.\"$deleted\""
    /// What statements call those that they find to go, and those that stay: no entity has such a name.
    static let doomed = "\"$doomed\""
    static let held = "\"$held\""

    init(of entity: EntityPlan, in context: Context) {
        self.init(
            of: entity, in: context.store.plan, by: context.statements, telling: context)
    }

    init(
        of entity: EntityPlan, in plan: StorePlan, by statements: WriteStatements,
        telling log: any DeletionLog
    ) {
        self.init(of: [entity], in: plan, by: statements, telling: log)
    }

    /// A deletion of objects of several entities, which go together.
    ///
    /// - Parameter sparing: The indices of entities of whose tables nothing goes along.
    init(
        of entities: [EntityPlan], in plan: StorePlan, by statements: WriteStatements,
        telling log: any DeletionLog, sparing spared: Set<Int> = []
    ) {
        self.plan = plan
        self.statements = statements
        self.log = log
        starts = entities
        var roots: [EntityPlan] = []
        for root in entities.map(plan.root) where !roots.contains(where: { $0 === root }) {
            roots.append(root)
        }
        var reached = Set(roots.map(\.index))
        var rules: [DeletionRule] = []
        var next = 0
        while next < roots.count {
            let found = DeletionRule.all(of: roots[next], in: plan).filter {
                $0.rule != .cascade || !spared.contains($0.destination.index)
            }
            for rule in found
            where rule.rule == .cascade && reached.insert(rule.destination.index).inserted {
                roots.append(rule.destination)
            }
            rules += found
            next += 1
        }
        self.roots = roots
        self.rules = rules
        goals = Set(roots.flatMap(\.family.members))
    }

    /// Deletes the objects in rows and returns how many objects have gone.
    func delete(_ rows: [Int64]) throws -> Int { try delete([rows]) }

    /// Deletes the objects in rows of each of the entities that it starts from, together, and returns how
    /// many objects have gone.
    func delete(_ rows: [[Int64]]) throws -> Int {
        guard rows.contains(where: { !$0.isEmpty }) else { return 0 }
        return try deleting { try list(rows) }
    }

    /// Deletes the objects whose rows a statement selects and returns how many objects have gone.
    ///
    /// - Parameter isSparing: Whether objects stay, instead of it being an error, that can't go or of
    ///   which something can't go that goes along.
    func delete(_ rows: String, _ values: [SQLValue], isSparing: Bool = false) throws -> Int {
        try deleting {
            if isSparing {
                try listWhatCanGo(rows, values)
            } else {
                try list("SELECT \(roots[0].index), * FROM (\(rows))", values)
            }
        }
    }

    /// Deletes what a body lists and returns how many objects have gone.
    private func deleting(_ list: () throws -> Void) throws -> Int {
        try statements.prepareDeletion()
        try makeTable("$deleted")
        defer { try? run("DELETE FROM \(Self.table)") }
        try makeIndexes()
        try list()
        guard try connection.value("SELECT 1 FROM \(Self.table) LIMIT 1") != nil else { return 0 }
        try checkDenials()
        try nullify()
        try unlink()
        return try deleteRows()
    }

    // MARK: Steps

    /// Makes an empty temporary table of objects.
    func makeTable(_ name: String) throws {
        try connection.execute(
            "CREATE TEMP TABLE IF NOT EXISTS \(name.sqlName) (entity INTEGER, row INTEGER,"
                + " PRIMARY KEY (entity, row)) WITHOUT ROWID")
        try run("DELETE FROM temp.\(name.sqlName)")
    }

    /// Lists the objects in rows of each of the entities that it starts from, and all that goes with them.
    func list(_ rows: [[Int64]]) throws {
        let parts = zip(starts, rows).enumerated().map { index, part in
            let (start, _) = part
            return "SELECT \(plan.root(of: start).index), t.\(start.rowid)"
                + " FROM json_each(?\(index + 1)) AS l"
                + " CROSS JOIN \(start.table) AS t ON t.\(start.rowid) = l.value"
                + (start.rowScope("t").map { " WHERE \($0)" } ?? "")
        }
        try list(parts.joined(separator: " UNION "), rows.map { .text(JSONText.array($0)) })
    }

    /// Lists the objects that a statement selects, as entity and row, and all that goes with them.
    func list(_ start: String, _ values: [SQLValue]) throws {
        let cascades = rules.filter { $0.rule == .cascade }.map { " UNION \($0.followers)" }
        let sql =
            cascades.isEmpty
            ? start
            : "WITH RECURSIVE \(Self.doomed) (entity, row) AS (\(start)\(cascades.joined()))"
                + " SELECT entity, row FROM \(Self.doomed)"
        // What is named twice goes once.
        let insert = try connection.prepare("INSERT OR IGNORE INTO \(Self.table) \(sql)")
        try insert.bind(values)
        try insert.run()
    }

    private func checkDenials() throws {
        for rule in rules where rule.rule == .deny {
            let count = try count(rule.remaining)
            guard count > 0 else { continue }
            throw WritingError(
                entity: rule.entity, attribute: rule.name, reason: .denied(count: count))
        }
    }

    /// Empties the columns that lead to what goes; foreign keys would do so too, but can't say so.
    private func nullify() throws {
        for entity in plan.entities {
            let columns = columnsLeadingHere(of: entity)
            let required = columns.filter { !entity.columns[$0].isOptional }
            if log.mayComplete {
                try empty(required, areRequired: true, of: entity)
            } else {
                for column in required {
                    let count = try count(
                        "SELECT count(*) FROM \(entity.table) AS t WHERE "
                            + leads(by: column, of: entity))
                    guard count > 0 else { continue }
                    throw WritingError(
                        entity: entity.name, attribute: entity.columnNames[column],
                        reason: .leftWithout(count: count))
                }
            }
            try empty(
                columns.filter { entity.columns[$0].isOptional }, areRequired: false, of: entity)
        }
    }

    /// Empties columns by one statement, so that an object which loses several links is one.
    private func empty(_ columns: [Int], areRequired: Bool, of entity: EntityPlan) throws {
        guard !columns.isEmpty else { return }
        let values: [String]
        let condition: String
        if columns.count == 1 {
            values = ["\(entity.columnNames[columns[0]].sqlName) = NULL"]
            condition = leads(by: columns[0], of: entity)
        } else {
            values = columns.map { column in
                let name = entity.columnNames[column].sqlName
                let goal = rows(beside: plan.entities[entity.columns[column].destination])
                return "\(name) = CASE WHEN t.\(name) IN (\(goal)) THEN NULL ELSE t.\(name) END"
            }
            // Each column by its own index.
            let found = columns.map {
                "SELECT t.\(entity.rowid) FROM \(entity.table) AS t"
                    + " WHERE \(leads(by: $0, of: entity))"
            }
            condition = "t.\(entity.rowid) IN (\(found.joined(separator: " UNION ")))"
        }
        let change = try change(
            by: "UPDATE \(entity.table) AS t SET \(values.joined(separator: ", "))"
                + " WHERE \(condition)",
            of: entity)
        if change.count > 0 { log.noteEmptied(change, areRequired: areRequired, of: entity) }
    }

    /// The condition for objects that stay and that a column leads to what goes.
    private func leads(by column: Int, of entity: EntityPlan) -> String {
        let destination = plan.entities[entity.columns[column].destination]
        return "t.\(entity.columnNames[column].sqlName) IN (\(rows(beside: destination)))"
            + " AND t.\(entity.rowid) NOT IN (\(rows(beside: entity)))"
            + (entity.ownScope("t").map { " AND \($0)" } ?? "")
    }

    /// Takes away the links to what goes; those that come from there go by themselves.
    private func unlink() throws {
        for (entity, table, destination) in tablesLeadingHere {
            let change = try changes(
                of: "DELETE FROM \(table.name) AS l"
                    + " WHERE l.\(table.target) IN (\(rows(beside: destination)))"
                    + (entity.ownScope("t").map {
                        " AND EXISTS (SELECT 1 FROM \(entity.table) AS t"
                            + " WHERE t.\(entity.rowid) = l.\(table.source) AND \($0))"
                    } ?? ""))
            guard change > 0 else { continue }
            log.noteUnlinked(change, of: entity)
            statements.changes.noteLinks(table)
        }
    }

    private func deleteRows() throws -> Int {
        var total = 0
        for root in roots {
            try RowNumbers.keep(Self.rows(of: root), of: root, on: connection)
            try noteDepartures(of: root)
        }
        for entity in roots.flatMap(plan.members) {
            let change = try change(
                by: "DELETE FROM \(entity.table) AS t"
                    + " WHERE t.\(entity.rowid) IN (\(rows(beside: entity)))"
                    + (entity.ownScope("t").map { " AND \($0)" } ?? ""),
                of: entity)
            guard change.count > 0 else { continue }
            log.noteDeleted(change, of: entity)
            total += change.count
        }
        return total
    }

    /// Notes the rows that are about to go where others may get their numbers.
    private func noteDepartures(of root: EntityPlan) throws {
        guard !root.hasOwnNumbers else { return }
        let room = max(NotedRows.limit - statements.notedRows.count, 0)
        // Any number of them where that is below 0.
        let limit = statements.rowLog.isWatched ? -1 : Int64(room)
        guard limit != 0 else { return }
        let select = try connection.prepare("\(Self.rows(of: root)) LIMIT ?")
        try select.bind([.integer(limit)])
        defer { select.reset() }
        while try select.step() {
            statements.notedRows.append(
                NotedRow(note: .gone(root: root.index), row: select.integer(at: 0)))
        }
    }

    // MARK: What leads to objects that go

    /// To-one columns that lead to entities of which objects go.
    var columnsLeadingHere: [(EntityPlan, Int)] {
        plan.entities.flatMap { entity in columnsLeadingHere(of: entity).map { (entity, $0) } }
    }

    private func columnsLeadingHere(of entity: EntityPlan) -> [Int] {
        return entity.columns.indices.filter { goals.contains(entity.columns[$0].destination) }
    }

    /// Tables of links that lead to entities of which objects go.
    private var tablesLeadingHere: [(EntityPlan, LinkSide, EntityPlan)] {
        return plan.entities.flatMap { entity in
            entity.toMany.compactMap { relationship in
                guard case .table(let table) = relationship.storage,
                    goals.contains(relationship.destination)
                else { return nil }
                return (entity, table, plan.entities[relationship.destination])
            }
        }
    }

    /// Makes the indexes that are missing.
    private func makeIndexes() throws {
        for (name, statement) in Schema(plan: plan).deletionIndexes(leadingTo: goals) {
            let find = try connection.prepare(
                "SELECT 1 FROM main.sqlite_schema WHERE type = 'index' AND name = ?")
            try find.bind([.text(name)])
            defer { find.reset() }
            if try !find.step() { try connection.execute(statement) }
        }
    }

    // MARK: SQL

    /// The rows that are to go of the table that is named after an entity.
    static func rows(of root: EntityPlan) -> String {
        "SELECT row FROM \(table) WHERE entity = \(root.index)"
    }

    /// The condition that a row is to go, looked up by itself: whoever asks about few of many rows.
    static func isToGo(_ row: String, of root: EntityPlan) -> String {
        "EXISTS (SELECT 1 FROM \(table) AS d WHERE d.entity = \(root.index) AND d.row = \(row))"
    }

    /// The rows that are to go of an entity's table.
    func rows(beside entity: EntityPlan) -> String { Self.rows(of: plan.root(of: entity)) }

    func run(_ sql: String) throws { try connection.prepare(sql).run() }

    private func change(by sql: String, of entity: EntityPlan) throws -> DeletionChange {
        guard log.wantsRows(of: entity) else {
            return DeletionChange(count: try changes(of: sql), rows: nil)
        }
        let rows = try connection.allRows("\(sql) RETURNING \(entity.rowid)").compactMap { row in
            if case .integer(let row) = row[0] { row } else { nil }
        }
        return DeletionChange(count: rows.count, rows: rows)
    }

    private func changes(of sql: String) throws -> Int {
        try run(sql)
        return connection.changeCount
    }

    private func count(_ sql: String) throws -> Int {
        guard case .integer(let count)? = try connection.value(sql) else { return 0 }
        return Int(count)
    }
}
