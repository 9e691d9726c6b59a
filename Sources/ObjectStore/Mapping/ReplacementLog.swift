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
