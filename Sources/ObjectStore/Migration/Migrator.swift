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
    var copies: [String: EntityCopy]
    /// The new tables whose rows get other numbers, by the names they are to have.
    var renumbered: Set<String> = []
    /// The new tables that closures go through, once for each.
    private var mappedTables: [String] = []
    /// The new tables that stand under a provisional name.
    private var provisional: Set<String> = []
    /// The views that the old model had, which are dropped early.
    private(set) var formerViews: [String: SchemaSnapshot.Part] = [:]
    /// The temporary tables, quoted.
    private var temporary: [String] = []
    private var completed = 0
    private var total = 0

    init(
        connection: Connection, from stored: StoredModel, to new: StorePlan,
        options: MigrationOptions, path: String?
    ) throws {
        let old = try stored.model(named: new.model.name)
        let plan = StorePlan(stored: old)
        self.connection = connection
        self.old = plan
        self.new = new
        self.options = options
        self.path = path
        try ValueConversion.register(on: connection)
        let narrowing = ValueNarrowing(
            from: stored, plan, to: new, isNewer: stored.version < options.version)
        try ValueNarrowing.register(new, on: connection)
        var mapping = ModelMapping(from: old, to: new.model)
        try narrowing.find(in: &mapping, on: connection)
        self.mapping = mapping
        self.plan = MigrationPlan(mapping)
        var copies: [String: EntityCopy] = [:]
        for match in mapping.matches.values {
            let old = try plan.entity(match.old.name)
            copies[match.new.name] = EntityCopy(
                match: match, old: old, new: try new.entity(match.new.name),
                tellsReferences: try connection.hasColumn(
                    EntityPlan.referenceColumn, of: old.family.tableName))
        }
        self.copies = copies
    }

    /// Takes the app's steps and changes the tables; throws where something would be lost.
    func run(from version: Int) throws {
        let context = MigrationContext(self)
        defer { context.letGo() }
        let steps = options.steps(from: version)
        let resolved = MigrationOptions.AllowedLosses(steps.flatMap(\.resolved))
        try context.run(steps)
        let fillings = try context.fillIdentities()
        mappedTables = try context.mappings.map { try new.entity($0).family.tableName }
        let numbers = try largestNumbers()
        try numberRows()
        for filling in fillings { try filling.check() }
        let losses = try losses(excluding: context.mappedEntities)
        try refuse(losses, besides: resolved)
        try changeTables()
        try context.mapObjects()
        try refuse(emptied(in: context.mappedEntities), besides: resolved)
        let timed = try setFetchTimesAside()
        let inDoubt = entitiesInDoubt(context.hasEndings)
        let searches = try staleSearches(mapped: context.mappedEntities)
        try putInPlace()
        try keepFetchTimes(setAside: timed)
        for search in searches { try search.noteAll(on: connection) }
        let entrusted = try EntrustedObjects(of: losses, in: self)
        try context.finish()
        try refuse(entrusted.lost())
        try markReferences(inDoubt)
        try keep(numbers)
        try forgetRows()
        try indexText(searches)
        try checkLinks()
        for name in temporary { try connection.execute("DROP TABLE \(name)") }
    }

    private func refuse(
        _ losses: [MigrationLoss], besides resolved: MigrationOptions.AllowedLosses = []
    ) throws(MigrationError) {
        let losses = losses.filter { loss in
            let destination = old.model[entity: loss.part.entityName]?
                .relationship(named: loss.part.propertyName)?.destination
            return !options.allowedLosses.allows(loss.part, destination: destination)
                && !resolved.allows(loss.part, destination: destination)
        }
        guard losses.isEmpty else { throw MigrationError(losses: losses, plan: plan, path: path) }
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
        formerViews = current.views
        // No table can be renamed while a view reads one that is not there.
        for name in current.views.keys { try connection.execute("DROP VIEW \(name.sqlName)") }
        var rebuilt: [EntityPlan] = []
        for root in new.roots {
            guard let table = target.tables[root.name] else { continue }
            if try extend(current.tables[root.name], to: table, root: root) { continue }
            try createProvisionally(table)
            rebuilt.append(root)
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
        let copied = rebuilt.flatMap(copies(into:))
        total = try copied.reduce(0) { try $0 + rowCount(of: $1) }
        total += try links.reduce(0) { try $0 + connection.number($1.count) }
        for copy in copied { try fill(copy) }
        for link in links {
            for statement in link.statements(into: tableName(link.name)) {
                try connection.execute(statement)
                report(link.entity, connection.changeCount)
            }
        }
    }

    /// Returns the copies that fill a table, of each of its entities that was there before.
    func copies(into root: EntityPlan) -> [EntityCopy] {
        new.members(beside: root).compactMap { copies[$0.name] }
    }

    /// Whether the old table can stay, with columns added where need be.
    private func extend(
        _ current: SchemaSnapshot.Table?, to target: SchemaSnapshot.Table, root: EntityPlan
    ) throws -> Bool {
        guard let current, keepsRows(of: root) else { return false }
        if current == target { return true }
        guard let columns = current.shape.columnsToAdd(for: target.shape) else { return false }
        let statements = columns.map { "ALTER TABLE \(root.table) ADD COLUMN \($0)" }
        guard try Self.trial([current.sql] + statements, of: root.name) == target.shape else {
            return false
        }
        for statement in statements { try connection.execute(statement) }
        for copy in copies(into: root) { try settleReferences(among: copy) }
        return true
    }

    /// Whether all rows of a table stay what they are, of the entities that they are of.
    private func keepsRows(of root: EntityPlan) -> Bool {
        guard let first = copies[root.name], first.old.family.tableName == root.name,
            !renumbered.contains(root.name),
            // Each of several closures gets what was there before any of them.
            mappedTables.count(where: { $0 == root.name }) < 2
        else { return false }
        let copies = copies(into: root)
        return copies.count == first.old.family.members.count && copies.allSatisfy(keepsRows)
    }

    private func keepsRows(_ copy: EntityCopy) -> Bool {
        copy.keepsAttributes && copy.leavesNothing
            && copy.match.new.toOneRelationships.allSatisfy { relationship in
                let sources = mapping.linkSources(of: relationship, in: copy.match.new)
                if sources.isEmpty { return copy.match.relationships[relationship.name] == nil }
                return isDirect(sources) && sources[0].relationship.name == relationship.name
                    && !renumbered.contains(tableName(leadingTo: relationship))
                    && mapping.leavers(
                        of: sources[0].relationship.destination, to: relationship.destination
                    ).isEmpty
            }
    }

    /// The name that the table is to have which a relationship leads to.
    private func tableName(leadingTo relationship: RelationshipDescription) -> String {
        (try? new.entity(relationship.destination))?.family.tableName ?? relationship.destination
    }

    /// Returns the shape of a table after statements, nil where SQLite refuses them.
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
            throw StoreError(.sqlite, "the table can't be made under another name", sql: table.sql)
        }
        provisional.insert(table.name)
        try connection.execute(
            "CREATE TABLE \(tableName(table.name))" + table.sql.dropFirst(head.count))
    }

    // MARK: Copying

    private func rowCount(of copy: EntityCopy) throws -> Int {
        try connection.number("SELECT count(*) FROM \(copy.old.table) AS o WHERE \(copy.isOwn)")
    }

    /// Copies the objects of an entity, a part at a time.
    private func fill(_ copy: EntityCopy) throws {
        let (statement, bounds) = try (
            connection.prepare(insertion(copy)),
            connection.prepare(
                "SELECT max(number) FROM (SELECT \(copy.row) AS number FROM \(copy.old.table) AS o"
                    + " WHERE \(copy.isOwn) AND \(copy.row) >= ? ORDER BY 1 LIMIT 10000)")
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
            report(copy.new.name, connection.changeCount)
            guard end < .max else { return }
            start = end + 1
        }
    }

    private func insertion(_ copy: EntityCopy) throws -> String {
        var columns: [(name: String, value: String)] = []
        let isMapped = renumbered.contains(copy.new.family.tableName)
        let row = isMapped ? "m.new" : copy.row
        if let entity = copy.new.entityColumn {
            columns.append((entity, SQLValue.text(copy.new.name).literal))
        }
        columns.append((EntityPlan.referenceColumn.sqlName, copy.referenceMark))
        if copy.new.hasOwnNumbers { columns.append((copy.new.rowid, row)) }
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
        return "INSERT INTO \(tableName(copy.new.family.tableName))"
            + " (\(columns.map(\.name).joined(separator: ", ")))"
            + " SELECT \(columns.map(\.value).joined(separator: ", ")) FROM \(source)"
            + " WHERE \(copy.row) >= ? AND \(copy.row) <= ? AND \(copy.isOwn)"
            + (isMapped ? " AND m.stays" : "")
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
        // A table of links can have the name that the index of a column had.
        for (name, index) in try SchemaSnapshot(of: connection).indexes
        where target.indexes[name] != index {
            try connection.execute("DROP INDEX \(name.sqlName)")
        }
        for name in provisional {
            try connection.execute("ALTER TABLE \(tableName(name)) RENAME TO \(name.sqlName)")
        }
        provisional = []
        for view in target.views.values { try connection.execute(view.sql) }
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
                + " the first in \(String(sqlValue: row[0]) ?? "")",
            path: path)
    }
}
