/// A row of a family's table, and the entity that its object is of.
struct FamilyRow {
    let row: Int64
    let entity: EntityPlan
}
