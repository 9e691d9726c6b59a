/// One transaction on a store: what is written in it is in the store whole, or not at all.
///
/// A context is only valid in the closure that it is handed to, and belongs to its thread. What it
/// reads includes its own changes.
public final class Context: Snapshot {
    /// The options for decoding the parts of wrappers that are not stored.
    public var decodingOptions = DecodingOptions()

    /// A report on the imports and writes so far in this transaction.
    public var report: ImportReport {
        guard let mapper else { return finished }
        var report = finished
        report += mapper.report
        return report
    }

    let statements: WriteStatements
    let rows: RowWriter
    /// Throws where the transaction is to end; asked again and again while a long array is written.
    var checkCancellation: () throws -> Void = {}
    /// Throws where the transaction is not to be committed; asked once, when all but that is done.
    package var willCommit: () throws -> Void = {}
    /// The mapper of the document that was inserted from last, which knows what it has met in it.
    private var mapper: Mapper?
    /// The rows whose objects must keep rules once what is being written is, by their entities.
    var ruled: [Int: Set<Int64>] = [:]
    /// The report without the mapper's part.
    private var finished = ImportReport()
    /// The nesting depth of the values that are being inserted.
    private var importDepth = 0
    /// The number of parts that have been written or tried: JSON values that were mapped, and bodies that
    /// ran whole, whether they changed anything or not.
    private(set) var partCount = 0
    /// The first error of a part of what is being inserted: the rest of it can't stand alone.
    private var failure: (any Error)?

    init(store: Store, connection: Connection, statements: WriteStatements) {
        self.statements = statements
        rows = RowWriter(plan: store.plan, statements: statements)
        statements.begin()
        super.init(store: store, connection: connection)
    }

    /// Runs a body that imports a value of which nothing is left where it throws, also where the value's
    /// type has caught the error of a part.
    func importing<Result>(_ body: () throws -> Result) throws -> Result {
        try whole { try importingParts(body) }
    }

    /// Runs a body as a part of the transaction: where it throws, what it has written is taken
    /// back, and the transaction can go on if the error is caught (SQLite's `SAVEPOINT`).
    ///
    /// - Throws: What the body throws, or `StoreError`.
    @discardableResult
    public func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
        try whole(body)
    }

    override class var useAfterEnd: String { "the context is used after its transaction has ended" }

    override func checkOpen() throws {
        try super.checkOpen()
        // SQLite ends a transaction by itself after some failures, such as a full disk; what
        // follows would be committed statement by statement.
        guard connection.isInTransaction else {
            throw StoreError(.closed, "the transaction has been rolled back after a failure")
        }
    }

    override func close() {
        settle()
        super.close()
    }

    /// Runs a body and returns what it alone has done, too.
    func reporting<Result>(_ body: () throws -> Result) throws -> (Result, ImportReport) {
        settle()
        let before = finished
        finished = ImportReport()
        defer {
            settle()
            var whole = before
            whole += finished
            finished = whole
        }
        return (try body(), report)
    }

    /// Adds to what has been done to an entity.
    func count(_ entity: String, _ change: (inout ImportReport.Counts) -> Void) {
        change(&finished.entities[entity, default: ImportReport.Counts()])
    }

    /// Runs a body of which nothing is left where it throws.
    func whole<Result>(_ body: () throws -> Result) throws -> Result {
        try checkOpen()
        // What other writing begins with is whole.
        do {
            try mapper?.finish()
        } catch {
            // Parts that came before lack something: that is not the body's fault, nor to be caught as such.
            if importDepth > 0 { failure = failure ?? error }
            throw error
        }
        settle()
        let before = (finished, failure)
        let count = partCount
        failure = nil
        defer { failure = before.1 }
        try connection.prepare("SAVEPOINT \"part\"").run()
        do {
            let result = try body()
            if let failure { throw failure }
            try connection.prepare("RELEASE \"part\"").run()
            partCount += 1
            return result
        } catch {
            partCount = count
            finished = before.0
            mapper = nil
            statements.prepareRollback()
            statements.discard()
            // SQLite has rolled back by itself after some failures, such as a full disk.
            if connection.isInTransaction {
                try connection.execute("ROLLBACK TO \"part\"; RELEASE \"part\"")
            }
            throw error
        }
    }

    /// Makes the mapper forget what it knows of rows, which are about to change without it.
    func settle() {
        finished = report
        mapper = nil
    }

    // MARK: For importable types

    /// Runs a body that imports a value, whose parts may complete each other; throws where one of
    /// them could not be written, whatever the body makes of that.
    func importingParts<Result>(_ body: () throws -> Result) throws -> Result {
        importDepth += 1
        defer { importDepth -= 1 }
        let result = try body()
        if let failure { throw failure }
        try mapper?.finish()
        return result
    }

    /// Runs a body that imports a part of a value; where it throws though it has written something, the
    /// value can't stand without it.
    func importingPart<Result>(_ body: () throws -> Result) throws -> Result {
        let count = partCount
        do { return try body() } catch {
            noteFailure(error, since: count)
            throw error
        }
    }

    /// Takes note of the error of a part, unless nothing has been written since a count.
    func noteFailure(_ error: any Error, since count: Int) {
        if importDepth > 0, partCount != count { failure = failure ?? error }
    }

    /// Writes the object at a value and returns its row.
    func map(_ value: JSONValue, as entity: String) throws -> Int64 {
        let plan = try store.plan.entity(entity)
        return try asPart { try withMapper(for: value) { try $0.map(value.node, as: plan) } }
    }

    /// Writes the objects of an array and returns their rows; null elements are passed over.
    func mapElements(of value: JSONValue, as entity: String) throws -> [Int64] {
        let plan = try store.plan.entity(entity)
        return try asPart {
            try withMapper(for: value) { mapper in
                guard value.kind == .array else {
                    throw mapper.unexpected(value.node, "an array", entity: plan, field: nil)
                }
                return try mapper.mapElements(of: value.node, as: plan)
            }
        }
    }

    func object<Object: Entity>(_ type: Object.Type, row: Int64) throws -> Object {
        try checkAreWhole([row], as: type)
        return try reader.object(type, row: row)
    }

    /// The object in a row, nil where it is known by a reference only.
    func objectIfAny<Object: Entity>(_ type: Object.Type, row: Int64) throws -> Object? {
        try checkAreWhole([row], as: type)
        return try reader.find(type, row: row)
    }

    func objects<Object: Entity>(_ type: Object.Type, rows: [Int64]) throws -> [Object] {
        try checkAreWhole(rows, as: type)
        return try reader.objects(type, rows: rows)
    }

    /// Throws where objects that are read now lack what other parts of their value might still bring.
    private func checkAreWhole<Object: Entity>(_ rows: [Int64], as type: Object.Type) throws {
        let plan = try store.plan.entity(type.entityName)
        try mapper?.checkAreWhole(rows, of: plan)
    }

    /// Runs a body as a part of what is being inserted; by itself where nothing is.
    private func asPart<Result>(_ body: () throws -> Result) throws -> Result {
        importDepth > 0 ? try body() : try whole { try importingParts(body) }
    }

    private func withMapper<Result>(
        for value: JSONValue, _ body: (Mapper) throws -> Result
    ) throws -> Result {
        try checkOpen()
        partCount += 1
        let mapper = try mapper(of: value.storage.document)
        return try checkingLinks(in: value) {
            // Whatever happens, nothing is read ahead of what others may write now.
            defer { statements.close() }
            do {
                try mapper.turn(to: value.storage)
                let result = try body(mapper)
                try statements.writeLinks()
                return result
            } catch {
                statements.discard()
                failure = failure ?? error
                throw error
            }
        }
    }

    /// Runs a body that maps a value.
    ///
    /// What a mapper links has just been written or found by it, so that large values need not
    /// have each link looked up once more; for small ones that would cost more than it saves.
    private func checkingLinks<Result>(
        in value: JSONValue, _ body: () throws -> Result
    ) throws -> Result {
        let size = value.storage.tape.source(value.node).count
        guard size >= store.configuration.uncheckedImportSize, !store.plan.deletesObjects else {
            return try body()
        }
        return try connection.withoutForeignKeyChecks(body)
    }

    private func mapper(of document: JSONDocument.Storage) throws -> Mapper {
        if let mapper {
            if mapper.document === document { return mapper }
            try mapper.finish()
        }
        finished = report
        let mapper = Mapper(
            document: document, plan: store.plan, statements: statements, reader: try reader,
            checkCancellation: { [unowned self] in try checkCancellation() })
        self.mapper = mapper
        return mapper
    }
}
