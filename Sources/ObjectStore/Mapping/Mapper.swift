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
    let statements: MapperStatements
    let tallies: [MapperTally]
    /// Whether objects have been deleted, and links to them been emptied.
    var hasDeleted = false

    /// Throws where the import is to end; asked before each part of a long array.
    let checkCancellation: () throws -> Void

    private let frames: MapperFrames
    private var repeated: RepeatedObjects
    private let written = WrittenTexts()
    private var incomplete = IncompleteObjects()

    init(
        document: JSONDocument.Storage, plan: StorePlan, statements: MapperStatements,
        checkCancellation: @escaping () throws -> Void = {}
    ) {
        self.document = document
        self.checkCancellation = checkCancellation
        storage = document
        tape = document.tape
        self.plan = plan
        self.statements = statements
        tallies = plan.entities.map { _ in MapperTally() }
        frames = MapperFrames(plan: plan, document: document)
        repeated = RepeatedObjects(tape: document.tape)
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
    /// - Parameter owner: A to-one column that the object's place in the JSON already says, and
    ///   the row to put there.
    func map(
        _ node: Int, as entity: EntityPlan, owner: (column: Int, row: Int64)? = nil
    ) throws -> Int64 {
        switch tape.kind(node) {
        case .object:
            if owner == nil, let row = repeatedRow(of: node, as: entity) { return row }
            return try mapObject(node, as: entity, owner: owner)
        case .array, .null, .true, .false:
            throw unexpected(node, "an object or an identity", entity: entity, field: nil)
        default:
            let row = try mapReference(node, to: entity)
            if let owner { try link(row, of: entity, to: owner) }
            return row
        }
    }

    private func mapObject(
        _ node: Int, as entity: EntityPlan, owner: (column: Int, row: Int64)?
    ) throws -> Int64 {
        let frame = frames.push(entity)
        defer { frames.pop(frame) }
        try frames.match(node, in: frame)
        let isFlat = frame.isFlat(in: tape)
        if isFlat, owner == nil, let row = writtenRow(of: node, in: frame) { return row }
        var columns = try mapToOne(in: frame)
        if columns.isEmpty, !frame.hasToMany {
            throw error(
                node, entity: entity, field: nil,
                .nothingMapped(keys: Array(frames.keys(of: node).prefix(32))))
        }
        if let owner {
            frame.values[owner.column] = MapperFrames.givenRow
            frame.rows[owner.column] = owner.row
            columns.insert(owner.column)
        }
        let outcome = try write(columns, of: frame, at: node)
        let isWhole = isFlat && owner == nil
        note(outcome, of: frame, node: isWhole ? node : -1)
        if isWhole { repeated.remember(node, of: entity, row: outcome.row) }
        if frame.hasToMany {
            for index in entity.toMany.indices {
                try mapToMany(index, of: outcome, in: frame)
            }
        }
        return outcome.row
    }

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
            frame.rows[index] = try map(value, as: plan.entities[entity.columns[index].destination])
        }
        return named
    }

    // MARK: Objects that come again

    /// The row of an object that nothing but this one has been written to, in just these words.
    @inline(__always)
    private func repeatedRow(of node: Int, as entity: EntityPlan) -> Int64? {
        guard !hasDeleted, let object = repeated.object(like: node, of: entity),
            let source = tallies[entity.index].source(of: object.row)
        else { return nil }
        // Where another object has been written to the row since, that one counts.
        return source == Int(object.node) ? object.row : nil
    }

    /// The row of an object that has been written in just these words by this document.
    private func writtenRow(of node: Int, in frame: MapperFrame) -> Int64? {
        guard !hasDeleted, let row = knownRow(of: frame),
            let source = tallies[frame.entity.index].source(of: row)
        else { return nil }
        let left =
            source >= 0
            ? tape.containerText(source) : written.text(MapperTally.text(ofSource: source))
        let right = tape.containerText(node)
        guard left.count == right.count, left.hasSameBytes(as: right) else { return nil }
        if source >= 0 { repeated.remember(source, of: frame.entity, row: row) }
        return row
    }

    /// The row of an object as far as that is known without asking the store.
    func knownRow(of frame: MapperFrame) -> Int64? {
        switch frame.entity.identity {
        case .rowid(let column):
            let value = Int(frame.values[column])
            return value < 0 ? nil : rowid(value, of: frame.entity, column: column)
        case .unique(let columns) where columns.count == 1:
            return TextKey(frame.values[columns[0]], in: tape)
                .flatMap { tallies[frame.entity.index].row(of: $0) }
        default:
            return nil
        }
    }

    /// The row that a value names which is itself the rowid.
    private func rowid(_ value: Int, of entity: EntityPlan, column: Int) -> Int64? {
        let coder = entity.columns[column].coder
        if case .integer? = coder { return tape.integer(value) }
        guard case .integer(let row)? = coder?.value(of: value, in: tape) else { return nil }
        return row
    }

    private func note(_ outcome: MapperOutcome, of frame: MapperFrame, node: Int) {
        let entity = frame.entity
        let tally = tallies[entity.index]
        switch entity.identity {
        case .none:
            tally.noteNew()
        case .rowid:
            tally.note(outcome, node: node)
        case .unique(let columns):
            tally.note(outcome, node: node)
            if columns.count == 1 {
                tally.remember(
                    outcome.row, identity: TextKey(frame.values[columns[0]], in: tape))
            }
        }
    }

    // MARK: References

    /// Finds or makes the row that a bare identity refers to.
    private func mapReference(_ node: Int, to entity: EntityPlan) throws -> Int64 {
        guard let column = entity.referringColumn, let coder = entity.columns[column].coder else {
            throw error(node, entity: entity, field: nil, .notIdentifiable)
        }
        let tally = tallies[entity.index]
        let isRowid = if case .rowid = entity.identity { true } else { false }
        let key = isRowid ? nil : TextKey(node, in: tape)
        if let row = key.flatMap({ tally.row(of: $0) }) { return row }
        if isRowid, let row = rowid(node, of: entity, column: column), tally.isKnown(row) {
            return row
        }
        let statements = statements.entity(entity)
        let insert = try statements.insertReference()
        guard try coder.bind(node, of: tape, to: insert, at: 1) else {
            throw unexpected(node, coder.expectation, entity: entity, field: column)
        }
        try run(insert, of: entity, at: node)
        let row: Int64
        if self.statements.connection.changeCount > 0 {
            row = self.statements.connection.lastInsertedRow
            tally.note(MapperOutcome(row: row, kind: .inserted), node: -1)
        } else {
            let find = try statements.find()
            _ = try coder.bind(node, of: tape, to: find, at: 1)
            row = try self.row(from: find, of: entity, at: node)
            tally.noteReference(row)
        }
        tally.remember(row, identity: key)
        return row
    }

    // MARK: Objects that are not complete yet

    /// Puts off until the end of the document whether a row has all that is required.
    func expectCompletion(
        of row: Int64, as entity: EntityPlan, at node: Int, _ reason: MappingError.Reason
    ) {
        incomplete.append(row, of: entity, at: node, reason)
    }

    /// Writes what is still to be written; throws where a row lacks something that is required.
    func finish() throws {
        try statements.writeLinks()
        try checkCompleteness()
    }

    private func checkCompleteness() throws {
        defer { incomplete.removeAll() }
        for object in incomplete.objects {
            if let column = try missingColumn(in: object.row, of: object.entity) {
                throw MappingError(
                    entity: object.entity.name, attribute: object.entity.fieldName(column),
                    path: object.path(in: storage), reason: object.reason)
            }
        }
    }

    // MARK: Parts of a document

    /// Goes on with objects on another tape of the document; what is known of those before is kept
    /// as far as it takes little room.
    func turn(to next: JSONDocument.Storage) throws {
        guard next !== storage else { return }
        try incomplete.leave(storage) { try missingColumn(in: $0.row, of: $0.entity) == nil }
        if !written.hasRoom {
            for tally in tallies { tally.forgetTexts() }
            written.removeAll()
        }
        for tally in tallies { tally.leave(tape, keeping: written) }
        storage = next
        tape = next.tape
        repeated = RepeatedObjects(tape: tape)
        frames.turn(to: next)
    }

    // MARK: Errors

    func unexpected(
        _ node: Int, _ expectation: String, entity: EntityPlan, field: Int?
    ) -> MappingError {
        let value = String(decoding: tape.source(node).prefix(64), as: UTF8.self)
        let found =
            switch tape.kind(node) {
            case .object: "an object"
            case .array: "an array"
            default: value
            }
        return error(
            node, entity: entity, field: field,
            .unexpectedValue(expected: expectation, found: found))
    }

    func error(
        _ node: Int, entity: EntityPlan, field: Int?, _ reason: MappingError.Reason
    ) -> MappingError {
        MappingError(
            entity: entity.name,
            attribute: field.map { entity.fieldName($0) },
            path: storage.path(to: node), reason: reason)
    }
}
