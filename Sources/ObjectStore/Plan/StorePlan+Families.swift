/// The plan by tables instead of entities.
extension StorePlan {
    /// The entities that tables are named after, each of which begins a family.
    var roots: [EntityPlan] { entities.filter { $0.family.ancestors.isEmpty } }

    /// The entity that an entity's table is named after.
    func root(of entity: EntityPlan) -> EntityPlan { entities[entity.family.members[0]] }

    /// The entities that share an entity's table, the root first.
    func members(beside entity: EntityPlan) -> [EntityPlan] {
        entity.family.members.map { entities[$0] }
    }

    /// The to-many relationships that an entity does not inherit.
    func ownToMany(of entity: EntityPlan) -> ArraySlice<ToManyPlan> {
        Self.ownToMany(of: entity, in: entities)
    }

    /// The to-many relationships that an entity, one of those given, does not inherit.
    static func ownToMany(
        of entity: EntityPlan, in entities: [EntityPlan]
    ) -> ArraySlice<ToManyPlan> {
        let inherited = entity.family.ancestors.first.map { entities[$0].toMany.count } ?? 0
        return entity.toMany.dropFirst(inherited)
    }

    /// The relationships that an entity does not inherit.
    func ownRelationships(of entity: EntityPlan) -> [RelationshipDescription] {
        model[entity: entity.name]?.relationships ?? []
    }
}
