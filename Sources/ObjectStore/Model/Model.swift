/// The entities of one store and how JSON maps to them.
///
/// A model is a value: it is built from types marked `@Entity`, from a model file, or by hand, and
/// equal models mean the same whichever way they came about.
public struct Model: Sendable {
    /// The name, shown in errors.
    public let name: String
    /// The entities, sorted by name.
    public let entities: [EntityDescription]

    /// Builds a model from descriptions of its entities.
    ///
    /// - Throws: `ModelError` with all that is wrong with them.
    public init(name: String, entities: [EntityDescription]) throws(ModelError) {
        try self.init(name: name, entities: entities, types: [])
    }

    private init(
        name: String, entities: [EntityDescription], types: [any Entity.Type]
    ) throws(ModelError) {
        let entities = entities.sorted { $0.name < $1.name }
        let problems =
            ModelCheck(entities: entities).problems()
            + InheritanceCheck(entities).problems(of: types)
        if !problems.isEmpty { throw ModelError(model: name, problems: problems) }
        self.name = name
        self.entities = entities
    }

    /// Builds a model from the types of its entities; parents come along with them.
    ///
    /// - Throws: `ModelError` with all that is wrong with them.
    public init(name: String = "Model", entities: any Entity.Type...) throws(ModelError) {
        try self.init(name: name, entities: entities)
    }

    /// Builds a model from a list of the types of its entities; parents come along with them.
    ///
    /// - Throws: `ModelError` with all that is wrong with them.
    public init(name: String = "Model", entities: [any Entity.Type]) throws(ModelError) {
        let types = Self.withParents(entities)
        try self.init(name: name, entities: types.map { Self.description(of: $0) }, types: types)
    }

    private static func withParents(_ types: [any Entity.Type]) -> [any Entity.Type] {
        var all = types
        var known = Set(types.map { ObjectIdentifier($0) })
        for type in types {
            var next = type.parentType
            while let parent = next, known.insert(ObjectIdentifier(parent)).inserted {
                all.append(parent)
                next = parent.parentType
            }
        }
        return all
    }

    private static func description<Object: Entity>(of type: Object.Type) -> EntityDescription {
        var description = type.entityDescription
        description.rules = ObjectRules(type)
        return description
    }

    /// The description of an entity, nil where the model has none of that name.
    public subscript(entity name: String) -> EntityDescription? {
        entities.first { $0.name == name }
    }
}

extension Model: Hashable {
    /// Compares the entities; the name is only for people.
    public static func == (left: Model, right: Model) -> Bool {
        left.entities == right.entities
    }

    /// Hashes the entities.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(entities)
    }
}
