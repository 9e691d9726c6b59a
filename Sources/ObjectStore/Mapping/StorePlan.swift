/// The plans of all entities of a model.
final class StorePlan: Sendable {
    let model: Model
    let entities: [EntityPlan]
    /// Whether importing JSON can delete objects, since a relationship's policy says so.
    let deletesObjects: Bool
    private let indices: [String: Int]

    init(_ model: Model) {
        self.model = model
        deletesObjects = model.entities.contains { entity in
            entity.relationships.contains { $0.policy == .replace }
        }
        let indices = Dictionary(
            uniqueKeysWithValues: model.entities.enumerated().map { ($1.name, $0) })
        self.indices = indices
        entities = model.entities.enumerated().map { index, description in
            EntityPlan(
                index: index, description: description,
                columns: Self.columns(of: description, in: model, indices),
                toMany: description.relationships.filter(\.isToMany).map {
                    Self.toMany($0, of: description, in: model, indices)
                })
        }
    }

    /// The plan of an entity.
    func entity(_ name: String) throws(StoreError) -> EntityPlan {
        guard let index = indices[name] else {
            throw StoreError(
                .unknownEntity,
                "the store's model \(model.name) has no entity \(name);"
                    + " list its type where the store is opened")
        }
        return entities[index]
    }

    private static func columns(
        of description: EntityDescription, in model: Model, _ indices: [String: Int]
    ) -> [EntityPlan.Column] {
        description.attributes.map { attribute in
            EntityPlan.Column(
                isOptional: attribute.isOptional,
                hasDefault: attribute.defaultValue != nil,
                coder: ValueCoder(attribute.type, attribute.transformer), destination: -1,
                inverse: nil)
        }
            + description.toOneRelationships.map { relationship in
                EntityPlan.Column(
                    isOptional: relationship.isOptional, hasDefault: false, coder: nil,
                    destination: indices[relationship.destination] ?? -1,
                    inverse: relationship.inverse.flatMap { inverse in
                        model[entity: relationship.destination]?.relationships
                            .filter(\.isToMany).firstIndex { $0.name == inverse }
                    })
            }
    }

    private static func toMany(
        _ relationship: RelationshipDescription, of entity: EntityDescription, in model: Model,
        _ indices: [String: Int]
    ) -> ToManyPlan {
        ToManyPlan(
            name: relationship.name, destination: indices[relationship.destination] ?? -1,
            policy: relationship.policy,
            storage: storage(of: relationship, of: entity, in: model),
            leadsBack: model.leads(from: relationship.destination, to: entity.name))
    }

    /// The side whose name comes first gives a shared link table its name.
    private static func storage(
        of relationship: RelationshipDescription, of entity: EntityDescription, in model: Model
    ) -> ToManyPlan.Storage {
        let name = "\(entity.name).\(relationship.name)"
        let destination = model[entity: relationship.destination]
        let inverse = relationship.inverse.flatMap { destination?.relationship(named: $0) }
        if let destination, let inverse, !inverse.isToMany,
            let column = destination.toOneRelationships.firstIndex(where: {
                $0.name == inverse.name
            })
        {
            return .column(destination.attributes.count + column)
        }
        let inverseName = inverse.map { "\(relationship.destination).\($0.name)" }
        let isOwner = inverseName.map { name <= $0 } ?? true
        return .table(
            ToManyPlan.LinkTable(
                name: (isOwner ? name : inverseName ?? name).sqlName,
                source: isOwner ? "source" : "target", target: isOwner ? "target" : "source",
                position: relationship.isOrdered
                    ? isOwner ? "position" : "inversePosition" : nil,
                isSymmetric: name == inverseName))
    }
}

extension Model {
    /// Whether relationships lead from an entity to another, or it is that one itself.
    fileprivate func leads(from start: String, to goal: String) -> Bool {
        var reached: Set = [start]
        var open = [start]
        while let name = open.popLast() {
            if name == goal { return true }
            for relationship in self[entity: name]?.relationships ?? []
            where relationship.key != nil && reached.insert(relationship.destination).inserted {
                open.append(relationship.destination)
            }
        }
        return false
    }
}
