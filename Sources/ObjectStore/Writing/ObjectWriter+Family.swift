/// Objects of entities that share a table.
extension ObjectWriter {
    /// Writes an object's columns into the row that has its identity, or into a new one, and says
    /// which entity the row's object is of: one that was read as its parent stays what it is.
    func outcomeInFamily(
        of values: [SQLValue?], _ named: ColumnSet, in entity: EntityPlan
    ) throws -> (MapperOutcome, EntityPlan) {
        let identity = entity.identifying.columns.map { values[$0] ?? .null }
        guard let known = try familyRow(identity, in: entity) else {
            if entity.description.isAbstract {
                throw WritingError(entity: entity.name, reason: .abstract)
            }
            let insert = try context.statements.family(entity).insert(
                named, asReference: !entity.completes(named))
            try bind(named, of: values, to: insert)
            try run(insert.statement, of: entity)
            return (MapperOutcome(row: connection.lastInsertedRow, kind: .inserted), entity)
        }
        let concrete = try settle(known, as: entity)
        if concrete.description.isAbstract {
            throw WritingError(entity: entity.name, reason: .abstract)
        }
        let others = named.subtracting(entity.identifying)
        var isChanged = concrete !== known.entity
        if !others.isEmpty || entity.completes(named) {
            let update = try context.statements.entity(entity).update(others)
            try bind(others, of: values, to: update)
            update.statement.bind(known.row, at: update.rowParameter)
            try run(update.statement, of: entity)
            if connection.changeCount > 0 { isChanged = true }
        }
        return (MapperOutcome(row: known.row, kind: isChanged ? .updated : .unchanged), concrete)
    }

    /// The row of an identity, its values in the order of the columns, and the entity of its object,
    /// which may be any that the identity is shared with.
    func familyRow(
        _ identity: [SQLValue], in entity: EntityPlan
    ) throws -> FamilyRow? {
        guard !identity.allSatisfy({ $0 == .null }) else { return nil }
        let find = try context.statements.family(entity).find()
        try find.bind(identity)
        defer { find.reset() }
        guard try find.step() else { return nil }
        return FamilyRow(
            row: find.integer(at: 0), entity: try plan.entity(find.text(at: 1)))
    }

    /// The entity that a known row's object is of once it is known to be one of an entity: a row of
    /// which nothing is known yet becomes one of it, any other stays what it is.
    func settle(_ known: FamilyRow, as entity: EntityPlan) throws -> EntityPlan {
        if entity.family.descendants.contains(known.entity.index) { return known.entity }
        guard known.entity.family.descendants.contains(entity.index), try isOpen(known) else {
            throw WritingError(entity: entity.name, reason: .otherEntity(known.entity.name))
        }
        let settle = try context.statements.family(entity).settle()
        settle.bind(known.row, at: 1)
        try run(settle, of: entity)
        return entity
    }

    /// Whether it is still open which entity a row's object is of.
    private func isOpen(_ known: FamilyRow) throws -> Bool {
        if known.entity.description.isAbstract { return true }
        return try context.statements.entity(known.entity).standing(of: known.row).isReference
    }
}
