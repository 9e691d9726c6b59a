import LarderObjectStore

/// A model as the oracle reads it: each entity with all that it inherits.
struct OracleSchema {
    /// An entity, its ancestors' properties before its own.
    struct Entity {
        let name: String
        /// Its ancestors' names, the nearest first.
        let ancestors: [String]
        let isAbstract: Bool
        let hasSubEntities: Bool
        let identity: [String]
        let attributes: [AttributeDescription]
        let ones: [Relationship]
        let manys: [Relationship]
        let mapper: EntityMapper?
        /// Whether objects may stand at a key of another one.
        let isWrapped: Bool
        /// Where an object says that it is gone.
        let tombstone: String?
        /// Whether it is kept when its objects were fetched.
        let hasFetchedAt: Bool

        func attribute(_ name: String) -> AttributeDescription? {
            attributes.first { $0.name == name }
        }

        /// The object that is meant where another one may hold it.
        func unwrapped(_ json: OracleJSON) -> OracleJSON {
            guard isWrapped, case .object? = json[OracleNames.wrapped] else { return json }
            return json[OracleNames.wrapped] ?? json
        }

        var relationships: [Relationship] { ones + manys }

        /// The key that an attribute reads of what a to-one relationship leads to, nil where it reads none.
        func key(of attribute: AttributeDescription, beyond one: Relationship) -> String? {
            guard let key = attribute.key, let start = one.description.key.map({ $0 + "." }),
                key.hasPrefix(start)
            else { return nil }
            return String(key.dropFirst(start.count))
        }
    }

    /// A relationship and the entity that declares it.
    struct Relationship {
        let description: RelationshipDescription
        let owner: String

        var name: String { description.name }
        var destination: String { description.destination }
        /// The name that its links are kept by.
        var key: String { "\(owner).\(name)" }
    }

    let entities: [String: Entity]
    let names: [String]

    init(_ model: Model) {
        let described = Dictionary(uniqueKeysWithValues: model.entities.map { ($0.name, $0) })
        var entities: [String: Entity] = [:]
        for entity in model.entities {
            var lineage = [entity]
            while let parent = lineage.last?.parent.flatMap({ described[$0] }) {
                lineage.append(parent)
            }
            let relationships = lineage.reversed().flatMap { one in
                one.relationships.map { Relationship(description: $0, owner: one.name) }
            }
            entities[entity.name] = Entity(
                name: entity.name, ancestors: lineage.dropFirst().map(\.name),
                isAbstract: entity.isAbstract,
                hasSubEntities: model.entities.contains { $0.parent == entity.name },
                identity: lineage.reversed().flatMap(\.identity),
                attributes: lineage.reversed().flatMap(\.attributes),
                ones: relationships.filter { !$0.description.isToMany },
                manys: relationships.filter(\.description.isToMany),
                mapper: Self.mapper(of: entity, in: model),
                isWrapped: entity.transformer != nil,
                tombstone: lineage.lazy.compactMap(\.tombstone).first,
                hasFetchedAt: lineage.contains(where: \.hasFetchedAt))
        }
        self.entities = entities
        names = model.entities.map(\.name)
    }

    subscript(name: String) -> Entity {
        guard let entity = entities[name] else { preconditionFailure("no entity \(name)") }
        return entity
    }

    /// Whether an entity is another one or below it.
    func isEntity(_ name: String, _ other: String) -> Bool {
        name == other || self[name].ancestors.contains(other)
    }

    func root(of name: String) -> String { self[name].ancestors.last ?? name }

    /// Whether an entity has neither parent nor sub-entities.
    func isAlone(_ name: String) -> Bool {
        !names.contains { $0 != name && root(of: $0) == root(of: name) }
    }

    /// The relationship that leads back, nil where there is none.
    func inverse(of relationship: Relationship) -> Relationship? {
        relationship.description.inverse.flatMap { name in
            self[relationship.destination].relationships.first {
                $0.name == name && $0.owner == relationship.destination
            }
        }
    }

    /// The to-one relationship that holds the links of a to-many one; nil where they have an order, or a
    /// set, of their own.
    func column(of relationship: Relationship) -> Relationship? {
        inverse(of: relationship).flatMap { $0.description.isToMany ? nil : $0 }
    }

    /// What a complete object must have besides its identity.
    func required(_ entity: Entity) -> [String] {
        entity.attributes.filter {
            !$0.isOptional && ($0.defaultValue == nil || entity.identity.contains($0.name))
        }.map(\.name) + entity.ones.filter { !$0.description.isOptional }.map(\.name)
    }
}

extension OracleSchema {
    /// An entity's own mapper, else what the nearest ancestor's says of those below the entity.
    private static func mapper(of entity: EntityDescription, in model: Model) -> EntityMapper? {
        func isBelow(_ name: String) -> Bool {
            guard let parent = model[entity: name]?.parent else { return false }
            return parent == entity.name || isBelow(parent)
        }
        var above = entity
        while above.mapper == nil {
            guard let parent = above.parent.flatMap({ model[entity: $0] }) else { return nil }
            above = parent
        }
        guard var mapper = above.mapper, above.name != entity.name else { return above.mapper }
        mapper.values = mapper.values.filter { isBelow($0.value) || $0.value == entity.name }
        return mapper.values.contains { isBelow($0.value) } ? mapper : nil
    }
}
