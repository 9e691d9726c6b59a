extension Mapper {
    /// Maps an object whose entity has relatives: the row that has its identity says which of them it
    /// is one of, and the entity's mapper where there is none yet.
    func mapFamilyObject(
        _ node: Int, as entity: EntityPlan, in role: ObjectRole
    ) throws -> Int64 {
        let chosen = entity.picker?.entity(of: node, in: tape).map { plan.entities[$0] }
        let target =
            try concreteEntity(of: node, as: chosen ?? entity, given: entity) ?? chosen ?? entity
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
    ) throws -> RowOutcome {
        let entity = frame.entity
        let values = MapperValues(mapper: self, frame: frame, node: node)
        let missingIdentity = entity.identifying.intersection(entity.required).subtracting(columns)
        if let missing = missingIdentity.first {
            throw error(node, entity: entity, field: missing, .missing)
        }
        let isReference =
            !columns.isSuperset(of: entity.required)
            || role.kind == .partial && isBare(columns, of: frame)
        // Objects inside this one may have referred to it since its row was looked for.
        let written = try rows.writeInFamily(columns, of: values, asReference: isReference)
        noteSettled(written)
        let outcome = written.outcome
        guard written.entity === entity else {
            throw error(node, entity: entity, field: nil, .otherEntity(written.entity.name))
        }
        guard isReference else { return outcome }
        if values.hasEmptyIdentity,
            let missing = try statements.entity(entity).standing(of: outcome.row).missing
        {
            throw error(node, entity: entity, field: missing, .missing)
        }
        return try settle(outcome, columns, of: frame, at: node, in: role)
    }

    // MARK: Rows

    /// The entity that the object is of whose row has the identity of one at a node; nil where there is
    /// none.
    ///
    /// - Parameter given: The entity that the object's place says, above the one that is looked for.
    private func concreteEntity(
        of node: Int, as entity: EntityPlan, given: EntityPlan
    ) throws -> EntityPlan? {
        guard !entity.identifying.isEmpty else { return nil }
        let frame = try frame(of: node, as: entity)
        defer { pop(frame) }
        let values = MapperValues(mapper: self, frame: frame, node: node)
        guard let known = try rows.findInFamily(values) else { return nil }
        if let concrete = try rows.settle(known, for: values) {
            memory.noteSettled(known.row, from: known.entity, to: concrete)
            return concrete
        }
        // What a link leads to can't become an object of a kind that the link does not lead to.
        let isRefuted = try entity !== given && rows.isOpen(known)
        if !isRefuted, given.family.descendants.contains(known.entity.index) { return known.entity }
        throw error(node, entity: given, field: nil, .otherEntity(known.entity.name))
    }

    /// Counts an object that has turned out to be of a more special entity as one of that.
    func noteSettled(_ written: FamilyOutcome) {
        guard let before = written.before else { return }
        memory.noteSettled(written.outcome.row, from: before, to: written.entity)
    }

    /// The entity that a row of an entity, or of one of its relatives, is counted as one of.
    func counted(_ row: Int64, as entity: EntityPlan) throws -> EntityPlan {
        guard !entity.family.isAlone else { return entity }
        let relatives = entity.family.members.lazy.map { self.plan.entities[$0] }
        if let relative = relatives.first(where: { self.memory.isKnown(row, of: $0) }) {
            return relative
        }
        return try rows.entity(of: row, as: entity)
    }
}
