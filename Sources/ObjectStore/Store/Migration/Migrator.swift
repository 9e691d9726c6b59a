/// Brings a store from the model it was written with to another.
///
/// Tables that only gain columns gain them; others are made anew under another name, filled, and
/// take the place of the old ones, as SQLite's documentation of `ALTER TABLE` advises. All of it
/// happens in a transaction of the caller's, with foreign keys off.
final class Migrator {
    let connection: Connection
    let old: StorePlan
    let new: StorePlan
    let mapping: ModelMapping
    let plan: MigrationPlan
    let options: MigrationOptions
    let path: String?
    /// The entities that both models have, by their new names.
    let copies: [String: EntityCopy]
    /// The entities whose rows get other numbers, by their new names.
    private(set) var renumbered: Set<String> = []
    /// The new tables that stand under a provisional name.
    private var provisional: Set<String> = []
    /// The temporary tables, quoted.
    private var temporary: [String] = []
    private var completed = 0
    private var total = 0

    init(
        connection: Connection, from old: Model, to new: StorePlan, options: MigrationOptions,
        path: String?
    ) throws {
        self.connection = connection
        self.old = StorePlan(stored: old)
        self.new = new
        self.options = options
        self.path = path
        mapping = ModelMapping(from: old, to: new.model)
        plan = MigrationPlan(from: old, to: new.model)
        var copies: [String: EntityCopy] = [:]
        for match in mapping.matches.values {
            copies[match.new.name] = EntityCopy(
                match: match, old: try self.old.entity(match.old.name),
                new: try new.entity(match.new.name))
        }
        self.copies = copies
    }

    /// Takes the app's steps and changes the tables; throws where something would be lost.
    func run(from version: Int) throws {
        try ValueConversion.register(on: connection)
        let context = MigrationContext(self)
        try context.run(steps(from: version))
        try numberRows()
        try refuse(losses(excluding: context.mappedEntities))
        try changeTables()
        try context.mapObjects()
        try refuse(emptied(in: context.mappedEntities))
        try putInPlace()
        try context.finish()
        try checkLinks()
        for name in temporary { try connection.execute("DROP TABLE \(name)") }
    }

    private func steps(from version: Int) -> [Migration] {
        options.steps.filter { $0.from >= version && $0.to <= options.version }
            .sorted { ($0.from, $0.to) < ($1.from, $1.to) }
    }

    private func refuse(_ losses: [MigrationLoss]) throws(MigrationError) {
        let resolved = MigrationOptions.AllowedLosses(options.steps.flatMap(\.resolved))
        let losses = losses.filter { loss in
            let destination = old.model[entity: loss.part.entityName]?
                .relationship(named: loss.part.propertyName)?.destination
            return !options.allowedLosses.allows(loss.part, destination: destination)
                && !resolved.allows(loss.part, destination: destination)
        }
        guard losses.isEmpty else { throw MigrationError(losses: losses, plan: plan, path: path) }
    }

    // MARK: Rows

    /// Works out the new numbers of rows whose numbers change.
    private func numberRows() throws {
        for (name, copy) in copies {
            let mayMerge = plan.possibleLosses.contains(MigrationLoss(.entity(name), .duplicate))
            guard let row = copy.newRow(mayMerge: mayMerge) else { continue }
            try createTemporarily(
                copy.mapName, "old INTEGER PRIMARY KEY, new INTEGER, stays INTEGER")
            try connection.execute(
                """
                INSERT INTO \(copy.mapName)
                SELECT old, new, new IS NOT NULL AND old = max(old) OVER (PARTITION BY new)
                FROM (SELECT \(copy.row) AS old, \(row) AS new FROM \(copy.old.table) AS o)
                """)
            renumbered.insert(name)
        }
    }

    /// The new number of the row that an expression gives the old number of.
    func newRow(_ expression: String, of entity: String) -> String {
        guard renumbered.contains(entity), let copy = copies[entity] else { return expression }
        return "(SELECT new FROM \(copy.mapName) WHERE old = \(expression))"
    }

    /// Makes a table that is gone at the end.
    func createTemporarily(_ name: String, _ columns: String) throws(StoreError) {
        try connection.execute("CREATE TABLE \(name) (\(columns))")
        temporary.append(name)
    }

    // MARK: Tables

    /// The name, quoted, that a new table has at this moment.
    func tableName(_ name: String) -> String {
        (provisional.contains(name) ? "$new.\(name)" : name).sqlName
    }

    private func changeTables() throws {
        let current = try SchemaSnapshot(of: connection)
        let target = try SchemaSnapshot.fresh(new)
        for name in current.triggers.keys {
            try connection.execute("DROP TRIGGER \(name.sqlName)")
        }
        var rebuilt: [EntityPlan] = []
        for entity in new.entities {
            guard let table = target.tables[entity.name] else { continue }
            if try extend(current.tables[entity.name], to: table, entity: entity) { continue }
            try createProvisionally(table)
            rebuilt.append(entity)
        }
        var links: [LinkCopy] = []
        for entity in new.entities {
            for link in try linkCopies(of: entity) {
                guard let table = target.tables[link.name] else { continue }
                if link.isUnchanged, current.tables[link.name] == table { continue }
                try createProvisionally(table)
                links.append(link)
            }
        }
        total = try rebuilt.reduce(0) { try $0 + rowCount(of: copies[$1.name]) }
        total += try links.reduce(0) { try $0 + connection.number($1.count) }
        for entity in rebuilt { try fill(entity) }
        for link in links {
            for statement in link.statements(into: tableName(link.name)) {
                try connection.execute(statement)
                report(link.entity, connection.changeCount)
            }
        }
    }

    /// Whether the old table can stay, with columns added where need be.
    private func extend(
        _ current: SchemaSnapshot.Table?, to target: SchemaSnapshot.Table, entity: EntityPlan
    ) throws -> Bool {
        guard let current, let copy = copies[entity.name], keepsRows(copy) else { return false }
        if current == target { return true }
        guard let columns = current.shape.columnsToAdd(for: target.shape) else { return false }
        let statements = columns.map { "ALTER TABLE \(entity.table) ADD COLUMN \($0)" }
        guard try Self.trial([current.sql] + statements, of: entity.name) == target.shape else {
            return false
        }
        for statement in statements { try connection.execute(statement) }
        return true
    }

    private func keepsRows(_ copy: EntityCopy) -> Bool {
        copy.keepsAttributes && !renumbered.contains(copy.new.name)
            && copy.match.new.toOneRelationships.allSatisfy { relationship in
                let sources = mapping.linkSources(of: relationship, in: copy.match.new)
                if sources.isEmpty { return copy.match.relationships[relationship.name] == nil }
                return isDirect(sources) && sources[0].relationship.name == relationship.name
                    && !renumbered.contains(relationship.destination)
            }
    }

    /// What a table would be after statements, nil where SQLite refuses them.
    private static func trial(_ statements: [String], of table: String) throws -> TableShape? {
        let scratch = try Connection(
            path: ":memory:", creates: true, readOnly: false, busyTimeout: 0)
        do {
            for statement in statements { try scratch.execute(statement) }
        } catch {
            return nil
        }
        return try TableShape(table, of: scratch)
    }

    private func createProvisionally(_ table: SchemaSnapshot.Table) throws {
        let head = "CREATE TABLE \(table.name.sqlName)"
        guard table.sql.hasPrefix(head) else {
            throw StoreError(.sql, "the table can't be made under another name", sql: table.sql)
        }
        provisional.insert(table.name)
        try connection.execute(
            "CREATE TABLE \(tableName(table.name))" + table.sql.dropFirst(head.count))
    }

    // MARK: Copying

    private func rowCount(of copy: EntityCopy?) throws -> Int {
        guard let copy else { return 0 }
        return try connection.number("SELECT count(*) FROM \(copy.old.table)")
    }

    /// Copies the objects of an entity, a part at a time.
    private func fill(_ entity: EntityPlan) throws {
        guard let copy = copies[entity.name] else { return }
        let (statement, bounds) = try (
            connection.prepare(insertion(copy)),
            connection.prepare(
                "SELECT max(number) FROM (SELECT \(copy.row) AS number FROM \(copy.old.table) AS o"
                    + " WHERE \(copy.row) > ? ORDER BY 1 LIMIT 10000)")
        )
        var start = Int64.min
        while true {
            bounds.bind(start, at: 1)
            guard try bounds.step(), !bounds.isNull(at: 0) else { return bounds.reset() }
            let end = bounds.integer(at: 0)
            bounds.reset()
            statement.bind(start, at: 1)
            statement.bind(end, at: 2)
            try statement.run()
            report(entity.name, connection.changeCount)
            start = end
        }
    }

    private func insertion(_ copy: EntityCopy) throws -> String {
        var columns: [(name: String, value: String)] = []
        let isMapped = renumbered.contains(copy.new.name)
        let row = isMapped ? "m.new" : copy.row
        if copy.new.rowid == "$id".sqlName { columns.append((copy.new.rowid, row)) }
        for attribute in copy.match.new.attributes {
            if attribute.name.sqlName == copy.new.rowid {
                columns.append((copy.new.rowid, row))
            } else if let value = copy.value(of: attribute) {
                columns.append((attribute.name.sqlName, value))
            }
        }
        for relationship in copy.match.new.toOneRelationships {
            if let value = try target(of: relationship, in: copy) {
                columns.append((relationship.name.sqlName, value))
            }
        }
        let source =
            isMapped
            ? "\(copy.mapName) AS m CROSS JOIN \(copy.old.table) AS o ON \(copy.row) = m.old"
            : "\(copy.old.table) AS o"
        return "INSERT INTO \(tableName(copy.new.name))"
            + " (\(columns.map(\.name).joined(separator: ", ")))"
            + " SELECT \(columns.map(\.value).joined(separator: ", ")) FROM \(source)"
            + " WHERE \(copy.row) > ? AND \(copy.row) <= ?\(isMapped ? " AND m.stays" : "")"
    }

    private func report(_ entity: String, _ count: Int) {
        completed += count
        options.progress?(
            MigrationProgress(entity: entity, completed: completed, total: max(total, completed)))
    }

    // MARK: The end

    /// Drops what is not needed any more and gives the new tables and indexes their names.
    private func putInPlace() throws {
        let target = try SchemaSnapshot.fresh(new)
        for name in try SchemaSnapshot(of: connection).tables.keys
        where !name.hasPrefix("$new.") && (target.tables[name] == nil || provisional.contains(name))
        {
            try connection.execute("DROP TABLE \(name.sqlName)")
        }
        for name in provisional {
            try connection.execute("ALTER TABLE \(tableName(name)) RENAME TO \(name.sqlName)")
        }
        provisional = []
        for (name, index) in try SchemaSnapshot(of: connection).indexes
        where target.indexes[name] != index {
            try connection.execute("DROP INDEX \(name.sqlName)")
        }
        let current = try SchemaSnapshot(of: connection)
        for (name, index) in target.indexes where current.indexes[name] == nil {
            try connection.execute(index.sql)
        }
        for (name, table) in target.tables where current.tables[name] == nil {
            try connection.execute(table.sql)
        }
        for trigger in target.triggers.values { try connection.execute(trigger.sql) }
    }

    private func checkLinks() throws {
        let rows = try connection.allRows("PRAGMA foreign_key_check")
        guard let row = rows.first else { return }
        throw StoreError(
            .constraint,
            "the migration would leave \(rows.count) links to objects that are not there,"
                + " the first in \(row[0])",
            path: path)
    }
}
