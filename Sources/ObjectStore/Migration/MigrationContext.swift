import CLarderSQLite

/// The access to a store that the steps of its migration get.
///
/// While a step runs, the store is still as it was written: its own statements see the tables and
/// columns of the old model. What it hands to `map` runs behind all steps, what it hands to `atEnd`
/// once the tables are those of the new model. Nothing of it stays where anything throws.
public final class MigrationContext {
    /// The model that the store was written with.
    public var oldModel: Model { migrator.old.model }
    /// The model that the store is brought to.
    public var newModel: Model { migrator.new.model }

    private let migrator: Migrator
    private var maps: [(entity: String, body: Map)] = []
    private var endings: [() throws -> Void] = []
    /// Whether the steps' bodies are through.
    private var isPastSteps = false

    /// Whether the closures have run before the objects are numbered.
    private var isMapped = false

    typealias Map = (MigrationObject, inout MigrationObject) throws -> Void

    init(_ migrator: Migrator) { self.migrator = migrator }

    /// Runs one statement of SQL, its parameters bound to values.
    ///
    /// - Throws: `StoreError`, also for more than one statement, for another number of values than
    ///   of parameters, and for statements that would end the transaction, change settings or reach
    ///   other files.
    public func execute(_ sql: String, _ values: SQLValue...) throws {
        try guarded {
            try migrator.connection.checkIsOne(sql, valueCount: values.count)
            try migrator.connection.run(sql, values)
        }
    }

    /// The rows that one statement of SQL finds, its parameters bound to values.
    ///
    /// - Throws: `StoreError`, as `execute` does.
    public func rows(_ sql: String, _ values: SQLValue...) throws -> [[SQLValue]] {
        try guarded {
            try migrator.connection.checkIsOne(sql, valueCount: values.count)
            return try migrator.connection.allRows(sql, values)
        }
    }

    /// Goes through the objects of an entity, as they are to come to the new model: the closure gets
    /// the attributes as they were, and sets those that are to be different from what the migration
    /// makes of them by itself.
    ///
    /// Closures run in the order in which they are handed over.
    ///
    /// An attribute that identifies the objects is set where it has not identified them before, or has changed its
    /// type; links go on to lead to them. None may be left without, nor two be given the same, or the migration is
    /// refused with a `StoreError` that names them, unless the loss of the entity's objects is allowed. Where closures
    /// go through such objects, all of them run before any object is copied: what needs the new tables is for `atEnd`.
    ///
    /// What is known by a reference only is no object, and stays what the migration makes of it.
    ///
    /// - Parameter entity: The entity's name in the new model.
    /// - Throws: `StoreError` where the entity is not in both models, and in a closure of `map` or
    ///   `atEnd`: it is for a step's body.
    public func map(
        _ entity: String,
        _ body: @escaping (_ old: MigrationObject, _ new: inout MigrationObject) throws -> Void
    ) throws {
        guard !isPastSteps else {
            throw StoreError(
                .closed,
                "map is for a step's body: once closures run, another one would not run any more")
        }
        guard migrator.copies[entity] != nil else {
            throw StoreError(
                .unknownEntity, "\(entity) is not an entity of both the old and the new model")
        }
        maps.append((entity, body))
    }

    /// Runs a closure at the end, when the store is what the new model says; behind those that were
    /// handed over before.
    public func atEnd(_ body: @escaping () throws -> Void) {
        endings.append(body)
    }

    // MARK: For the migrator

    /// The entities that closures go through, once for each.
    var mappings: [String] { maps.map(\.entity) }

    var mappedEntities: Set<String> { Set(mappings) }

    var hasEndings: Bool { !endings.isEmpty }

    func run(_ steps: [Migration]) throws {
        for step in steps { try step.body(self) }
        isPastSteps = true
        try checkTemporaryTables()
    }

    func finish() throws {
        // One may hand over another.
        while !endings.isEmpty { try endings.removeFirst()() }
        try checkTemporaryTables()
    }

    /// Lets go of the closures, which hold the context where they use it, and with it the store's connection.
    func letGo() {
        maps = []
        endings = []
    }

    /// Throws where a step has made a temporary table or view by a name of the store's: SQL would find
    /// it in place of that.
    private func checkTemporaryTables() throws {
        let rows = try migrator.connection.allRows(
            "SELECT t.name FROM temp.sqlite_schema AS t JOIN main.sqlite_schema AS s"
                + " ON s.name = t.name COLLATE NOCASE WHERE t.type IN ('table', 'view') LIMIT 1")
        guard let name = rows.first.flatMap({ String(sqlValue: $0[0]) }) else { return }
        throw StoreError(
            .sqlite, "a step has made a temporary \(name), a name that the store's own tables have")
    }

    /// Takes all closures through the objects before these are numbered, where one may set what identifies them: in their
    /// order, as one may use what another has gathered.
    func fillIdentities() throws -> [IdentityFilling] {
        let mapped = mappedEntities
        let fillings = migrator.new.roots.map { IdentityFilling(of: $0, in: migrator) }
            .filter { filling in mapped.contains(where: filling.has) }
        guard fillings.contains(where: { $0.isDue(for: mapped) }) else { return [] }
        for filling in fillings { try filling.begin() }
        for (entity, body) in maps {
            for filling in fillings where filling.has(entity) { try filling.run(entity, body) }
        }
        isMapped = true
        return fillings
    }

    func mapObjects() throws {
        guard !isMapped else { return }
        for (entity, body) in maps {
            guard let copy = migrator.copies[entity] else { continue }
            try ObjectMap(copy: copy, migrator: migrator).run(body)
        }
    }

    /// Runs a body whose statements can't reach beyond the transaction.
    private func guarded<Result>(_ body: () throws -> Result) throws -> Result {
        let connection = migrator.connection.pointer
        sqlite3_set_authorizer(
            connection,
            { _, action, name, _, _, _ in
                switch action {
                // FTS5 asks for it whenever it opens an index.
                case SQLITE_PRAGMA where name.map { String(cString: $0) } == "data_version":
                    SQLITE_OK
                case SQLITE_TRANSACTION, SQLITE_SAVEPOINT, SQLITE_ATTACH, SQLITE_DETACH,
                    SQLITE_PRAGMA:
                    SQLITE_DENY
                default: SQLITE_OK
                }
            }, nil)
        defer { sqlite3_set_authorizer(connection, nil, nil) }
        return try body()
    }
}
