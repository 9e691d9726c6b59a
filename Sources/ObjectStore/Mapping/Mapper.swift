/// Writes the objects of one JSON document into the store, by a model and within a transaction.
///
/// An object's members are matched against its entity's keys, objects inside it are mapped before
/// it, and one upsert writes what differs. Nothing is built on the way: text is bound where it
/// stands in the document.
final class Mapper {
    /// The document that all objects come from.
    let document: JSONDocument.Storage
    /// The document, or the part of a long array in it that is being mapped.
    private(set) var storage: JSONDocument.Storage
    private(set) var tape: JSONTape
    let plan: StorePlan
    let statements: WriteStatements
    let rows: RowWriter
    /// Reads objects whose rules are checked.
    let reader: Reader
    /// The memory of the objects that have been met, in all documents that came of one.
    let memory: ImportMemory
    /// The note of what is named, where somebody asks what is not.
    let listing: Listing?
    /// What has been written where the document only brings back what is missing, nil where it is news.
    let restoration: Restoration?
    /// What is fetched with it, nil where the model does not say that this is kept.
    let fetching: Fetching?
    /// The origin of the document, nil where it is the one that arrived.
    let origin: Origin?
    /// Throws where the import is to end; asked again and again in a long array.
    let checkCancellation: () throws -> Void

    /// The mapper of the document that this one's was made from.
    private let source: Mapper?
    /// The mapper of the document that arrived.
    var outermost: Mapper { source?.outermost ?? self }
    /// Rows that lack something required, which the document may still bring.
    var incomplete = PendingChecks()
    /// Columns that rows of references lack a value in since the document says that they are empty, so
    /// that they get no default there.
    var nulls = EmptyColumns()
    /// Rows whose objects must keep rules.
    var ruled = PendingChecks()
    /// Where the objects stand that have said of themselves that they are gone, in the order of ``memory``'s tombstones.
    var tombstonePlaces: [TombstonePlace] = []

    private let frames: MapperFrames

    /// The nesting depth of objects that any stack has room for.
    private static let plainDepth = 32
    /// Of the thread that maps, once it has been asked for.
    private var stackRoom: StackRoom?
    /// The number of objects of other documents that are being mapped around this one's.
    private let outerDepth: Int

    /// - Parameters:
    ///   - size: About how many bytes of the document are to be mapped; all unless given.
    ///   - listing: The note of what it names, where somebody asks for that.
    ///   - restoration: What has been written where it only brings back what is missing.
    ///   - fetching: What is fetched with it, where the model says that this is kept.
    init(
        document: JSONDocument.Storage, size: Int? = nil, plan: StorePlan,
        statements: WriteStatements, reader: Reader, listing: Listing? = nil,
        restoration: Restoration? = nil, fetching: Fetching? = nil,
        checkCancellation: @escaping () throws -> Void = {}
    ) {
        self.document = document
        self.listing = listing
        self.restoration = restoration
        self.fetching = fetching
        self.checkCancellation = checkCancellation
        storage = document
        tape = document.tape
        self.plan = plan
        self.statements = statements
        rows = RowWriter(plan: plan, statements: statements)
        self.reader = reader
        memory = ImportMemory(plan: plan, size: size ?? document.tape.source(0).count)
        frames = MapperFrames(plan: plan, document: document)
        origin = nil
        source = nil
        outerDepth = 0
    }

    /// Maps a document that a transformer has made of an object of another one; what the one has met
    /// the other knows too.
    init(_ document: JSONDocument.Storage, madeFrom origin: Origin, in source: Mapper) {
        self.document = document
        storage = document
        tape = document.tape
        checkCancellation = source.checkCancellation
        plan = source.plan
        statements = source.statements
        rows = source.rows
        reader = source.reader
        memory = source.memory
        listing = source.listing
        restoration = source.restoration
        fetching = source.fetching
        frames = MapperFrames(plan: plan, document: document)
        self.origin = origin
        self.source = source
        outerDepth = source.outerDepth + source.frames.depth + 1
    }

    /// A report on the import so far.
    var report: ImportReport { memory.report }

    // MARK: Objects

    /// Maps what stands at a node, an object or a reference, and returns its row; nil where it says that it
    /// is gone.
    ///
    /// - Parameter role: What the object's place in the JSON makes of it.
    func map(
        _ node: Int, as entity: EntityPlan, in role: ObjectRole = ObjectRole()
    ) throws -> Int64? {
        switch tape.kind(node) {
        case .object:
            try checkStack(at: node, as: entity)
            if entity.isPlain {
                if role.owner == nil, let row = repeatedRow(of: node, as: entity) { return row }
                return try mapObject(node, as: entity, in: role)
            }
            guard let rewrite = entity.rewrite else {
                return try mapAsItIs(node, as: entity, in: role)
            }
            return try mapRewritten(node, as: entity, in: role, by: rewrite)
        case let kind where !entity.mayBeReferred(to: kind):
            throw unexpected(node, "an object or an identity", entity: entity, field: nil)
        default:
            let row = try mapReference(node, to: entity)
            // It is all that there is to such an object.
            if entity.keepsFetchTimes, entity.isWholeByIdentity {
                try noteFetched(row, of: entity)
            }
            if let owner = role.owner { try link(row, of: entity, to: owner, at: node) }
            return row
        }
    }

    /// Throws where the thread's stack has no room for an object inside all the others.
    @inline(__always)
    private func checkStack(at node: Int, as entity: EntityPlan) throws {
        guard outerDepth + frames.depth > Self.plainDepth else { return }
        let room = stackRoom ?? StackRoom()
        stackRoom = room
        if room.isUsedUp { throw error(node, entity: entity, field: nil, .tooDeep) }
    }

    /// Maps an object of just this entity.
    func mapObject(
        _ node: Int, as entity: EntityPlan, in role: ObjectRole
    ) throws -> Int64 {
        let frame = frames.push(entity)
        defer { frames.pop(frame) }
        try frames.match(node, in: frame)
        let isFlat = frame.isFlat(in: tape)
        if isFlat, role.owner == nil, let row = writtenRow(of: node, in: frame) { return row }
        if restoration != nil, isSelfIdentified(entity),
            let row = try standingRow(of: frame, at: node, in: role)
        {
            return row
        }
        var columns = try mapToOne(in: frame, owner: role.owner)
        if columns.isEmpty, !frame.hasToMany {
            throw error(
                node, entity: entity, field: nil,
                .nothingMapped(keys: keys(of: node)))
        }
        if let owner = role.owner {
            frame.give(owner.row, to: owner.column)
            columns.insert(owner.column)
        }
        if role.isListed, let listing, !listing.owners.isEmpty {
            try ListLinking(of: listing, by: self)
                .giveOwners(to: frame, naming: &columns, at: node)
        }
        if restoration != nil, !isSelfIdentified(entity),
            let row = try standingRow(of: frame, at: node, in: role)
        {
            return row
        }
        memory.noteNamed(columns, of: entity)
        let outcome = try write(columns, of: frame, at: node, in: role)
        restoration?.noteWritten(outcome.row, of: entity)
        if listing != nil, outcome.kind == .inserted,
            MapperValues(mapper: self, frame: frame, node: node).hasEmptyIdentity
        {
            statements.noteArrived(outcome.row, of: entity)
        }
        if entity.keepsFetchTimes, !isBare(columns, of: frame) {
            try noteFetched(outcome.row, of: entity)
        }
        let deleted = deletedCount
        if role.kind == .top { memory.topWrittenAt = deleted }
        note(outcome, of: frame, isWhole: isFlat && role.owner == nil, at: node)
        if !entity.rules.isEmpty, outcome.kind != .unchanged {
            expectRules(of: outcome.row, as: entity, at: node)
        }
        if frame.hasToMany {
            var owner = outcome
            for index in entity.toMany.indices {
                try mapToMany(index, of: owner, at: node, in: frame, aliveAt: deleted)
                // Inside this list the owner may have come again, with other lists.
                if entity.toMany[index].leadsBack { owner.kind = .updated }
            }
            if role.kind != .top, isDeleted(owner.row, of: entity, since: deleted) {
                throw error(node, entity: entity, field: nil, .leadsToDeleted)
            }
        }
        return outcome.row
    }

    /// A frame with an object's fields, to be popped.
    func frame(of node: Int, as entity: EntityPlan) throws -> MapperFrame {
        let frame = frames.push(entity)
        do {
            try frames.match(node, in: frame)
        } catch {
            frames.pop(frame)
            throw error
        }
        return frame
    }

    func pop(_ frame: MapperFrame) { frames.pop(frame) }

    /// Maps the objects of to-one relationships and returns the columns that the JSON names.
    private func mapToOne(
        in frame: MapperFrame, owner: (column: Int, row: Int64)?
    ) throws -> ColumnSet {
        let entity = frame.entity
        var named = ColumnSet()
        for index in 0..<entity.columnCount where frame.values[index] >= 0 { named.insert(index) }
        for index in entity.attributeCount..<entity.columnCount {
            let value = Int(frame.values[index])
            guard value >= 0, tape.kind(value) != .null else { continue }
            guard tape.kind(value) != .array else {
                throw unexpected(value, "an object or an identity", entity: entity, field: index)
            }
            let column = entity.columns[index]
            let deleted = deletedCount
            let destination = plan.entities[column.destination]
            let row = try map(
                value, as: destination, in: .linked(isPartial: column.isPartial))
            guard let row else {
                // It leads to nothing then, or to what the object is in the array of.
                guard column.isOptional || owner?.column == index else {
                    throw error(value, entity: entity, field: index, .leadsToDeleted)
                }
                frame.values[index] = MapperFrames.missing
                continue
            }
            frame.rows[index] = row
            if let listing { listing.objects.note(row, of: destination, .nested) }
            if deletedCount > deleted {
                try checkAreThere(in: frame, before: index, owner: owner, since: deleted)
            }
        }
        return named
    }

    /// Keeps what has become of an object.
    ///
    /// - Parameter isWhole: Whether the object's words say all that was written.
    private func note(
        _ outcome: RowOutcome, of frame: MapperFrame, isWhole: Bool, at node: Int
    ) {
        let entity = frame.entity
        // Elsewhere the same words may be an object.
        let source = isWhole && origin == nil && !outcome.isReference ? RowSource.node(node) : .none
        switch entity.identity {
        case .none:
            // It can't come again, but the links it has may change.
            if entity.columnCount == entity.attributeCount {
                memory.noteNew(outcome.row, of: entity)
            } else {
                memory.note(outcome, of: entity)
            }
            return
        case .rowid:
            memory.note(outcome, of: entity, from: source)
        case .unique(let columns):
            memory.note(outcome, of: entity, from: source)
            if columns.count == 1, origin == nil, isIdentified(frame) {
                memory.remember(
                    outcome.row, of: entity, as: TextKey(frame.values[columns[0]], in: tape))
            }
        }
        if source != .none, entity.isPlain, isIdentified(frame) {
            memory.remember(outcome.row, of: entity, saying: tape.containerText(node))
        }
    }

    // MARK: References

    /// Finds or makes the row that a bare identity refers to.
    private func mapReference(_ node: Int, to entity: EntityPlan) throws -> Int64 {
        guard let column = entity.referringColumn else {
            throw error(node, entity: entity, field: nil, .notIdentifiable)
        }
        let isRowid = if case .rowid = entity.identity { true } else { false }
        let key = !isRowid && entity.alwaysHasValue(column) ? TextKey(node, in: tape) : nil
        if let row = key.flatMap({ memory.row(of: $0, as: entity) }) { return row }
        if isRowid, let row = rowid(node, of: entity, column: column),
            memory.isKnown(row, of: entity)
        {
            return row
        }
        let values = MapperIdentity(mapper: self, entity: entity, column: column, node: node)
        let written = try rows.writeReference(values)
        noteSettled(written)
        memory.noteReference(written.outcome, to: written.entity)
        if origin == nil { memory.remember(written.outcome.row, of: entity, as: key) }
        return written.outcome.row
    }

    // MARK: Parts of a document

    /// Goes on with objects on another tape of the document; what is known of those before is kept
    /// as far as it takes little room.
    func turn(to next: JSONDocument.Storage) throws {
        guard next !== storage else { return }
        try leaveChecks()
        memory.leave(tape)
        storage = next
        tape = next.tape
        frames.turn(to: next)
    }
}
