import Foundation

/// The import of JSON in one transaction: its documents, one after the other, and the parts of the values
/// that are made of them.
///
/// The parts of a value may complete each other, so that what is required is asked for when all of them
/// are written; none of them can stand without the others, so that the error of one is the value's.
final class Import {
    /// Throws where the import is to end; asked again and again while a long array is written.
    var checkCancellation: () throws -> Void = {}

    /// The note of what is stored part by part, where somebody asks for that.
    var recorder: SkeletonRecorder?
    /// What documents have had anything to do with, where somebody asks for that.
    private var met: MetObjects?
    /// The parts that have been stored before, where nothing is to be written.
    var replay: SkeletonReplay?
    /// The note of what is read beside the parts, where somebody asks for that.
    var readings: JSONReadings? { recorder?.readings ?? replay?.readings }
    /// The note of what is named, where somebody asks what is not.
    private(set) var listing: Listing?
    /// What a document has shown by its lists.
    var arrivedLists = ImportSkeleton.Lists()
    /// Where parts stand that are mapped by themselves.
    var place = ListedObjects.Place.single
    /// The moment at which what is imported was fetched, nil for that at which it is.
    var fetchTime: Date? { didSet { if fetchTime != oldValue { fetching = nil } } }
    /// What is fetched, where the model says that this is kept.
    private var fetching: Fetching?

    /// What has been written where documents only bring back what is missing, nil where they are news.
    private var restoration: Restoration?

    private let statements: WriteStatements
    private let reader: Reader
    /// The mapper of the document that was mapped last, which knows what it has met in it.
    private var mapper: Mapper?
    /// The report without the mapper's part.
    private var finished = ImportReport()
    /// The nesting depth of the values that are being imported.
    private var depth = 0
    /// The number of bytes of the value that is being imported, nil for those of its document.
    private var size: Int?
    /// The number of parts that have been written or tried: JSON values that were mapped, and bodies that
    /// ran whole, whether they changed anything or not.
    private(set) var partCount = 0
    /// The rows that documents before this one have deleted, of the value that is being imported, in order.
    private var earlierDeletions: [DeletedRow] = []
    /// How many rows had been deleted when the last document's last object was written that stands for
    /// itself.
    private var earlierTop = 0
    /// The first error of a part of what is being imported: the rest of it can't stand alone.
    private var failure: (any Error)?

    private var plan: StorePlan { reader.store.plan }

    init(statements: WriteStatements, reader: Reader) {
        self.statements = statements
        self.reader = reader
    }

    /// A report on the documents so far.
    var report: ImportReport {
        guard let mapper else { return finished }
        var report = finished
        report += mapper.report
        return report
    }

    /// Whether a value is being imported, of which all that is mapped now is a part.
    var isUnderWay: Bool { depth > 0 }

    // MARK: Values and their parts

    /// Runs a body that stands by itself: what came before it is whole, what it imports is no part of
    /// anything else, and nothing of that counts where it throws.
    func whole<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            try mapper?.finish()
        } catch {
            // Parts that came before lack something: that is not the body's fault, nor to be caught as such.
            if isUnderWay { failure = failure ?? error }
            throw error
        }
        settle()
        let before = (
            report: finished, failure: failure, partCount: partCount,
            deleted: earlierDeletions.count, recorded: recorder?.count ?? 0,
            fetched: fetching?.count ?? 0
        )
        failure = nil
        defer { failure = before.failure }
        do {
            let result = try body()
            partCount += 1
            return result
        } catch {
            mapper = nil
            finished = before.report
            partCount = before.partCount
            earlierDeletions.removeLast(max(earlierDeletions.count - before.deleted, 0))
            recorder?.remove(from: before.recorded)
            // What it would have named, nobody knows; what it did name may not have been all.
            listing?.objects.lacksElements = true
            fetching?.remove(from: before.fetched)
            throw error
        }
    }

    /// Runs a body that imports a value, whose parts may complete each other; throws where one of
    /// them could not be written, whatever the body makes of that.
    ///
    /// - Parameter value: The value, where that stands by itself, and may be one of many of its document.
    func parts<Result>(
        of value: JSONValue? = nil, _ body: () throws -> Result
    ) throws -> Result {
        let outer = size
        size = value.map { $0.storage.tape.source($0.node).count }
        if depth == 0 { earlierDeletions = [] }
        depth += 1
        defer {
            depth -= 1
            size = outer
        }
        let result = try body()
        try checkParts()
        try mapper?.finish()
        // A mapper with room for one of many has little for what comes next.
        if value != nil { settle() }
        return result
    }

    /// Throws where a part of what is being imported could not be written.
    func checkParts() throws {
        if let failure { throw failure }
    }

    /// Takes note of the error of a part, unless nothing has been written since a count.
    func noteFailure(_ error: any Error, since count: Int) {
        if isUnderWay, partCount != count { failure = failure ?? error }
    }

    // MARK: Documents

    /// Maps the object at a value, or the reference there, and returns its row; nil where it says that it is
    /// gone.
    func map(_ value: JSONValue, as entity: EntityPlan) throws -> Int64? {
        if let replay { return try replay.row(at: value, of: entity) }
        let row = try mapping(value) { try $0.mapPart(value.node, as: entity, place) }
        try recorder?.note(row, at: value, of: entity, isInList: place != .single)
        return row
    }

    /// The objects of an array that has been mapped before; nil where it has not.
    func replayed<Object: Entity>(_ type: Object.Type, of array: JSONValue) throws -> [Object]? {
        try replay?.objects(type, of: array, plan.entity(type.entityName))
    }

    /// Maps the objects of an array and returns their rows, without those that fell out of an array
    /// of a later element and were deleted; null elements are passed over.
    func mapElements(of value: JSONValue, as entity: EntityPlan) throws -> [Int64] {
        if let replay { return try replay.rows(of: value, entity) }
        let rows = try mapRows(of: value, as: entity)
        try recorder?.note(rows, at: value, of: entity)
        return rows
    }

    private func mapRows(of value: JSONValue, as entity: EntityPlan) throws -> [Int64] {
        try mapping(value) { mapper in
            guard value.kind == .array else {
                throw mapper.unexpected(value.node, "an array", entity: entity, field: nil)
            }
            if let standing = restoration?.standIn(for: value, of: entity) {
                mapper.noteStanding(standing, as: entity)
                return standing.map(\.row)
            }
            let known = mapper.memory.tombstones.count
            let rows = try mapper.mapElements(of: value.node, as: entity)
            guard mapper.memory.tombstones.count > known else { return rows }
            let deleted = mapper.deletedCount
            try mapper.bury(from: known, at: value.node)
            return RowList.difference(rows, mapper.memory.deletedRows(of: entity, since: deleted))
        }
    }

    /// Runs a body that imports a document, and returns what its parts have become.
    func recording<Result>(
        of document: JSONDocument.Storage, _ body: () throws -> Result
    ) throws -> (Result, ImportSkeleton) {
        settle()
        let recorder = SkeletonRecorder(document: document, reader: reader)
        let fetching = makeFetching(isRecording: true)
        (self.recorder, self.fetching, met) = (recorder, fetching, MetObjects())
        arrivedLists = ImportSkeleton.Lists()
        defer { (self.recorder, self.fetching, met) = (nil, nil, nil) }
        let result = try body()
        settle()
        var skeleton = recorder.skeleton
        (skeleton.nested, skeleton.lists) = (try recorder.nested(met?.rows ?? [:]), arrivedLists)
        (skeleton.named, skeleton.gone) = (met?.named ?? [:], met?.gone ?? [:])
        if let fetching { skeleton.fetched = fetching.rows(plan) }
        return (result, skeleton)
    }

    /// What is fetched from now on, nil where the model does not say that this is kept.
    private func makeFetching(isRecording: Bool = false) -> Fetching? {
        guard plan.keepsFetchTimes else { return nil }
        let time = fetchTime ?? reader.store.configuration.now()
        return Fetching(at: time.timeIntervalSinceReferenceDate, isRecording: isRecording)
    }

    /// Runs a body whose parts are the elements of a list, which is noted as one by who calls it.
    func unrecorded<Result>(_ body: () throws -> Result) rethrows -> Result {
        let recorder = recorder
        self.recorder = nil
        defer { self.recorder = recorder }
        return try placed(as: .element, body)
    }

    // MARK: What documents have deleted

    /// The number of rows that the documents of what is being imported have deleted so far.
    var deletedCount: Int { earlierDeletions.count + (mapper?.memory.deletedRows.count ?? 0) }

    /// The rows of an entity's table that they have deleted since this many were.
    func deletedRows(of entity: EntityPlan, since count: Int) -> [Int64] {
        let root = entity.family.members[0]
        // Each element of a long list asks for its own: what is before them is not copied.
        let mapped = mapper?.memory.deletedRows ?? []
        return
            (earlierDeletions.dropFirst(count)
            + mapped.dropFirst(max(count - earlierDeletions.count, 0)))
            .compactMap { $0.root == root ? $0.row : nil }
    }

    /// How many had been deleted when the object was written that stands for itself, before its lists.
    var topWrittenAt: Int {
        mapper.map { earlierDeletions.count + $0.memory.topWrittenAt } ?? earlierTop
    }

    /// Notes elements that were left out of a list.
    func skip(_ elements: [ImportReport.Skipped]) {
        finished.skipped += elements
        if !elements.isEmpty { listing?.objects.lacksElements = true }
    }

    /// Runs a body and notes the objects that its imports name.
    func listing<Result>(
        _ listing: Listing, _ body: () throws -> Result
    ) rethrows -> (Result, ListedObjects) {
        settle()
        let outer = self.listing
        self.listing = listing
        defer {
            // What comes after it is none of the document's.
            settle()
            self.listing = outer
        }
        return (try body(), listing.objects)
    }

    /// Runs a body whose documents have been stored before, and only bring back what is missing.
    ///
    /// - Parameter restoration: What is known of them.
    func restoring<Result>(
        by restoration: Restoration = Restoration(), _ body: () throws -> Result
    ) rethrows -> Result {
        settle()
        self.restoration = restoration
        defer {
            settle()
            self.restoration = nil
        }
        return try body()
    }

    /// Throws where objects that are read now lack what other parts of their value might still bring.
    func checkAreWhole(_ rows: [Int64], of entity: EntityPlan) throws {
        try mapper?.checkAreWhole(rows, of: entity)
    }

    /// Ends the document, whose mapper would not hear of what others are about to do to its rows.
    func settle() {
        guard let mapper else { return }
        finished += mapper.report
        earlierTop = topWrittenAt
        earlierDeletions += mapper.memory.deletedRows
        met?.take(mapper.memory)
        self.mapper = nil
    }

    /// Ends the document, returns the report so far, and goes on from another one.
    func exchangeReport(_ other: ImportReport = ImportReport()) -> ImportReport {
        settle()
        defer { finished = other }
        return finished
    }

    private func mapping<Result>(
        _ value: JSONValue, _ body: (Mapper) throws -> Result
    ) throws -> Result {
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
        guard size >= reader.store.configuration.uncheckedImportSize, !plan.deletesObjects else {
            return try body()
        }
        return try statements.connection.withoutForeignKeyChecks(body)
    }

    private func mapper(of document: JSONDocument.Storage) throws -> Mapper {
        if let mapper {
            if mapper.document === document { return mapper }
            try mapper.finish()
        }
        settle()
        fetching = fetching ?? makeFetching()
        let mapper = Mapper(
            document: document, size: size, plan: plan, statements: statements, reader: reader,
            listing: listing, restoration: restoration, fetching: fetching,
            checkCancellation: { [unowned self] in try checkCancellation() })
        mapper.memory.isRecorded = met != nil
        self.mapper = mapper
        return mapper
    }
}
