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
    let tallies: [MapperTally]
    /// Where the document comes from, nil where it is the one that arrived.
    let origin: Origin?
    /// Whether objects have been deleted, and links to them been emptied.
    var hasDeleted: Bool {
        get { source?.hasDeleted ?? hasDeletedHere }
        set { if let source { source.hasDeleted = newValue } else { hasDeletedHere = newValue } }
    }

    /// Throws where the import is to end; asked before each part of a long array.
    let checkCancellation: () throws -> Void

    /// The mapper of the document that this one's was made from.
    private let source: Mapper?
    /// The mapper of the document that arrived.
    var outermost: Mapper { source?.outermost ?? self }
    private var hasDeletedHere = false
    /// The rows that have been deleted, by the entities that their tables are named after.
    ///
    /// The outermost mapper keeps them. Objects that come anew may get the same numbers.
    var deletedRows: [(root: Int, row: Int64)] = []
    /// Rows that lack something required, which the document may still bring.
    var incomplete = PendingChecks()
    /// Rows whose objects must keep rules.
    var ruled = PendingChecks()

    /// Whether objects are known by their words.
    let canRecognize: Bool
    /// Whether rows are known by the words of identities.
    private let knowsIdentities: Bool
    private let frames: MapperFrames
    let repeated: RepeatedObjects
    let written: WrittenTexts

    /// How deeply objects are nested that any stack has room for.
    private static let plainDepth = 32
    /// Of the thread that maps, once it has been asked for.
    private var stackRoom: StackRoom?
    /// How many objects of other documents are being mapped around this one's.
    private let outerDepth: Int

    init(
        document: JSONDocument.Storage, plan: StorePlan, statements: WriteStatements,
        reader: Reader, checkCancellation: @escaping () throws -> Void = {}
    ) {
        self.document = document
        self.checkCancellation = checkCancellation
        storage = document
        tape = document.tape
        self.plan = plan
        self.statements = statements
        rows = RowWriter(plan: plan, statements: statements)
        self.reader = reader
        tallies = plan.entities.map { _ in MapperTally() }
        written = WrittenTexts()
        frames = MapperFrames(plan: plan, document: document)
        repeated = RepeatedObjects(size: document.tape.source(0).count)
        origin = nil
        source = nil
        outerDepth = 0
        canRecognize = plan.shortcuts.contains(.repeatedObjects)
        knowsIdentities = plan.shortcuts.contains(.knownIdentities)
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
        tallies = source.tallies
        written = source.written
        frames = MapperFrames(plan: plan, document: document)
        repeated = source.repeated
        self.origin = origin
        self.source = source
        outerDepth = source.outerDepth + source.frames.depth + 1
        canRecognize = false
        knowsIdentities = false
    }

    /// What has been done so far.
    var report: ImportReport {
        ImportReport(
            entities: Dictionary(
                uniqueKeysWithValues: zip(plan.entities, tallies).compactMap { entity, tally in
                    tally.counts == .init() ? nil : (entity.name, tally.counts)
                }))
    }

    // MARK: Objects

    /// Maps what stands at a node, an object or a reference, and returns its row.
    ///
    /// - Parameter role: What the object's place in the JSON makes of it.
    func map(
        _ node: Int, as entity: EntityPlan, in role: ObjectRole = ObjectRole()
    ) throws -> Int64 {
        switch tape.kind(node) {
        case .object:
            try checkStack(at: node, as: entity)
            if entity.isPlain {
                if role.owner == nil, let row = repeatedRow(of: node, as: entity) { return row }
                return try mapObject(node, as: entity, in: role)
            }
            guard let rewrite = entity.rewrite else {
                return try mapFamilyObject(node, as: entity, in: role)
            }
            return try mapRewritten(node, as: entity, in: role, by: rewrite)
        case .array, .null, .true, .false:
            throw unexpected(node, "an object or an identity", entity: entity, field: nil)
        default:
            let row = try mapReference(node, to: entity)
            if let owner = role.owner { try link(row, of: entity, to: owner) }
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
        var columns = try mapToOne(in: frame)
        if columns.isEmpty, !frame.hasToMany {
            throw error(
                node, entity: entity, field: nil,
                .nothingMapped(keys: keys(of: node)))
        }
        if let owner = role.owner {
            frame.values[owner.column] = MapperFrames.givenRow
            frame.rows[owner.column] = owner.row
            columns.insert(owner.column)
        }
        let outcome = try write(columns, of: frame, at: node, in: role)
        // Elsewhere the same words may be an object.
        let isWhole = isFlat && role.owner == nil && origin == nil && !outcome.isReference
        note(outcome, of: frame, node: isWhole ? node : -1)
        if isWhole, entity.isPlain, isIdentified(frame) {
            remember(node, as: entity, row: outcome.row)
        }
        if !entity.rules.isEmpty, outcome.kind != .unchanged {
            expectRules(of: outcome.row, as: entity, at: node)
        }
        if frame.hasToMany {
            var owner = outcome
            for index in entity.toMany.indices {
                try mapToMany(index, of: owner, in: frame)
                // Inside this list the owner may have come again, with other lists.
                if entity.toMany[index].leadsBack { owner.kind = .updated }
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
    private func mapToOne(in frame: MapperFrame) throws -> ColumnSet {
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
            frame.rows[index] = try map(
                value, as: plan.entities[column.destination],
                in: .linked(isPartial: column.isPartial))
        }
        return named
    }

    private func note(_ outcome: RowOutcome, of frame: MapperFrame, node: Int) {
        let entity = frame.entity
        let tally = tallies[entity.index]
        switch entity.identity {
        case .none:
            // It can't come again, but the links it has may change.
            if entity.columnCount == entity.attributeCount {
                tally.noteNew()
            } else {
                tally.note(outcome, node: -1)
            }
        case .rowid:
            tally.note(outcome, node: node)
        case .unique(let columns):
            tally.note(outcome, node: node)
            if columns.count == 1, knowsIdentities, isIdentified(frame) {
                tally.remember(
                    outcome.row, identity: TextKey(frame.values[columns[0]], in: tape))
            }
        }
    }

    // MARK: References

    /// Finds or makes the row that a bare identity refers to.
    private func mapReference(_ node: Int, to entity: EntityPlan) throws -> Int64 {
        guard let column = entity.referringColumn else {
            throw error(node, entity: entity, field: nil, .notIdentifiable)
        }
        let tally = tallies[entity.index]
        let isRowid = if case .rowid = entity.identity { true } else { false }
        let isKey = !isRowid && plan.shortcuts.contains(.knownIdentities)
        let key = isKey && entity.alwaysHasValue(column) ? TextKey(node, in: tape) : nil
        if let row = key.flatMap({ tally.row(of: $0) }) { return row }
        if isRowid, let row = rowid(node, of: entity, column: column), tally.isKnown(row) {
            return row
        }
        let values = MapperIdentity(mapper: self, entity: entity, column: column, node: node)
        let row: Int64
        if entity.family.isAlone {
            let outcome = try rows.writeReference(values)
            row = outcome.row
            noteReference(outcome, in: tally)
        } else {
            let written = try rows.writeReferenceInFamily(values)
            row = written.outcome.row
            noteSettled(written)
            noteReference(written.outcome, in: tallies[written.entity.index])
        }
        if origin == nil { tally.remember(row, identity: key) }
        return row
    }

    private func noteReference(_ outcome: RowOutcome, in tally: MapperTally) {
        if outcome.kind == .inserted {
            tally.note(outcome, node: -1)
        } else {
            tally.noteReference(outcome.row)
        }
    }

    // MARK: Parts of a document

    /// Goes on with objects on another tape of the document; what is known of those before is kept
    /// as far as it takes little room.
    func turn(to next: JSONDocument.Storage) throws {
        guard next !== storage else { return }
        try leaveChecks()
        if !written.hasRoom {
            for tally in tallies { tally.forgetTexts() }
            written.removeAll()
        }
        for tally in tallies { tally.leave(tape, keeping: written) }
        storage = next
        tape = next.tape
        frames.turn(to: next)
    }
}
