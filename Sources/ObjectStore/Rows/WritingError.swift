/// An object that can't be written or deleted, and why.
public struct WritingError: Error, Hashable, Sendable {
    /// A reason for the store's refusal.
    public enum Reason: Hashable, Sendable {
        /// An attribute or relationship that must have a value has none.
        case missing
        /// The store can't keep the value.
        case unfit(String)
        /// Nothing identifies the object, so that its place in the store is not known.
        case notIdentifiable
        /// An object with this identity is in the store already.
        case taken
        /// An object of another entity of the same family has this identity.
        case otherEntity(String)
        /// The entity is abstract, so that no object is of it and of none of its sub-entities.
        case abstract
        /// The object breaks a rule of its entity, or of one that it inherits from.
        case rule(String)
        /// An object's identity can't be changed.
        case fixed
        /// The object at the other end belongs to another store.
        case otherStore
        /// The entity is written by hand and has no `write(to:)`.
        case notWritable
        /// Objects that are made inside each other nest too deeply.
        case tooDeep
        /// The relationship still links so many objects, and its rule denies the deletion.
        case denied(count: Int)
        /// So many objects would be left without the relationship that they can't be without.
        case leftWithout(count: Int)
        /// The constraint of the database that a row would break.
        case refused(String)
    }

    /// The name of the entity.
    public let entity: String
    /// The name of the attribute or relationship, nil where it is about the object as a whole.
    public let attribute: String?
    /// The reason for the store's refusal.
    public let reason: Reason

    init(entity: String, attribute: String? = nil, reason: Reason) {
        self.entity = entity
        self.attribute = attribute
        self.reason = reason
    }
}

extension WritingError: CustomStringConvertible {
    /// A sentence that names entity, attribute and reason.
    public var description: String {
        "\(entity)\(attribute.map { ".\($0)" } ?? ""): \(reason)"
    }
}

extension WritingError.Reason: CustomStringConvertible {
    /// The reason in a few words.
    public var description: String {
        switch self {
        case .missing: "required, but missing"
        case .unfit(let message): "can't be kept: \(message)"
        case .notIdentifiable:
            "nothing identifies the object; name it by the One it was saved or read as"
        case .taken: "an object with this identity is in the store already"
        case .otherEntity(let name): "an object of \(name) has this identity"
        case .abstract: "the entity is abstract; write an object of one of its sub-entities"
        case .rule(let name): "breaks the rule: \(name)"
        case .fixed: "what identifies an object can't be changed"
        case .otherStore: "the object belongs to another store"
        case .notWritable: "the entity is written by hand and has no write(to:)"
        case .tooDeep: "objects made inside each other nest too deeply"
        case .denied(let count):
            "links \(count == 1 ? "an object" : "\(count) objects"), which denies the deletion"
        case .leftWithout(let count):
            "\(count == 1 ? "an object" : "\(count) objects") would be left without it"
        case .refused(let message): "refused by the store: \(message)"
        }
    }
}
