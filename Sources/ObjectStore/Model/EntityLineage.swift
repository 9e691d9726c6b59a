/// Who inherits from whom among the entities of a model.
struct EntityLineage {
    private let entities: [EntityDescription]
    private let indices: [String: Int]

    init(_ entities: [EntityDescription]) {
        self.entities = entities
        indices = Dictionary(entities.enumerated().map { ($1.name, $0) }) { first, _ in first }
    }

    /// The ancestors of an entity, the nearest first, as far as they are known.
    func ancestors(of name: String) -> [EntityDescription] {
        var ancestors: [EntityDescription] = []
        var met: Set = [name]
        var next = self[name]?.parent
        while let parent = next, met.insert(parent).inserted, let entity = self[parent] {
            ancestors.append(entity)
            next = entity.parent
        }
        return ancestors
    }

    /// The name of the entity that a family begins with.
    func root(of name: String) -> String { ancestors(of: name).last?.name ?? name }

    /// An entity and all below it.
    func family(below name: String) -> [EntityDescription] {
        entities.filter { entity in
            entity.name == name || ancestors(of: entity.name).contains { $0.name == name }
        }
    }

    /// Whether an entity is another one or below it.
    func isEntity(_ name: String, at ancestor: String) -> Bool {
        name == ancestor || ancestors(of: name).contains { $0.name == ancestor }
    }

    /// An entity with all that it inherits: the ancestors' properties come before its own, and what
    /// identifies it is what identifies any of them.
    func flattened(_ entity: EntityDescription) -> EntityDescription {
        var whole = entity
        for ancestor in ancestors(of: entity.name) {
            whole.attributes = ancestor.attributes + whole.attributes
            whole.relationships = ancestor.relationships + whole.relationships
            whole.identity =
                ancestor.identity + whole.identity.filter { !ancestor.identity.contains($0) }
        }
        return whole
    }

    subscript(name: String) -> EntityDescription? { indices[name].map { entities[$0] } }
}
