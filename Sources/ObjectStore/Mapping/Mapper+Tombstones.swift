/// Objects that say of themselves that they are gone.
///
/// They are deleted where the part of the document ends that they stand in, all together, so that it makes no
/// difference in which order a document speaks of an object: one that is in it twice, once as gone, is gone.
extension Mapper {
    /// Notes an object that is gone, and returns its row where a relationship leads to it that is still there:
    /// the link goes with the row, by the delete rules.
    func noteTombstone(
        at node: Int, as entity: EntityPlan, in role: ObjectRole
    ) throws -> Int64? {
        let chosen = entity.picker?.entity(of: node, in: tape).map { plan.entities[$0] } ?? entity
        guard let identity = try identity(of: node, as: chosen) else { return nil }
        let tombstone = Tombstone(entity: chosen, identity: identity)
        // One that has been heard of before, so that what is there is another.
        if restoration == nil {
            memory.tombstones.append(tombstone)
            outermost.tombstonePlaces.append(tombstonePlace(of: node))
        }
        guard role.kind != .top, let known = try find(tombstone),
            entity.family.descendants.contains(known.entity.index)
        else { return nil }
        if let owner = role.owner { try link(known.row, of: entity, to: owner, at: node) }
        return known.row
    }

    /// Deletes the rows of objects that are gone.
    ///
    /// - Parameters:
    ///   - first: The number of tombstones that need not be looked at.
    ///   - node: The place of the part that they stand in.
    func bury(from first: Int = 0, at node: Int) throws {
        guard memory.tombstones.count > first else { return }
        var rows: [Int: RowList] = [:]
        for tombstone in memory.tombstones[first...] {
            guard let known = try find(tombstone) else { continue }
            rows[known.entity.family.members[0], default: RowList(capacity: 1)].append(known.row)
        }
        guard !rows.isEmpty else { return }
        let roots = rows.keys.sorted()
        statements.close()
        let deletion = Deletion(
            of: roots.map { plan.entities[$0] }, in: plan, by: statements,
            telling: ReplacementLog(mapper: self, node: node))
        let lists = roots.compactMap { rows[$0]?.rows }
        do { _ = try deletion.delete(lists) } catch let failure as WritingError {
            throw refusal(failure, of: deletion, lists, from: first)
                ?? error(node, entity: plan.entities[roots[0]], field: nil, .notDeletable(failure))
        }
    }

    /// The row of an object that is gone, where it is of the entity, or might be.
    func find(_ tombstone: Tombstone) throws -> FoundRow? {
        let entity = tombstone.entity
        let row = ObjectRow(identity: tombstone.identity, of: entity)
        guard let known = try rows.find(row) else { return nil }
        let isKnown = entity.family.descendants.contains(known.entity.index)
        return isKnown || known.entity.family.descendants.contains(entity.index) ? known : nil
    }

    /// The identity of an object, nil where it has none.
    private func identity(of node: Int, as entity: EntityPlan) throws -> [SQLValue]? {
        guard !entity.identifying.isEmpty else { return nil }
        let frame = try frame(of: node, as: entity)
        defer { pop(frame) }
        var identity: [SQLValue] = []
        for column in entity.identifying.columns {
            if isEmpty(column, of: frame) {
                guard entity.columns[column].isOptional else { return nil }
                identity.append(.null)
            } else {
                identity.append(
                    try value(Int(frame.values[column]), column: column, of: entity))
            }
        }
        return identity.allSatisfy { $0 == .null } ? nil : identity
    }

    /// The value of an attribute as the store keeps it.
    private func value(_ node: Int, column: Int, of entity: EntityPlan) throws -> SQLValue {
        let statement = try statements.connection.prepare("SELECT ?1")
        defer { statement.reset() }
        try bind(node, column: column, of: entity, to: statement, at: 1)
        guard try statement.step() else { return .null }
        return statement.value(at: 0)
    }
}
