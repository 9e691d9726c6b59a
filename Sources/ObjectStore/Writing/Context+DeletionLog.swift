/// Counts what is deleted in the report, and has rules asked again.
extension Context: DeletionLog {
    func wantsRows(of entity: EntityPlan) -> Bool { !entity.rules.isEmpty }

    var mayComplete: Bool { false }

    func noteDeleted(_ change: DeletionChange, of entity: EntityPlan) {
        count(entity.name) { $0.deleted += change.count }
    }

    func noteEmptied(_ change: DeletionChange, areRequired: Bool, of entity: EntityPlan) {
        for row in change.rows ?? [] { expectRules(of: row, as: entity) }
        count(entity.name) { $0.updated += change.count }
    }

    func noteUnlinked(_ count: Int, of entity: EntityPlan) {
        self.count(entity.name) { $0.unlinked += count }
    }
}
