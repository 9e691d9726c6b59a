import LarderPromises

/// The values that an object hands over to be written: the counterpart of `EntityRow`.
///
/// It is only filled inside `Entity.write(to:)`, by the same indices and names that `init(row:)`
/// reads with.
public struct EntityValues: Sendable {
    /// The object at the other end of a to-one relationship.
    enum Link: Sendable {
        case none
        case row(Int64, Store)
        case identity([SQLValue])
        /// An object, and what stands for it where nothing identifies it.
        case object(any Entity, made: (any AnyObject & Sendable)? = nil)
    }

    /// The objects of a to-many relationship.
    enum Links: Sendable {
        case unchanged
        case relationship(String, owner: Int64, of: String, Store)
        case listed([Link])
    }

    /// The entity with all that it inherits, which stands before its own.
    let entity: EntityDescription
    /// The names of the inherited properties that are no to-many relationships.
    private let inherited: [String]
    /// The indices where the entity's own attributes and to-one relationships begin.
    private let own: (attribute: Int, link: Int)
    /// By the attribute's index; nil where the object does not hand over a value.
    private(set) var attributes: [SQLValue?]
    /// By the index among the to-one relationships.
    private(set) var toOne: [Link?]
    private(set) var toMany: [(name: String, links: Links)] = []

    /// Has an object hand over what it holds.
    init<Object: Entity>(of object: Object) throws {
        let description = Object.entityDescription
        entity = Self.whole(Object.self)
        inherited = Object.inheritedProperties.filter(\.hasColumn).map(\.name)
        attributes = Array(repeating: nil, count: entity.attributes.count)
        toOne = Array(repeating: nil, count: entity.relationships.count { !$0.isToMany })
        own = (
            attributes.count - description.attributes.count,
            toOne.count - description.relationships.count { !$0.isToMany }
        )
        try object.write(to: &self)
    }

    /// Takes the value of the attribute at an index among the entity's attributes.
    ///
    /// - Throws: `WritingError` where the store can't keep the value, such as a number that is none.
    public mutating func attribute<Value: AttributeValue>(
        _ index: Int, _ value: Value
    ) throws {
        try take(value, at: own.attribute + index)
    }

    /// Takes the value of the attribute at an index among the entity's inherited properties, those
    /// without a column passed over.
    ///
    /// - Throws: `WritingError` where the store can't keep the value.
    public mutating func attribute<Value: AttributeValue>(
        inherited index: Int, _ value: Value
    ) throws {
        let name = inherited[index]
        guard let attribute = entity.attributes.firstIndex(where: { $0.name == name }) else {
            throw WritingError(
                entity: entity.name, attribute: name, reason: .unfit("no ancestor has it"))
        }
        try take(value, at: attribute)
    }

    private mutating func take<Value: AttributeValue>(_ value: Value, at index: Int) throws {
        let attribute = entity.attributes[index]
        let kept = attribute.allowedValues.nearest(to: value.sqlValue)
        guard attribute.type.keeps(kept) else {
            throw WritingError(
                entity: entity.name, attribute: attribute.name,
                reason: .unfit("expected \(attribute.type.plainName)"))
        }
        attributes[index] = kept
    }

    /// Takes the to-one relationship at an index among the entity's to-one relationships.
    public mutating func one<Destination: Entity>(
        _ index: Int, _ link: One<Destination>?
    ) throws {
        toOne[own.link + index] = link.map(Self.link) ?? Link.none
    }

    /// Takes the to-one relationship at an index among the entity's inherited properties, those
    /// without a column passed over.
    ///
    /// - Throws: `WritingError` where no ancestor has the relationship.
    public mutating func one<Destination: Entity>(
        inherited index: Int, _ link: One<Destination>?
    ) throws {
        let name = inherited[index]
        let links = entity.toOneRelationships
        guard let relationship = links.firstIndex(where: { $0.name == name }) else {
            throw WritingError(
                entity: entity.name, attribute: name, reason: .unfit("no ancestor has it"))
        }
        toOne[relationship] = link.map(Self.link) ?? Link.none
    }

    /// The descriptions of types that inherit, which take a while to put together.
    private static let families = Guarded<[ObjectIdentifier: EntityDescription]>([:])

    /// The description of a type with all that its ancestors describe.
    private static func whole(_ type: any Entity.Type) -> EntityDescription {
        guard var parent = type.parentType else { return type.entityDescription }
        if let known = families.withLock({ $0[ObjectIdentifier(type)] }) { return known }
        var family = [type.entityDescription, parent.entityDescription]
        while let next = parent.parentType, !family.contains(where: { $0.name == next.entityName })
        {
            family.append(next.entityDescription)
            parent = next
        }
        let whole = EntityLineage(family).flattened(family[0])
        families.withLock { $0[ObjectIdentifier(type)] = whole }
        return whole
    }

    /// Takes the objects of a to-many relationship.
    public mutating func many<Destination: Entity>(
        _ name: String, _ objects: Many<Destination>
    ) throws {
        toMany.append((name, Self.links(objects)))
    }

    static func links<Destination: Entity>(_ objects: Many<Destination>) -> Links {
        switch objects.content {
        case .unchanged: .unchanged
        case .relationship(let name, let owner, let entity, let home):
            .relationship(name, owner: owner, of: entity, home.store)
        case .rows(let rows, let store, _): .listed(rows.map { .row($0, store) })
        case .values(let values): .listed(values.map { .object($0) })
        case .identities(let identities): .listed(identities.map { .identity($0) })
        }
    }

    static func link<Destination: Entity>(_ link: One<Destination>) -> Link {
        switch link.content {
        case .row(let row, let home): .row(row, home.store)
        case .identity(let values): .identity(values)
        case .object(let made): .object(made.object, made: made.identity == nil ? made : nil)
        }
    }
}

extension EntityValues {
    /// The values of the identifying attributes, nil where there are none or all are empty.
    var identity: [SQLValue]? {
        let values = entity.identity.map { name in
            entity.attributes.firstIndex { $0.name == name }.flatMap { attributes[$0] } ?? .null
        }
        return values.allSatisfy { $0 == .null } ? nil : values
    }

    /// The attributes' values by name.
    var namedAttributes: some Sequence<(String, SQLValue?)> {
        zip(entity.attributes, attributes).lazy.map { ($0.name, $1) }
    }

    /// The to-one relationships' links by name.
    var namedLinks: some Sequence<(String, Link?)> {
        zip(entity.toOneRelationships, toOne).lazy.map { ($0.name, $1) }
    }
}
