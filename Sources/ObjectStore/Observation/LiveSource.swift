/// A source of an observed value.
protocol LiveSource: Sendable {
    associatedtype Value: Sendable

    /// Reads the value anew, nil where it is what it was; called for one snapshot at a time.
    ///
    /// - Parameter changes: What lies between the snapshot of the last call and this one: all of it,
    ///   and nothing that comes later.
    mutating func evaluate(in snapshot: Snapshot, after changes: Changes) throws -> Value?

    /// The tables and columns that the value was read from.
    var dependencies: Dependencies { get }
}

/// The objects that a query finds; after a change it reads only those which are new or changed.
struct QuerySource<Object: Entity>: LiveSource {
    private let query: Query<Object>
    private let names: TableNames
    private let table: Int
    private let layout: RowLayout
    private var list: LiveList<Object>
    private var isFirst = true
    private(set) var dependencies: Dependencies
    /// The tables and columns that decide which objects are found and in which order.
    private var order: Dependencies

    /// Beyond how many objects reading them one by one is no gain.
    private static var limit: Int { 2_000 }

    init(_ query: Query<Object>, in store: Store, names: TableNames) throws(StoreError) {
        try query.description.checkFindsObjects()
        self.query = query
        self.names = names
        let plan = try store.plan.entity(Object.entityName)
        layout = RowLayout(Object.self, plan)
        table = names.number(of: plan)
        list = LiveList(store: store)
        dependencies = Dependencies(names: names)
        order = dependencies
    }

    mutating func evaluate(
        in snapshot: Snapshot, after changes: Changes
    ) throws -> LiveList<Object>? {
        let reader = try snapshot.reader
        if isFirst { try findDependencies(by: reader) }
        let new = try isFirst ? nil : list(after: changes, by: reader)
        let list = try new ?? wholeList(by: reader)
        defer { isFirst = false }
        if !isFirst, list.isSame(as: self.list) { return nil }
        self.list = list
        return list
    }

    private mutating func findDependencies(by reader: Reader) throws {
        let rowid = layout.columnNames[0]
        order = try reader.connection.dependencies(
            of: try reader.statement(of: query, columns: [rowid]).sql, names)
        dependencies = try reader.connection.dependencies(
            of: try reader.statement(of: query, columns: layout.columnNames).sql, names)
        dependencies.formUnion(order)
    }

    // MARK: All objects

    private func wholeList(by reader: Reader) throws -> LiveList<Object> {
        let (sql, values) = try reader.statement(of: query, columns: layout.columnNames)
        return try read(sql, values, capacity: list.rows.count, by: reader)
    }

    private func read(
        _ sql: String, _ values: [SQLValue], capacity: Int, by reader: Reader
    ) throws -> LiveList<Object> {
        let statement = try reader.connection.prepare(sql)
        try statement.bind(values)
        defer { statement.reset() }
        let recorder = RowRecorder(columnCount: layout.columnNames.count)
        recorder.reserveCapacity(capacity)
        let objects = try Object.objects(
            in: EntityRows(of: statement, layout: layout, store: reader.store, recorder: recorder))
        guard objects.count == recorder.rows.count else {
            throw StoreError(
                .unexpectedValue,
                "\(Object.entityName).objects(in:) does not make an object of each row")
        }
        return LiveList(
            store: reader.store, rows: recorder.rows, fingerprints: recorder.fingerprints,
            objects: objects)
    }

    // MARK: Only what has changed

    /// The objects after changes, nil where all must be read to tell.
    private func list(
        after changes: Changes, by reader: Reader
    ) throws -> LiveList<Object>? {
        if changes.isEverything { return nil }
        // Other tables can't change an object, only which ones are found.
        let changed = changes.tables[table].map(\.rows) ?? ChangedRows()
        guard let changed = changed.rows else { return nil }
        guard order.areAffected(by: changes) else {
            return try list(of: list.rows, changed: changed, by: reader)
        }
        var rows: [Int64] = []
        rows.reserveCapacity(list.rows.count + 1)
        let (sql, values) = try reader.statement(of: query, columns: [layout.columnNames[0]])
        let statement = try reader.connection.prepare(sql)
        try statement.bind(values)
        defer { statement.reset() }
        while try statement.step() { rows.append(statement.integer(at: 0)) }
        return try list(of: rows, changed: changed, by: reader)
    }

    /// The objects in rows, those that have not changed taken from the list before.
    private func list(
        of rows: [Int64], changed: Set<Int64>, by reader: Reader
    ) throws -> LiveList<Object>? {
        if list.rows.isEmpty { return rows.isEmpty ? list : nil }
        let places = RowPlaces(of: rows, in: list.rows, changed: changed)
        guard places.missing.count <= Self.limit else { return nil }
        let read = try objects(in: places.missing.map { rows[$0] }, by: reader)
        guard read.rows.count == places.missing.count else { return nil }
        let found = Dictionary(
            zip(read.rows, read.rows.indices), uniquingKeysWith: { first, _ in first })
        var list = self.list
        if rows != list.rows {
            list.rows = rows
            // What is missing is put in its place below.
            list.fingerprints = places.old.map { self.list.fingerprints[$0] }
            list.objects = places.old.map { self.list.objects[$0] }
        }
        for place in places.missing {
            guard let index = found[rows[place]] else { return nil }
            list.fingerprints[place] = read.fingerprints[index]
            list.objects[place] = read.objects[index]
        }
        return list
    }

    private func objects(in rows: [Int64], by reader: Reader) throws -> LiveList<Object> {
        if rows.isEmpty { return LiveList(store: reader.store) }
        let plan = try reader.store.plan.entity(Object.entityName)
        let columns = layout.columnNames.map { "t0.\($0.sqlName)" }.joined(separator: ", ")
        return try read(
            "SELECT \(columns) FROM json_each(?) AS row CROSS JOIN \(plan.table) AS t0"
                + " ON t0.\(plan.rowid) = row.value",
            [.text(JSONText.array(rows))], capacity: rows.count, by: reader)
    }
}

extension Reader {
    /// The statement of a query and the values to bind in it.
    fileprivate func statement<Object: Entity>(
        of query: Query<Object>, columns: [String]
    ) throws -> (sql: String, values: [SQLValue]) {
        var compiler = QueryCompiler(
            entity: try store.plan.entity(Object.entityName), in: store.plan)
        return (try compiler.select(query.description, columns: columns), compiler.values)
    }
}

/// A value that a closure reads, whatever that is.
struct ReadingSource<Value: Sendable>: LiveSource {
    private(set) var dependencies: Dependencies
    private let names: TableNames
    private let read: @Sendable (Snapshot) throws -> Value
    private let areSame: @Sendable (Value, Value) -> Bool
    private var last: Value?

    /// - Parameter areSame: Whether a value need not be handed on after another.
    init(
        names: TableNames, _ read: @escaping @Sendable (Snapshot) throws -> Value,
        areSame: @escaping @Sendable (Value, Value) -> Bool
    ) {
        self.names = names
        self.read = read
        self.areSame = areSame
        dependencies = Dependencies(names: names)
    }

    mutating func evaluate(in snapshot: Snapshot, after changes: Changes) throws -> Value? {
        // What it reads may depend on what it has read.
        let (value, dependencies) = try snapshot.connection.recordingReads(names) {
            try read(snapshot)
        }
        self.dependencies = dependencies
        if let last, areSame(last, value) { return nil }
        last = value
        return value
    }
}
