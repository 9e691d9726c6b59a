extension Mapper {
    /// Maps an object as it stands there, which has been rewritten or need not be.
    ///
    /// Where its entity has relatives, the row that has its identity says which of them it is one of, and
    /// the entity's mapper where there is none yet.
    func mapAsItIs(
        _ node: Int, as entity: EntityPlan, in role: ObjectRole
    ) throws -> Int64? {
        if isTombstone(node, of: entity) {
            return try noteTombstone(at: node, as: entity, in: role)
        }
        guard !entity.family.isAlone else { return try mapObject(node, as: entity, in: role) }
        let chosen = entity.picker?.entity(of: node, in: tape).map { plan.entities[$0] }
        let target =
            try concreteEntity(of: node, as: chosen ?? entity, given: entity) ?? chosen ?? entity
        // A kind may say so in a way of its own.
        if target !== entity, isTombstone(node, of: target) {
            return try noteTombstone(at: node, as: entity, in: role)
        }
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

    private func isTombstone(_ node: Int, of entity: EntityPlan) -> Bool {
        guard let place = entity.tombstone?.node(in: node, tape) else { return false }
        return JSONValue(storage: storage, node: place).isTruth
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
        guard let known = try rows.find(values) else { return nil }
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
    func noteSettled(_ written: WrittenRow) {
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
