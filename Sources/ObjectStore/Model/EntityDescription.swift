/// An entity: a kind of object, with its attributes, its relationships and its identity.
///
/// Two descriptions are equal when they mean the same, whatever order their properties are in.
public struct EntityDescription: Sendable {
    /// The entity's name, which is the table's name too.
    public var name: String
    /// The name of the entity whose properties and identity this one has too.
    public var parent: String?
    /// Whether there are only objects of its sub-entities.
    public var isAbstract: Bool
    /// The attributes that make two JSON objects the same object, besides those that ancestors
    /// name; empty: each is a new one.
    public var identity: [String]
    /// The entity's own attributes, in the order of their declaration.
    public var attributes: [AttributeDescription]
    /// The entity's own relationships, in the order of their declaration.
    public var relationships: [RelationshipDescription]
    /// The mapper that picks the sub-entity of a new object.
    public var mapper: EntityMapper?
    /// The transformer that rewrites an object's JSON before all else.
    public var transformer: ObjectTransformer?
    /// The name it had in an earlier model.
    public var renamedFrom: String?
    /// The largest number of attributes and to-one relationships that an entity may have.
    static let maximumColumnCount = 127

    /// The rules that its type has for objects; no part of what makes descriptions equal.
    var rules: ObjectRules?

    /// Describes an entity.
    public init(
        name: String, parent: String? = nil, isAbstract: Bool = false, identity: [String] = [],
        attributes: [AttributeDescription] = [], relationships: [RelationshipDescription] = [],
        mapper: EntityMapper? = nil, transformer: ObjectTransformer? = nil,
        renamedFrom: String? = nil
    ) {
        self.name = name
        self.parent = parent
        self.isAbstract = isAbstract
        self.identity = identity
        self.attributes = attributes
        self.relationships = relationships
        self.mapper = mapper
        self.transformer = transformer
        self.renamedFrom = renamedFrom
    }
}

extension EntityDescription: Hashable {
    /// Compares what two descriptions mean.
    public static func == (left: EntityDescription, right: EntityDescription) -> Bool {
        left.name == right.name && Set(left.identity) == Set(right.identity)
            && left.renamedFrom == right.renamedFrom && left.parent == right.parent
            && left.isAbstract == right.isAbstract && left.mapper == right.mapper
            && left.transformer == right.transformer
            && Set(left.attributes) == Set(right.attributes)
            && Set(left.relationships) == Set(right.relationships)
    }

    /// Hashes the name, which is unique in a model.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
    }
}

extension EntityDescription {
    /// The to-one relationships, in the order of their declaration.
    var toOneRelationships: [RelationshipDescription] {
        relationships.filter { !$0.isToMany }
    }

    func attribute(named name: String) -> AttributeDescription? {
        attributes.first { $0.name == name }
    }

    func relationship(named name: String) -> RelationshipDescription? {
        relationships.first { $0.name == name }
    }
}
