/// An entity: a kind of object, with its attributes, its relationships and its identity.
///
/// Two descriptions are equal when they mean the same, whatever order their properties are in.
public struct EntityDescription: Sendable {
    /// The entity's name, which is the table's name too.
    public var name: String
    /// The attributes that make two JSON objects the same object; empty: each is a new one.
    public var identity: [String]
    /// The attributes, in the order of their declaration.
    public var attributes: [AttributeDescription]
    /// The relationships, in the order of their declaration.
    public var relationships: [RelationshipDescription]
    /// The name it had in an earlier model.
    public var renamedFrom: String?

    /// Describes an entity.
    public init(
        name: String, identity: [String], attributes: [AttributeDescription],
        relationships: [RelationshipDescription] = [], renamedFrom: String? = nil
    ) {
        self.name = name
        self.identity = identity
        self.attributes = attributes
        self.relationships = relationships
        self.renamedFrom = renamedFrom
    }
}

extension EntityDescription: Hashable {
    /// Compares what two descriptions mean.
    public static func == (left: EntityDescription, right: EntityDescription) -> Bool {
        left.name == right.name && Set(left.identity) == Set(right.identity)
            && left.renamedFrom == right.renamedFrom
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
