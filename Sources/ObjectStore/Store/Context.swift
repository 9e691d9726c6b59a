/// One transaction on a store: what is written in it is in the store whole, or not at all.
///
/// A context is only valid in the closure that it is handed to, and belongs to its thread.
public final class Context {
    /// The store that the transaction is on.
    public let store: Store

    /// What importing JSON has done so far in this transaction.
    public var report: ImportReport {
        guard let mapper else { return finished }
        var report = finished
        report += mapper.report
        return report
    }

    private let connection: Connection
    private let statements: MapperStatements
    private var isOpen = true
    /// The mapper of the document that was inserted from last, which knows what it has met in it.
    private var mapper: Mapper?
    /// What the mappers of other documents have done.
    private var finished = ImportReport()

    init(store: Store, connection: Connection, statements: MapperStatements) {
        self.store = store
        self.connection = connection
        self.statements = statements
    }

    /// Writes the objects of a JSON value and returns what they make.
    ///
    /// - Throws: `MappingError`, `DecodingError` or `StoreError`; nothing of the value is written
    ///   then, and the transaction can go on where the error is caught.
    @discardableResult
    public func insert<Value: Insertable>(
        _ type: Value.Type = Value.self, from value: JSONValue
    ) throws -> Value {
        try checkOpen()
        return try whole { try Value.insert(from: value, in: self) }
    }

    /// The objects that a query finds, this transaction's own changes included.
    public func fetch<Object: Entity>(_ query: Query<Object>) throws -> [Object] {
        try reader.objects(query)
    }

    /// How many objects a query finds, this transaction's own changes included.
    public func count<Object: Entity>(_ query: Query<Object>) throws -> Int {
        try reader.count(query)
    }

    /// Ends the context; who has kept it gets errors from now on.
    func close() {
        finished = report
        mapper = nil
        isOpen = false
    }

    /// Runs a body of which nothing is left where it throws.
    private func whole<Result>(_ body: () throws -> Result) throws -> Result {
        finished = report
        mapper = nil
        let before = finished
        try connection.execute("SAVEPOINT \"insert\"")
        do {
            let result = try body()
            try connection.execute("RELEASE \"insert\"")
            return result
        } catch {
            finished = before
            mapper = nil
            // SQLite has rolled back by itself after some failures, such as a full disk.
            if connection.isInTransaction {
                try connection.execute("ROLLBACK TO \"insert\"; RELEASE \"insert\"")
            }
            throw error
        }
    }

    private func checkOpen() throws(StoreError) {
        guard isOpen else {
            throw StoreError(.closed, "the context is used after its transaction has ended")
        }
    }

    private var reader: Reader {
        get throws(StoreError) {
            try checkOpen()
            return Reader(connection: connection, store: store)
        }
    }

    // MARK: For insertable types

    /// Writes the object at a value and returns its row.
    func map(_ value: JSONValue, as entity: String) throws -> Int64 {
        let plan = try store.plan.entity(entity)
        return try withMapper(for: value) { try $0.map(value.node, as: plan) }
    }

    /// Writes the objects of an array and returns their rows; null elements are passed over.
    func mapElements(of value: JSONValue, as entity: String) throws -> [Int64] {
        let plan = try store.plan.entity(entity)
        return try withMapper(for: value) { mapper in
            guard value.kind == .array else {
                throw mapper.unexpected(value.node, "an array", entity: plan, field: nil)
            }
            return try mapper.mapElements(of: value.node, as: plan)
        }
    }

    func object<Object: Entity>(_ type: Object.Type, row: Int64) throws -> Object {
        try reader.object(type, row: row)
    }

    func objects<Object: Entity>(_ type: Object.Type, rows: [Int64]) throws -> [Object] {
        try reader.objects(type, rows: rows)
    }

    private func withMapper<Result>(
        for value: JSONValue, _ body: (Mapper) throws -> Result
    ) throws -> Result {
        try checkOpen()
        let mapper = mapper(of: value.storage)
        let result = try body(mapper)
        try mapper.checkCompleteness()
        return result
    }

    private func mapper(of document: JSONDocument.Storage) -> Mapper {
        if let mapper, mapper.document === document { return mapper }
        finished = report
        let mapper = Mapper(document: document, plan: store.plan, statements: statements)
        self.mapper = mapper
        return mapper
    }
}
