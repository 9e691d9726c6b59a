/// A relationship of an entity: where it leads, how many it links, and where the JSON has it.
public struct RelationshipDescription: Hashable, Sendable {
    /// The property's name.
    public var name: String
    /// The name of the entity at the other end.
    public var destination: String
    /// Whether it links any number of objects instead of one.
    public var isToMany: Bool
    /// Whether a to-one relationship may be empty; a to-many relationship always may.
    public var isOptional: Bool
    /// Whether a to-many relationship keeps the order of the JSON.
    public var isOrdered: Bool
    /// The dotted key path of the linked objects in an object's JSON; nil: not mapped.
    public var key: String?
    /// The name of the relationship that leads back.
    public var inverse: String?
    /// The rule for the linked objects when this end is deleted.
    public var deleteRule: DeleteRule
    /// The effect of an array in the JSON on the links of a to-many relationship.
    public var policy: LinkPolicy
    /// Whether an object in the JSON that has nothing of what is required but its identity is a
    /// reference.
    public var isPartial: Bool
    /// The name it had in an earlier model.
    public var renamedFrom: String?

    /// Describes a relationship.
    public init(
        _ name: String, to destination: String, isToMany: Bool = false, isOptional: Bool = false,
        isOrdered: Bool = false, key: String?, inverse: String? = nil,
        deleteRule: DeleteRule = .nullify, policy: LinkPolicy = .set, isPartial: Bool = false,
        renamedFrom: String? = nil
    ) {
        self.name = name
        self.destination = destination
        self.isToMany = isToMany
        self.isOptional = isOptional && !isToMany
        self.isOrdered = isOrdered && isToMany
        self.key = key
        self.inverse = inverse
        self.deleteRule = deleteRule
        self.policy = policy
        self.isPartial = isPartial
        self.renamedFrom = renamedFrom
    }
}

/// The rule for the objects at the other end of a relationship when an object is deleted.
public enum DeleteRule: String, Codable, Hashable, Sendable, CaseIterable {
    /// They stay and lose the link.
    case nullify
    /// They are deleted too.
    case cascade
    /// The deletion is refused while there are any.
    case deny
}

/// The effect of an array in the JSON on the links of a to-many relationship.
public enum LinkPolicy: String, Codable, Hashable, Sendable, CaseIterable {
    /// The links become exactly those of the array; what falls out stays in the store.
    case set
    /// Links are added, none is taken away.
    case union
    /// The links become exactly those of the array; what falls out is deleted.
    ///
    /// Where the document leads to it from around the array, importing it is a `MappingError`.
    case replace
}
