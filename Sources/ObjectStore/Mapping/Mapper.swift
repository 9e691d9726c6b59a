/// Writes the objects of one JSON document into the store, by a model and within a transaction.
///
/// An object's members are matched against its entity's keys, objects inside it are mapped before
/// it, and one upsert writes what differs. Nothing is built on the way: text is bound where it
/// stands in the document.
final class Mapper {
    let tape: JSONTape
    let plan: StorePlan
    let statements: MapperStatements
    var tallies: [MapperTally]

    private let frames: MapperFrames

    init(tape: JSONTape, depth: Int, plan: StorePlan, statements: MapperStatements) {
        self.tape = tape
        self.plan = plan
        self.statements = statements
        tallies = plan.entities.map { _ in MapperTally() }
        frames = MapperFrames(plan: plan, tape: tape, depth: depth)
    }

    /// What has been done so far.
    var report: ImportReport {
        ImportReport(
            entities: Dictionary(
                uniqueKeysWithValues: zip(plan.entities, tallies).compactMap { entity, tally in
                    tally.counts == .init() ? nil : (entity.name, tally.counts)
                }))
    }

    // MARK: Objects and references

    /// Maps what stands at a node, an object or a reference, and returns its row.
    ///
    /// - Parameter owner: A to-one column that the object's place in the JSON already says, and
    ///   the row to put there.
    func map(
        _ node: Int, as entity: EntityPlan, owner: (column: Int, row: Int64)? = nil
    ) throws -> Int64 {
        switch tape.kind(node) {
        case .object:
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
        if let row = try knownRow(of: node, in: frame), owner == nil {
            return row
        }
        var columns = try mapToOne(in: frame)
        if let owner, frame.values[owner.column] < 0 {
            frame.values[owner.column] = MapperFrames.givenRow
            frame.rows[owner.column] = owner.row
            columns.insert(owner.column)
        }
        if columns.isEmpty, !frame.hasToMany {
            throw error(
                node, entity: entity, field: nil,
                .nothingMapped(keys: Array(frames.keys(of: node).prefix(32))))
        }
        let outcome = try write(columns, of: frame, at: node)
        tallies[entity.index].note(outcome, node: node, identity: identityText(in: frame))
        if frame.hasToMany {
            for index in entity.toMany.indices {
                try mapToMany(index, of: outcome, in: frame)
            }
        }
        return outcome.row
    }

    /// The row of an object that has been written in just these words by this document.
    private func knownRow(of node: Int, in frame: MapperFrame) throws -> Int64? {
        guard let identity = identityText(in: frame),
            let known = tallies[frame.entity.index].known(identity),
            known.node >= 0
        else { return nil }
        let left = tape.containerText(known.node)
        let right = tape.containerText(node)
        return left.count == right.count && left.elementsEqual(right) ? known.row : nil
    }

    /// The source of the single value that identifies the object, nil where there is none.
    private func identityText(in frame: MapperFrame) -> TextKey? {
        switch frame.entity.identity {
        case .rowid(let column):
            return TextKey(frame.values[column], in: tape)
        case .unique(let columns) where columns.count == 1:
            return TextKey(frame.values[columns[0]], in: tape)
        default:
            return nil
        }
    }

    /// Maps the objects of to-one relationships and returns the columns that the JSON names.
    private func mapToOne(in frame: MapperFrame) throws -> ColumnSet {
        var named = ColumnSet()
        for (index, column) in frame.entity.columns.enumerated() {
            let value = Int(frame.values[index])
            guard value >= 0 else { continue }
            named.insert(index)
            guard column.destination >= 0, tape.kind(value) != .null else { continue }
            guard tape.kind(value) != .array else {
                throw unexpected(value, "an object or an identity", entity: frame.entity, field: index)
            }
            frame.rows[index] = try map(value, as: plan.entities[column.destination])
        }
        return named
    }

    /// Finds or makes the row that a bare identity refers to.
    private func mapReference(_ node: Int, to entity: EntityPlan) throws -> Int64 {
        let columns = entity.identifying.columns
        guard columns.count == 1, let coder = entity.columns[columns[0]].coder else {
            throw error(node, entity: entity, field: nil, .notIdentifiable)
        }
        let key = TextKey(node, in: tape)
        if let key, let known = tallies[entity.index].known(key) { return known.row }
        let statements = statements.entity(entity)
        let insert = try statements.insertReference()
        guard try coder.bind(node, of: tape, to: insert, at: 1) else {
            throw unexpected(node, coder.expectation, entity: entity, field: columns[0])
        }
        try insert.run()
        let connection = self.statements.connection
        if connection.changeCount > 0 {
            let outcome = MapperOutcome(row: connection.lastInsertedRow, kind: .inserted)
            tallies[entity.index].note(outcome, node: -1, identity: key)
            return outcome.row
        }
        let find = try statements.find()
        _ = try coder.bind(node, of: tape, to: find, at: 1)
        defer { find.reset() }
        guard try find.step() else { throw error(node, entity: entity, field: nil, .missing) }
        let row = find.integer(at: 0)
        if let key { tallies[entity.index].remember(row, identity: key) }
        return row
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
            path: tape.path(to: node), reason: reason)
    }
}
