import Dispatch
import Foundation

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

    /// The settings that the store was opened with.
    public let configuration: Configuration

    let plan: StorePlan
    private let folder: StoreFolder?
    let observers = Observers()
    /// Those who want to hear that all that is kept of responses has gone with all objects.
    package let keptObservers = KeptObservers()
    let order: CommitOrder
    /// Nil for a store in memory, which nobody else can change.
    private let watch: ModelWatch?
    let tableNames: TableNames
    let writer: Writer
    private let readers: ReaderPool?

    /// Opens a store, making its file where there is none.
    ///
    /// The file and those beside it are only accessible to their owner (mode 0600). A store that was
    /// written with another model is brought to this one; see `Configuration.migration`; by one of no
    /// entities nothing is kept. Symbolic links are not followed.
    ///
    /// - Throws: `ModelError` where the entities don't fit together, `StoreError` where the file
    ///   can't be opened or is no store, `MigrationError` where it was written with another model and
    ///   would lose something by this one.
    public convenience init(
        at path: String, entities: any Entity.Type...,
        configuration: Configuration = Configuration()
    ) throws {
        try self.init(at: path, model: Model(entities: entities), configuration: configuration)
    }

    /// Opens a store of a model, making its file where there is none.
    ///
    /// - Throws: `StoreError` where the file can't be opened or is no store, `MigrationError` where
    ///   it was written with another model and would lose something by this one, `ModelError` where
    ///   the model names a transformer that nobody knows.
    public convenience init(
        at path: String, model: Model, configuration: Configuration = Configuration()
    ) throws {
        try self.init(
            path: path, plan: StorePlan(model, configuration: configuration),
            configuration: configuration)
    }

    /// Makes a store in memory, which goes with its last user; of no entities where nothing is to be stored.
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
        try Store(
            path: nil, plan: StorePlan(model, configuration: configuration),
            configuration: configuration)
    }

    /// - Parameter folder: A folder that goes with the store.
    init(
        path: String?, plan: StorePlan, configuration: Configuration, folder: StoreFolder? = nil
    ) throws {
        let path = path.map(StoreFile.absolutePath)
        let (connection, stored) = try StoreFile.open(
            path, for: plan, configuration: configuration)
        self.folder = folder
        self.path = path
        self.plan = plan
        tableNames = TableNames(plan)
        self.configuration = configuration
        watch = path.map { ModelWatch(stored, path: $0) }
        let file = path.map { OpenFile($0, of: connection, configuration: configuration) }
        order = CommitOrder(of: file)
        writer = Writer(
            connection: connection, plan: plan, observers: observers, order: order,
            watch: watch, patience: .milliseconds(Int(configuration.busyMilliseconds)))
        readers = file.map { [watch] in
            ReaderPool($0, limit: Swift.max(configuration.readerCount, 1), watch: watch)
        }
        if path != nil { watchForeignCommits() }
    }

    /// The number of times that the file's model, or what values its attributes take, has become another.
    package var modelGeneration: Int { watch?.generation ?? 0 }

    deinit {
        // Before the writer's connection, which can only carry the log over as the last one.
        try? readers?.close()
        order.close()
    }

    // MARK: Writing

    /// Runs a transaction: all that the body writes is in the store when this returns, or nothing
    /// of it where it throws.
    ///
    /// Blocks the calling thread until transactions that came before are done.
    ///
    /// - Throws: What the body throws, or `StoreError`.
    @discardableResult
    public func write<Result>(_ body: (Context) throws -> Result) throws -> Result {
        try writer.run { try transaction(on: $0, $1, body) }
    }

    // MARK: Reading

    /// Runs a body that reads the store as it is now, whatever is written in the meantime.
    ///
    /// All that the body reads through the snapshot, or through objects that it has read, belongs
    /// together. A snapshot that is kept for long keeps the store's log from being shortened, so
    /// that the file grows with each transaction until it ends.
    ///
    /// - Throws: What the body throws, or `StoreError`.
    public func read<Result>(_ body: (Snapshot) throws -> Result) throws -> Result {
        try withConnection { try snapshot(on: $0, body) }
    }

    func object<Object: Entity>(_ type: Object.Type, row: Int64) throws -> Object {
        try readingOnce { try $0.reader.object(type, row: row) }
    }

    func objects<Object: Entity>(_ type: Object.Type, rows: [Int64]) throws -> [Object] {
        try readingOnce { try $0.reader.objects(type, rows: rows) }
    }

    func objects<Object: Entity>(
        _ type: Object.Type, of relationship: String, owner: Int64, entity: String
    ) throws -> [Object] {
        try readingOnce {
            try $0.reader.objects(type, of: relationship, owner: owner, entity: entity)
        }
    }

    func count(of relationship: String, owner: Int64, entity: String) throws -> Int {
        try readingOnce { try $0.reader.count(of: relationship, owner: owner, entity: entity) }
    }

    /// Reads with one statement, which is a snapshot by itself.
    func readingOnce<Result>(_ body: (Snapshot) throws -> Result) throws -> Result {
        try withConnection { connection in
            let snapshot = Snapshot(store: self, connection: connection)
            guard let watch, !connection.isInTransaction else { return try body(snapshot) }
            return try watch.checking(connection) { try body(snapshot) }
        }
    }

    /// Inside a transaction reads see what it has written; a store in memory has one connection
    /// for all.
    private func withConnection<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        if let connection = writer.currentConnection { return try body(connection) }
        guard let readers else { return try writer.run { connection, _ in try body(connection) } }
        return try readers.run(body)
    }

    /// Runs a body with a connection of its own that reads, that of a store in memory with the only
    /// one.
    ///
    /// - Throws: What the body throws, or `StoreError`, also where the file has been brought to another
    ///   model.
    func maintain<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        guard let readers else {
            return try writer.run { connection, _ in try body(connection) }
        }
        return try readers.visiting { connection in
            guard let watch else { return try body(connection) }
            return try watch.checking(connection) {
                try watch.checkUnlessDamaged(connection)
                return try body(connection)
            }
        }
    }

    /// Runs a body with the connection that writes, outside of a transaction.
    func withWriter<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        try writer.run { connection, _ in
            try watch?.check(connection)
            return try body(connection)
        }
    }

    /// Runs a body with the connection that writes, in a transaction in which nobody else does: the model stays the one
    /// that is looked at first.
    func withWriterAlone<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        try writer.run { connection, _ in
            try connection.transaction("BEGIN IMMEDIATE") {
                try watch?.check(connection)
                return try body(connection)
            }
        }
    }

    /// Throws where what several statements have found may be of another model, as that is the file's by now.
    func checkModelUnlessDamaged(_ connection: Connection) throws {
        try watch?.checkUnlessDamaged(connection)
    }

    // MARK: Closing

    /// Closes the store once all that is going on has ended; later calls are errors.
    ///
    /// A store that nobody uses any more closes by itself. Closing one that is closed does nothing.
    ///
    /// - Throws: `StoreError` with the reason `reentrant` where the calling code reads or writes it.
    public func close() throws {
        try readers?.checkIsOutside()
        // The last connection to go carries the log over and removes it, which readers can't.
        let last = try writer.close()
        defer { last?.close() }
        try readers?.close()
        order.close()
        // Those who observe find out that there is nothing to read any more.
        observers.publish(.everything)
    }
}

// MARK: Parts of calls

extension Store {
    /// Runs a body as one transaction.
    func transaction<Result>(
        on connection: Connection, _ statements: WriteStatements,
        _ body: (Context) throws -> Result
    ) throws -> Result {
        try writer.transaction(with: statements) {
            let context = Context(store: self, connection: connection, statements: statements)
            defer { context.close() }
            do {
                let result = try body(context)
                try connection.interruption?.check()
                try context.willCommit()
                return result
            } catch {
                statements.prepareRollback()
                throw error
            }
        }
    }

    /// Runs a body that sees one state of the store.
    ///
    /// - Parameter beginning: Runs what it gets, which begins to read.
    private func snapshot<Result>(
        on connection: Connection,
        beginning: (() throws -> Void) throws -> Void = { try $0() },
        _ body: (Snapshot) throws -> Result
    ) throws -> Result {
        let snapshot = Snapshot(store: self, connection: connection)
        defer { snapshot.close() }
        if connection.isInTransaction || readers == nil {
            try beginning {}
            return try body(snapshot)
        }
        return try connection.transaction("BEGIN") {
            // The state is that of the first read, not that of the beginning.
            try beginning { try watch?.check(connection) }
            return try body(snapshot)
        }
    }

    /// Runs a body that sees one state of the store, for who observes.
    ///
    /// - Parameter take: Takes what has been told to who observes, which is exactly what the
    ///   snapshot holds.
    func readInOrder<Told, Result>(
        _ take: () -> Told, _ body: (Snapshot, Told) throws -> Result
    ) throws -> Result {
        try withConnection { connection in
            var told: Told?
            return try snapshot(on: connection) { begin in
                told = try order.snapshot(begin) { isForeign in
                    if isForeign { observers.publish(.everything) }
                    return take()
                }
            } _: { snapshot in
                try body(snapshot, told ?? take())
            }
        }
    }

    /// Runs a transaction on the writer's own queue.
    func startWriting<Value: Sendable>(
        _ body: @escaping @Sendable (Context) throws -> Value,
        finish: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) -> BackgroundJob {
        writer.start({ try self.transaction(on: $0, $1, body) }, finish: finish)
    }

    /// Runs a body that reads on the readers' own queue.
    func startReading<Value: Sendable>(
        _ body: @escaping @Sendable (Snapshot) throws -> Value,
        finish: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) -> BackgroundJob {
        guard let readers else {
            return writer.start(
                { connection, _ in try self.snapshot(on: connection, body) }, finish: finish)
        }
        return readers.start({ try self.snapshot(on: $0, body) }, finish: finish)
    }
}
