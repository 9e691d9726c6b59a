/// The plans of all entities of a model.
final class StorePlan: Sendable {
    let model: Model
    let entities: [EntityPlan]
    /// Whether importing JSON can delete objects, since a relationship's policy or an object itself says so.
    let deletesObjects: Bool
    /// Whether it is kept of any entity when its objects were fetched.
    let keepsFetchTimes: Bool
    /// The places that importing JSON keeps for the entities.
    let frameLayout: FrameLayout
    /// The assumptions that importing JSON makes instead of asking the store.
    let shortcuts: MapperShortcuts
    /// The tables of links.
    let linkTables: [LinkTable]
    /// The full-text indexes of all families that have one.
    let searches: [SearchPlan]
    private let indices: [String: Int]

    /// Works out the plans.
    ///
    /// - Throws: `ModelError` where nobody knows a transformer that the model names.
    convenience init(
        _ model: Model, configuration: Store.Configuration = Store.Configuration()
    ) throws(ModelError) {
        let transformers = TransformerRegistry(configuration)
        try transformers.check(model)
        self.init(model, transformers, configuration.shortcuts)
    }

    /// Works out the plans of a model that is only read by, whose transformers need not be known.
    convenience init(stored model: Model) {
        self.init(model, TransformerRegistry(Store.Configuration()), .all)
    }

    private init(
        _ model: Model, _ transformers: TransformerRegistry, _ shortcuts: MapperShortcuts
    ) {
        self.model = model
        self.shortcuts = shortcuts
        deletesObjects = model.entities.contains { entity in
            entity.tombstone != nil || entity.relationships.contains { $0.policy == .replace }
        }
        let indices = Dictionary(
            uniqueKeysWithValues: model.entities.enumerated().map { ($1.name, $0) })
        self.indices = indices
        let builder = Builder(
            lineage: EntityLineage(model.entities), reach: EntityReach(model.entities),
            indices: indices, transformers: transformers)
        let entities = model.entities.enumerated().map { builder.plan(of: $1, at: $0) }
        self.entities = entities
        keepsFetchTimes = entities.contains(where: \.keepsFetchTimes)
        frameLayout = FrameLayout(entities)
        linkTables = entities.flatMap { entity in
            Self.ownToMany(of: entity, in: entities).compactMap { relationship in
                if case .table(let side) = relationship.storage, side.isOwner {
                    side.table
                } else {
                    nil
                }
            }
        }
        searches = entities.filter { $0.family.ancestors.isEmpty }.compactMap { root in
            SearchPlan(root: root, members: root.family.members.map { entities[$0] })
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

    /// The plan of the entity that a row names in the table of another entity's family.
    func entity(_ name: String, inTableOf relative: EntityPlan) throws(StoreError) -> EntityPlan {
        if let index = indices[name] { return entities[index] }
        throw StoreError(unknownEntity: name, inTableOf: relative)
    }

    /// Whether the model has an entity.
    func hasEntity(_ name: String) -> Bool { indices[name] != nil }
}

extension StoreError {
    /// A row names an entity that the model does not have.
    init(unknownEntity name: String, inTableOf relative: EntityPlan) {
        self.init(
            .damaged,
            "a row of \(relative.family.tableName) says that it is of the entity \(name), which the"
                + " model does not have; Store.rebuild puts it right")
    }
}

extension StorePlan {
    /// Makes the plans of a model's entities.
    fileprivate struct Builder {
        let lineage: EntityLineage
        let reach: EntityReach
        let indices: [String: Int]
        let transformers: TransformerRegistry

        func plan(of entity: EntityDescription, at index: Int) -> EntityPlan {
            let whole = lineage.flattened(entity)
            let ancestors = lineage.ancestors(of: entity.name)
            return EntityPlan(
                index: index, description: whole,
                family: EntityFamily(of: entity, in: lineage, indices), columns: columns(of: whole),
                toMany: (ancestors.reversed() + [entity]).flatMap { declaring in
                    declaring.relationships.filter(\.isToMany).map { toMany($0, of: declaring) }
                },
                picker: mapper(of: entity, ancestors).map { EntityPicker($0, indices) },
                rewrite: entity.transformer.flatMap { transformers.rewriting(of: $0) },
                tombstone: ([entity] + ancestors).lazy.compactMap(\.tombstone).first
                    .map(NodePath.init),
                rules: ([entity] + ancestors).compactMap(\.rules),
                insertedDefaults: insertedDefaults(of: whole, root: ancestors.last))
        }

        /// The entity's mapper, else the nearest ancestor's, as far as it names entities below this one.
        private func mapper(
            of entity: EntityDescription, _ ancestors: [EntityDescription]
        ) -> EntityMapper? {
            if let mapper = entity.mapper { return mapper }
            let below = Set(lineage.family(below: entity.name).map(\.name))
            guard below.count > 1, var mapper = ancestors.lazy.compactMap(\.mapper).first else {
                return nil
            }
            mapper.values = mapper.values.filter { below.contains($0.value) }
            return mapper.values.isEmpty ? nil : mapper
        }

        private func columns(of description: EntityDescription) -> [EntityPlan.Column] {
            description.attributes.map { attribute in
                let (coder, converter) = transformers.coder(of: attribute)
                return EntityPlan.Column(
                    isOptional: attribute.isOptional,
                    hasDefault: attribute.defaultValue != nil, coder: coder, converter: converter,
                    destination: -1, inverse: nil, isPartial: false)
            }
                + description.toOneRelationships.map { relationship in
                    EntityPlan.Column(
                        isOptional: relationship.isOptional, hasDefault: false, coder: nil,
                        converter: nil, destination: indices[relationship.destination] ?? -1,
                        inverse: relationship.inverse.flatMap { inverse in
                            destination(of: relationship)?.relationships.filter(\.isToMany)
                                .firstIndex { $0.name == inverse }
                        }, isPartial: relationship.isPartial)
                }
        }

        /// The defaults of columns that the whole family has in its table are there.
        private func insertedDefaults(
            of description: EntityDescription, root: EntityDescription?
        ) -> [(column: Int, literal: String)] {
            guard let root else { return [] }
            return description.attributes.enumerated().dropFirst(root.attributes.count)
                .compactMap { column, attribute in
                    attribute.defaultValue.map { (column, $0.sqlValue.literal) }
                }
        }

        /// The entity at the other end, with all that it inherits.
        private func destination(of relationship: RelationshipDescription) -> EntityDescription? {
            lineage[relationship.destination].map(lineage.flattened)
        }

        private func toMany(
            _ relationship: RelationshipDescription, of declaring: EntityDescription
        ) -> ToManyPlan {
            ToManyPlan(
                name: relationship.name, destination: indices[relationship.destination] ?? -1,
                policy: relationship.policy, storage: storage(of: relationship, of: declaring),
                isPartial: relationship.isPartial,
                leadsBack: reach.leads(from: relationship.destination, to: declaring.name))
        }

        /// The side whose name comes first gives a shared link table its name.
        private func storage(
            of relationship: RelationshipDescription, of declaring: EntityDescription
        ) -> ToManyPlan.Storage {
            let name = "\(declaring.name).\(relationship.name)"
            let destination = destination(of: relationship)
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
            // What is its own inverse has one order, which is the owner's.
            let other = name == inverseName ? nil : inverse
            let here = LinkTable.End(
                entity: indices[declaring.name] ?? -1, relationship: relationship.name,
                isOrdered: relationship.isOrdered)
            let there = LinkTable.End(
                entity: indices[relationship.destination] ?? -1, relationship: other?.name,
                isOrdered: other?.isOrdered ?? false)
            let table = LinkTable(
                name: isOwner ? name : inverseName ?? name, owner: isOwner ? here : there,
                inverse: isOwner ? there : here, isSymmetric: name == inverseName)
            return .table(table.side(isOwner: isOwner))
        }
    }
}

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

    /// The entities with whose tables stands one of when objects were fetched.
    var fetchedRoots: [EntityPlan] {
        roots.filter { members(beside: $0).contains(where: \.keepsFetchTimes) }
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

    /// The indices of the entities whose objects an import may delete as others take their place in a list, and of those
    /// that go along with them.
    var replacedEntities: Set<Int> {
        var replaced: Set<Int> = []
        var rest = entities.flatMap(\.toMany).filter { $0.policy == .replace }.map(\.destination)
        while let next = rest.popLast() {
            for index in entities[next].family.descendants where replaced.insert(index).inserted {
                let names = ownRelationships(of: entities[index])
                    .filter { $0.deleteRule == .cascade }.map(\.destination)
                rest += entities.filter { names.contains($0.name) }.map(\.index)
            }
        }
        return replaced
    }

    /// The relationships that an entity does not inherit.
    func ownRelationships(of entity: EntityPlan) -> [RelationshipDescription] {
        model[entity: entity.name]?.relationships ?? []
    }
}
