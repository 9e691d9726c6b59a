import Dispatch
public import Foundation

/// A database of objects: a file that one model describes.
///
/// A store may be used from any thread and by several processes. Reading sees the last committed
/// transaction and never waits for writing; writing happens in one transaction at a time. Reading
/// inside a transaction, on its thread, sees what the transaction has written so far.
public final class Store: Sendable {
    /// The model that describes the store's objects.
    public var model: Model { plan.model }

    /// The store's file, nil for a store in memory.
    public let path: String?

    /// How the store was opened.
    public let configuration: Configuration

    let plan: StorePlan
    private let writer: Writer
    private let readers: ReaderPool?

    /// Opens a store, making its file where there is none.
    ///
    /// The file and those beside it are only accessible to their owner (mode 0600).
    ///
    /// - Throws: `ModelError` where the entities don't fit together, `StoreError` where the file
    ///   can't be opened, is no store, or was written with another model.
    public convenience init(
        at path: String, entities: any Entity.Type...,
        configuration: Configuration = Configuration()
    ) throws {
        try self.init(at: path, model: Model(entities: entities), configuration: configuration)
    }

    /// Opens a store of a model, making its file where there is none.
    ///
    /// - Throws: `StoreError` where the file can't be opened, is no store, or was written with
    ///   another model.
    public convenience init(
        at path: String, model: Model, configuration: Configuration = Configuration()
    ) throws {
        try self.init(path: path, plan: StorePlan(model), configuration: configuration)
    }

    /// Makes a store in memory, which goes with its last user.
    ///
    /// - Throws: `ModelError` where the entities don't fit together.
    public static func inMemory(
        entities: any Entity.Type..., configuration: Configuration = Configuration()
    ) throws -> Store {
        try inMemory(model: Model(entities: entities), configuration: configuration)
    }

    /// Makes a store of a model in memory, which goes with its last user.
    public static func inMemory(
        model: Model, configuration: Configuration = Configuration()
    ) throws -> Store {
        try Store(path: nil, plan: StorePlan(model), configuration: configuration)
    }

    private init(path: String?, plan: StorePlan, configuration: Configuration) throws {
        let connection = try StoreFile(path: path, configuration: configuration).open(for: plan)
        self.path = path
        self.plan = plan
        self.configuration = configuration
        writer = Writer(connection: connection, plan: plan)
        readers = path.map {
            ReaderPool(
                path: $0, busyTimeout: configuration.busyMilliseconds,
                limit: max(configuration.readerCount, 1))
        }
    }

    // MARK: Writing

    /// Runs a transaction: all that the body writes is in the store when this returns, or nothing
    /// of it where it throws.
    ///
    /// Blocks the calling thread until transactions that came before are done.
    ///
    /// - Throws: What the body throws, or `StoreError`.
    public func write<Result>(_ body: (Context) throws -> Result) throws -> Result {
        try writer.run { connection, statements in
            try connection.transaction("BEGIN IMMEDIATE") {
                let context = Context(store: self, connection: connection, statements: statements)
                defer { context.close() }
                return try body(context)
            }
        }
    }

    /// Writes the objects of a JSON document in one transaction and returns what they make.
    ///
    /// - Throws: `JSONError`, `MappingError`, `DecodingError` or `StoreError`; nothing is stored
    ///   then.
    @discardableResult
    public func insert<Value: Insertable>(
        _ type: Value.Type = Value.self, from json: Data
    ) throws -> Value {
        let document = try JSONDocument(json)
        return try write { try $0.insert(type, from: document.root) }
    }

    // MARK: Reading

    /// The objects that a query finds.
    ///
    /// - Throws: `StoreError` where the store can't be read.
    public func fetch<Object: Entity>(_ query: Query<Object>) throws -> [Object] {
        try read { try $0.objects(query) }
    }

    /// The first object that a query finds, nil where there is none.
    ///
    /// - Throws: `StoreError` where the store can't be read.
    public func first<Object: Entity>(_ query: Query<Object>) throws -> Object? {
        let query = query.limit(min(query.maximumCount ?? 1, 1))
        return try read { try $0.objects(query).first }
    }

    /// How many objects a query finds.
    ///
    /// - Throws: `StoreError` where the store can't be read.
    public func count<Object: Entity>(_ query: Query<Object>) throws -> Int {
        try read { try $0.count(query) }
    }

    func object<Object: Entity>(_ type: Object.Type, row: Int64) throws -> Object {
        try read { try $0.object(type, row: row) }
    }

    func objects<Object: Entity>(_ type: Object.Type, rows: [Int64]) throws -> [Object] {
        try read { try $0.objects(type, rows: rows) }
    }

    func objects<Object: Entity>(
        _ type: Object.Type, of relationship: String, owner: Int64, entity: String
    ) throws -> [Object] {
        try read { try $0.objects(type, of: relationship, owner: owner, entity: entity) }
    }

    func count(of relationship: String, owner: Int64, entity: String) throws -> Int {
        try read { try $0.count(of: relationship, owner: owner, entity: entity) }
    }

    /// Inside a transaction reads see what it has written; a store in memory has one connection
    /// for all.
    private func read<Result>(_ body: (Reader) throws -> Result) throws -> Result {
        if let connection = writer.currentConnection {
            return try body(Reader(connection: connection, store: self))
        }
        guard let readers else {
            return try writer.run { connection, _ in
                try body(Reader(connection: connection, store: self))
            }
        }
        return try readers.run { try body(Reader(connection: $0, store: self)) }
    }
}
