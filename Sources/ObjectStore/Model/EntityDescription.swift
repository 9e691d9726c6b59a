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
    /// The dotted key path in an object's JSON at which it says that it is gone; nil: nowhere, or where an
    /// ancestor says.
    public var tombstone: String?
    /// Whether the store keeps when an object of the entity, or of one below it, was last fetched.
    public var hasFetchedAt: Bool
    /// The largest number of attributes and to-one relationships that an entity may have.
    static let maximumColumnCount = 127

    /// The rules that its type has for objects; no part of what makes descriptions equal.
    var rules: ObjectRules?

    /// Describes an entity.
    public init(
        name: String, parent: String? = nil, isAbstract: Bool = false, identity: [String] = [],
        attributes: [AttributeDescription] = [], relationships: [RelationshipDescription] = [],
        mapper: EntityMapper? = nil, transformer: ObjectTransformer? = nil,
        renamedFrom: String? = nil, tombstone: String? = nil, hasFetchedAt: Bool = false
    ) {
        self.name = name
        self.tombstone = tombstone
        self.hasFetchedAt = hasFetchedAt
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
            && left.transformer == right.transformer && left.tombstone == right.tombstone
            && left.hasFetchedAt == right.hasFetchedAt
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

/// A rule that picks the sub-entity of a new object by the discriminator at a key path of its JSON.
///
/// It is asked when an object is inserted, never when one that is in the store is updated. A value
/// that is missing, `null` or not among those of the mapper leaves the object to the entity itself.
///
/// An entity without a mapper goes by that of its nearest ancestor, for what is below it.
public struct EntityMapper: Hashable, Sendable, Codable {
    /// The dotted key path of the value.
    public var key: String
    /// The names of entities by value; numbers and booleans count as they are spelled.
    public var values: [String: String]

    /// Picks entities by the value at a key path.
    public init(key: String, values: [String: String]) {
        self.key = key
        self.values = values
    }
}

/// A condition that each object of an entity must meet.
///
///     static var rules: [Rule<Event>] {
///         [Rule("ends after it starts") { $0.end > $0.start }]
///     }
///
/// Rules are checked at the end of each import, save or update, on the objects that it has inserted or
/// updated, within its transaction: a rule that an object breaks is a `MappingError`, or a `WritingError`
/// where there is no JSON, and nothing is stored.
public struct Rule<Object: Entity>: Sendable {
    /// The name of the condition, as an error shows it.
    public let name: String
    let isFulfilled: @Sendable (Object) throws -> Bool

    /// Names a condition.
    public init(_ name: String, _ isFulfilled: @escaping @Sendable (Object) throws -> Bool) {
        self.name = name
        self.isFulfilled = isFulfilled
    }
}
