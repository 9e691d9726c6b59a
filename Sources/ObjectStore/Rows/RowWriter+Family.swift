/// Rows of entities that share a table: which of them an object is of is part of its row.
extension RowWriter {
    /// The row that has an object's identity, and the entity of the object there, which may be any that
    /// the identity is shared with.
    ///
    /// Nil also where the object lacks its identity, or a part that is required.
    func findInFamily(_ values: some RowValues) throws -> FoundRow? {
        let entity = values.entity
        let lacks = entity.identifying.contains {
            !entity.columns[$0].isOptional && values.isEmpty($0)
        }
        guard !lacks, !values.hasEmptyIdentity else { return nil }
        let find = try statements.family(entity).find()
        try values.bind(entity.identifying, to: ColumnStatement(named: find))
        defer { find.reset() }
        guard try find.step() else { return nil }
        return FoundRow(
            row: find.integer(at: 0), entity: try plan.entity(find.text(at: 1), inTableOf: entity))
    }

    /// Writes columns of an object to the row that has its identity, else to a new one.
    ///
    /// The object there stays what it is where it is of an entity below that of the values.
    ///
    /// - Parameter isReference: Whether what is written is not enough for an object.
    func writeInFamily(
        _ columns: ColumnSet, of values: some RowValues, asReference isReference: Bool
    ) throws -> WrittenRow {
        let entity = values.entity
        guard let known = try findInFamily(values) else {
            guard !entity.description.isAbstract else { throw values.error(.abstract(entity)) }
            return WrittenRow(
                try insertInFamily(columns, of: values, asReference: isReference), of: entity)
        }
        let concrete = try settled(known, for: values)
        guard !concrete.description.isAbstract else { throw values.error(.abstract(concrete)) }
        var outcome = try update(
            known.row, columns, of: values, completing: !isReference && concrete === entity)
        if concrete !== known.entity { outcome.kind = .updated }
        // What it takes to be an object is for its own entity to say.
        if !isReference, concrete !== entity {
            let named = columns.intersection(entity.defaultColumns)
            let standing = try complete(known.row, of: concrete, besides: named)
            if standing.isCompleted { outcome.kind = .updated }
        }
        return WrittenRow(outcome, of: concrete, before: known.entity)
    }

    /// Writes a row that holds nothing but its identity, unless there is one with it.
    func writeReferenceInFamily(_ values: some RowValues) throws -> WrittenRow {
        let entity = values.entity
        if let known = try findInFamily(values) {
            let concrete = try settled(known, for: values)
            return WrittenRow(
                RowOutcome(row: known.row, kind: .unchanged), of: concrete, before: known.entity)
        }
        let outcome = try insertInFamily(
            entity.identifying, of: values, asReference: !entity.isWholeByIdentity)
        return WrittenRow(outcome, of: entity)
    }

    private func insertInFamily(
        _ columns: ColumnSet, of values: some RowValues, asReference isReference: Bool
    ) throws -> RowOutcome {
        let entity = values.entity
        let insert = try statements.family(entity).insert(columns, asReference: isReference)
        try values.bind(columns, to: insert)
        try run(insert.statement, for: values)
        return RowOutcome(row: connection.lastInsertedRow, kind: .inserted)
    }

    /// The entity that a known row's object is of once it is known to be one of the values' entity; nil
    /// where it is of another.
    ///
    /// An object never changes its entity, but a row that nothing is known of yet becomes one of
    /// whatever entity below its own comes first.
    func settle(_ known: FoundRow, for values: some RowValues) throws -> EntityPlan? {
        let entity = values.entity
        if entity.family.descendants.contains(known.entity.index) { return known.entity }
        guard known.entity.family.descendants.contains(entity.index), try isOpen(known) else {
            return nil
        }
        let settle = try statements.family(entity).settle()
        settle.bind(known.row, at: 1)
        try run(settle, for: values)
        return entity
    }

    private func settled(_ known: FoundRow, for values: some RowValues) throws -> EntityPlan {
        guard let entity = try settle(known, for: values) else {
            throw values.error(.otherEntity(known.entity))
        }
        return entity
    }

    /// Whether it is still open which entity a row's object is of.
    func isOpen(_ known: FoundRow) throws -> Bool {
        try known.entity.description.isAbstract || !isComplete(known.row, of: known.entity)
    }

    /// The entity that a row's object is of, which may be below the given one.
    func entity(of row: Int64, as entity: EntityPlan) throws -> EntityPlan {
        guard let column = entity.entityColumn else { return entity }
        let find = try connection.prepare(
            "SELECT \(column) FROM \(entity.table) WHERE \(entity.rowid) = ?")
        find.bind(row, at: 1)
        defer { find.reset() }
        return try find.step() ? plan.entity(find.text(at: 0), inTableOf: entity) : entity
    }
}
