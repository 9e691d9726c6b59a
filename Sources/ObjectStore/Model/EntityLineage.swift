/// The inheritance among the entities of a model.
struct EntityLineage {
    private let entities: [EntityDescription]
    private let indices: [String: Int]
    /// The ancestors of each entity, the nearest first.
    private let ancestors: [[Int]]
    /// Each entity and all below it, by its name.
    private let families: [String: [Int]]

    init(_ entities: [EntityDescription]) {
        self.entities = entities
        let indices = Dictionary(entities.enumerated().map { ($1.name, $0) }) { first, _ in first }
        self.indices = indices
        let ancestors = entities.map { entity in
            var ancestors: [Int] = []
            var met: Set = [entity.name]
            var next = entity.parent
            while let parent = next, met.insert(parent).inserted, let index = indices[parent] {
                ancestors.append(index)
                next = entities[index].parent
            }
            return ancestors
        }
        self.ancestors = ancestors
        var families: [String: [Int]] = [:]
        for (index, entity) in entities.enumerated() {
            families[entity.name, default: []].append(index)
            for ancestor in ancestors[index] {
                families[entities[ancestor].name, default: []].append(index)
            }
        }
        self.families = families
    }

    /// The ancestors of an entity, the nearest first, as far as they are known.
    func ancestors(of name: String) -> [EntityDescription] {
        indices(above: name).map { entities[$0] }
    }

    /// The name of the entity that a family begins with.
    func root(of name: String) -> String { ancestors(of: name).last?.name ?? name }

    /// An entity and all below it.
    func family(below name: String) -> [EntityDescription] {
        indices(below: name).map { entities[$0] }
    }

    /// The places of an entity and of all below it.
    func indices(below name: String) -> [Int] { families[name] ?? [] }

    /// The places of an entity's ancestors, the nearest first.
    func indices(above name: String) -> [Int] { indices[name].map { ancestors[$0] } ?? [] }

    /// Whether an entity is another one or below it.
    func isEntity(_ name: String, at ancestor: String) -> Bool {
        name == ancestor || indices(above: name).contains { entities[$0].name == ancestor }
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
            whole.hasFetchedAt = whole.hasFetchedAt || ancestor.hasFetchedAt
        }
        return whole
    }

    subscript(name: String) -> EntityDescription? { indices[name].map { entities[$0] } }
}
