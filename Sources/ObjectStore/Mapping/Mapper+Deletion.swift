/// Objects that fall out of arrays whose policy is to replace, and others that the document leads to.
///
/// What has been mapped and is still to be linked may be among them: a row that is gone can't be linked,
/// and what comes to its number is another object.
extension Mapper {
    /// The number of rows that the document has deleted so far.
    @inline(__always)
    var deletedCount: Int { plan.deletesObjects ? memory.deletedRows.count : 0 }

    /// Whether a row has been deleted since this many were.
    func isDeleted(_ row: Int64, of entity: EntityPlan, since count: Int) -> Bool {
        deletedCount > count && areDeleted([row], of: entity, since: count)
    }

    /// Whether some of the rows have been deleted since this many were.
    func areDeleted(_ rows: [Int64], of entity: EntityPlan, since count: Int) -> Bool {
        memory.deletedRows(of: entity, since: count).contains { rows.contains($0) }
    }

    /// Throws where the owner of a list is gone.
    func checkIsThere(
        _ owner: Int64, of entity: EntityPlan, since count: Int, at node: Int, list index: Int
    ) throws {
        guard isDeleted(owner, of: entity, since: count) else { return }
        throw error(
            node, entity: entity, field: entity.columnCount + index, .leadsToDeleted)
    }

    /// Throws where something is gone that an object leads to which is about to be written: its owner, or
    /// what stands in the columns before this one.
    func checkAreThere(
        in frame: MapperFrame, before index: Int, owner: (column: Int, row: Int64)?,
        since count: Int
    ) throws {
        let entity = frame.entity
        for column in entity.attributeCount..<index {
            let value = Int(frame.values[column])
            guard value >= 0, tape.kind(value) != .null else { continue }
            let destination = plan.entities[entity.columns[column].destination]
            if isDeleted(frame.rows[column], of: destination, since: count) {
                throw error(value, entity: entity, field: column, .leadsToDeleted)
            }
        }
        guard let owner else { return }
        let destination = plan.entities[entity.columns[owner.column].destination]
        if isDeleted(owner.row, of: destination, since: count) {
            throw error(
                Int(frame.values[index]), entity: entity, field: owner.column, .leadsToDeleted)
        }
    }

    /// Deletes objects that fell out of an array whose policy says so, as the delete rules say.
    func delete(_ rows: [Int64], of entity: EntityPlan, at node: Int) throws {
        guard !rows.isEmpty else { return }
        // What has been read ahead may go, or lose its links.
        statements.close()
        let deletion = Deletion(
            of: entity, in: plan, by: statements, telling: ReplacementLog(mapper: self, node: node))
        do {
            _ = try deletion.delete(rows)
        } catch let failure as WritingError {
            throw error(node, entity: entity, field: nil, .notDeletable(failure))
        }
    }
}

/// Tells a mapper of what goes since it fell out of an array whose policy is to replace.
struct ReplacementLog: DeletionLog {
    let mapper: Mapper
    /// The array.
    let node: Int

    func wantsRows(of entity: EntityPlan) -> Bool { true }

    /// The document may still bring it.
    var mayComplete: Bool { true }

    func noteDeleted(_ change: DeletionChange, of entity: EntityPlan) {
        let rows = change.rows ?? []
        mapper.memory.noteDeleted(rows, of: entity)
        mapper.listing?.objects.noteDeleted(rows, of: entity)
        for row in rows { mapper.forgetChecks(of: row, as: entity) }
    }

    func noteEmptied(_ change: DeletionChange, areRequired: Bool, of entity: EntityPlan) {
        for row in change.rows ?? [] {
            mapper.memory.noteRelinked(row, of: entity)
            if !entity.rules.isEmpty { mapper.expectRules(of: row, as: entity, at: node) }
            if areRequired {
                mapper.expectCompletion(of: row, as: entity, at: node, .leadsToDeleted)
            }
        }
    }

    func noteUnlinked(_ count: Int, of entity: EntityPlan) {
        mapper.memory.noteLinks(linked: 0, unlinked: count, of: entity)
    }
}
