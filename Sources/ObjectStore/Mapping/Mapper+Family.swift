extension Mapper {
    /// Maps an object whose entity has relatives: the row that has its identity says which of them it
    /// is one of, and the entity's mapper where there is none yet.
    func mapFamilyObject(
        _ node: Int, as entity: EntityPlan, in role: ObjectRole
    ) throws -> Int64 {
        let chosen = entity.picker?.entity(of: node, in: tape).map { plan.entities[$0] }
        let known = try findFamilyRow(of: node, as: chosen ?? entity)
        let concrete = try known.map {
            try settle($0, as: chosen ?? entity, given: entity, at: node)
        }
        let target = concrete ?? chosen ?? entity
        if target.description.isAbstract {
            throw error(
                node, entity: target, field: nil,
                .abstract(value: entity.picker?.value(of: node, in: tape)))
        }
        var role = role
        role.owner = role.owner.map {
            (column: $0.column - entity.attributeCount + target.attributeCount, row: $0.row)
        }
        return try mapObject(node, as: target, in: role)
    }

    /// Writes the named columns of an object to the row that has its identity, or to a new one.
    func writeInFamily(
        _ columns: ColumnSet, of frame: MapperFrame, at node: Int, in role: ObjectRole
    ) throws -> MapperOutcome {
        let entity = frame.entity
        let isIdentified = !entity.identifying.isEmpty && !hasEmptyIdentity(frame)
        let missingIdentity = entity.identifying.intersection(entity.required).subtracting(columns)
        if let missing = missingIdentity.first {
            throw error(node, entity: entity, field: missing, .missing)
        }
        let isBare = role.kind == .partial && isBare(columns, of: frame)
        let outcome: MapperOutcome
        // Objects inside this one may have referred to it since its row was looked for.
        if isIdentified, let known = try findFamilyRow(by: frame, at: node) {
            let settled = try settle(known, as: entity, given: entity, at: node)
            guard settled === entity else {
                throw error(node, entity: entity, field: nil, .otherEntity(settled.name))
            }
            outcome = try update(known.row, columns, of: frame, at: node, completing: !isBare)
        } else {
            let isReference = isBare || !columns.isSuperset(of: entity.required)
            let insert = try statements.family(entity).insert(columns, asReference: isReference)
            try bind(columns, of: frame, to: insert)
            try run(insert.statement, of: entity, at: node)
            outcome = MapperOutcome(
                row: statements.connection.lastInsertedRow, kind: .inserted)
        }
        guard isBare || !columns.isSuperset(of: entity.required) else { return outcome }
        if !isIdentified,
            let missing = try statements.entity(entity).standing(of: outcome.row).missing
        {
            throw error(node, entity: entity, field: missing, .missing)
        }
        return try settle(outcome, columns, of: frame, at: node, in: role)
    }

    private func update(
        _ row: Int64, _ columns: ColumnSet, of frame: MapperFrame, at node: Int,
        completing: Bool
    ) throws -> MapperOutcome {
        let entity = frame.entity
        let others =
            entity.family.hasSharedIdentity ? columns.subtracting(entity.identifying) : columns
        guard !others.isEmpty || completing && entity.completes(columns) else {
            return MapperOutcome(row: row, kind: .unchanged)
        }
        let update = try statements.entity(entity).update(others)
        try bind(others, of: frame, to: update)
        update.statement.bind(row, at: update.rowParameter)
        try run(update.statement, of: entity, at: node)
        let isChanged = statements.connection.changeCount > 0
        return MapperOutcome(row: row, kind: isChanged ? .updated : .unchanged)
    }

    private func hasEmptyIdentity(_ frame: MapperFrame) -> Bool {
        frame.entity.identifying.columns.allSatisfy { column in
            let value = frame.values[column]
            return value < 0 || tape.kind(Int(value)) == .null
        }
    }

    // MARK: References

    /// Finds or makes the row that a bare identity refers to, of an entity that has relatives.
    func mapFamilyReference(
        _ node: Int, to entity: EntityPlan, by column: Int
    ) throws -> Int64 {
        let find = try statements.family(entity).find()
        try bind(node, column: column, of: entity, to: find, at: 1)
        if let known = try familyRow(from: find) {
            let settled = try settle(known, as: entity, given: entity, at: node)
            tallies[settled.index].noteReference(known.row)
            return known.row
        }
        let insert = try statements.family(entity).insert(
            entity.identifying, asReference: !entity.isWholeByIdentity)
        try bind(
            node, column: column, of: entity, to: insert.statement,
            at: insert.parameter(of: column, at: 0))
        try run(insert.statement, of: entity, at: node)
        let row = statements.connection.lastInsertedRow
        tallies[entity.index].note(MapperOutcome(row: row, kind: .inserted), node: -1)
        return row
    }

    // MARK: Rows

    /// The row that has an object's identity as an entity names it.
    private func findFamilyRow(of node: Int, as entity: EntityPlan) throws -> FamilyRow? {
        guard !entity.identifying.isEmpty else { return nil }
        let frame = try frame(of: node, as: entity)
        defer { pop(frame) }
        return hasEmptyIdentity(frame) ? nil : try findFamilyRow(by: frame, at: node)
    }

    private func findFamilyRow(by frame: MapperFrame, at node: Int) throws -> FamilyRow? {
        let entity = frame.entity
        // What is required and not there is reported where the object is written.
        for column in entity.identifying.columns
        where !entity.columns[column].isOptional
            && (frame.values[column] < 0 || tape.kind(Int(frame.values[column])) == .null)
        {
            return nil
        }
        let find = try statements.family(entity).find()
        try bind(entity.identifying, of: frame, to: ColumnStatement(named: find))
        return try familyRow(from: find)
    }

    private func familyRow(from find: Statement) throws -> FamilyRow? {
        defer { find.reset() }
        guard try find.step() else { return nil }
        return FamilyRow(row: find.integer(at: 0), entity: try plan.entity(find.text(at: 1)))
    }

    /// The entity that a known row's object is of from now on.
    ///
    /// An object never changes its entity, but a row that nothing is known of yet becomes one of
    /// whatever entity below its own comes first.
    private func settle(
        _ known: FamilyRow, as entity: EntityPlan, given: EntityPlan, at node: Int
    ) throws -> EntityPlan {
        let isBelow = known.entity.family.descendants.contains(entity.index)
        if known.entity === entity || entity.family.descendants.contains(known.entity.index) {
            return known.entity
        }
        if isBelow, try isOpen(known) {
            let statement = try statements.family(entity).settle()
            statement.bind(known.row, at: 1)
            try run(statement, of: entity, at: node)
            let before = tallies[known.entity.index].withdraw(known.row)
            tallies[entity.index].note(
                MapperOutcome(row: known.row, kind: before == .inserted ? .inserted : .updated),
                node: -1)
            return entity
        }
        if given.family.descendants.contains(known.entity.index) { return known.entity }
        throw error(node, entity: given, field: nil, .otherEntity(known.entity.name))
    }

    /// Whether it is still open which entity a row's object is of.
    private func isOpen(_ known: FamilyRow) throws -> Bool {
        if known.entity.description.isAbstract { return true }
        return try statements.entity(known.entity).standing(of: known.row).isReference
    }

    /// The tally that a row of an entity, or of one of its relatives, is counted in.
    func tally(of row: Int64, as entity: EntityPlan) throws -> MapperTally {
        guard let entityColumn = entity.entityColumn else { return tallies[entity.index] }
        if let index = entity.family.members.first(where: { tallies[$0].isKnown(row) }) {
            return tallies[index]
        }
        let find = try statements.connection.prepare(
            "SELECT \(entityColumn) FROM \(entity.table) WHERE \(entity.rowid) = ?")
        find.bind(row, at: 1)
        defer { find.reset() }
        guard try find.step() else { return tallies[entity.index] }
        return tallies[try plan.entity(find.text(at: 0)).index]
    }
}
