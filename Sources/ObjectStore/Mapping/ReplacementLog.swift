/// Tells a mapper of what goes since it fell out of an array whose policy is to replace.
struct ReplacementLog: DeletionLog {
    let mapper: Mapper
    /// The array.
    let node: Int

    func wantsRows(of entity: EntityPlan) -> Bool { true }

    /// The document may still bring it.
    var mayComplete: Bool { true }

    func noteDeleted(_ change: DeletionChange, of entity: EntityPlan) {
        let tally = mapper.tallies[entity.index]
        let outermost = mapper.outermost
        for row in change.rows ?? [] {
            outermost.deletedRows.append((entity.family.members[0], row))
            tally.noteDeleted(row)
            mapper.forgetChecks(of: row, as: entity)
        }
        for index in entity.family.members { mapper.tallies[index].forgetIdentities() }
        // Links to what is gone are emptied behind the mapper's back.
        mapper.hasDeleted = true
    }

    func noteEmptied(_ change: DeletionChange, areRequired: Bool, of entity: EntityPlan) {
        for row in change.rows ?? [] {
            mapper.tallies[entity.index].noteRelinked(row)
            if !entity.rules.isEmpty { mapper.expectRules(of: row, as: entity, at: node) }
            if areRequired {
                mapper.expectCompletion(of: row, as: entity, at: node, .leadsToDeleted)
            }
        }
    }

    func noteUnlinked(_ count: Int, of entity: EntityPlan) {
        mapper.tallies[entity.index].noteLinks(linked: 0, unlinked: count)
    }
}
