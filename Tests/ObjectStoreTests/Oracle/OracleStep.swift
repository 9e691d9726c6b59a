@testable import LarderObjectStore

/// One thing that is done to a store.
enum OracleStep {
    case insert(String, OracleJSON)
    /// Inserts a list of which elements that don't fit are left out.
    case insertEach(String, [OracleJSON])
    /// Inserts what may be the whole of something, which then loses what the document lacks.
    case complete(String, OracleJSON, OracleWhole)
    /// Deletes the objects of an entity whose attribute has a value, or all of them.
    case delete(String, attribute: String?, SQLValue)
    /// Evicts at a moment, counted as `Date` counts.
    case evict(at: Double)
    case save(OracleSave)
    case edit(OracleEdit)
    case update(OracleUpdate)
    /// Steps of one transaction, or of a part of one, which is taken back in the end or not; a step
    /// that fails in it is left out.
    case transaction([OracleStep], isTakenBack: Bool)
    case reopen
    case migrate([OracleChange])
}

/// What a document is the whole of.
struct OracleWhole {
    enum Scope {
        /// The objects of an entity whose attribute has a value, or all of them.
        case found(String, attribute: String?, SQLValue)
        /// The objects that a relationship of an object links, by its entity and its identity.
        case linked(String, [SQLValue], relationship: String)
    }

    let scope: Scope
    /// Whether the document does not say that there is more.
    let isWhole: Bool
}

/// An object that is saved.
struct OracleSave {
    var entity: String
    /// All attributes, `.null` for those that are empty.
    var values: [String: SQLValue]
    /// The identities of objects that to-one relationships lead to, nil inside for none.
    var ones: [String: [SQLValue]?]
    /// The identities of objects that to-many relationships link; others stay as they are stored.
    var manys: [String: [[SQLValue]]]
}

/// A change of one relationship of one object.
struct OracleEdit {
    enum Action {
        case add([[SQLValue]])
        case remove([SQLValue])
        case removeAll
        case set([[SQLValue]])
        case move([SQLValue], to: Int)
        /// Leads a to-one relationship to an object, or to none.
        case lead([SQLValue]?)
    }

    var entity: String
    var identity: [SQLValue]
    var relationship: String
    var action: Action
}

/// A change of one attribute of all objects of an entity, or of those of which another attribute has a
/// value.
struct OracleUpdate {
    enum Change {
        case set(SQLValue)
        /// Adds a number.
        case increment(SQLValue)
    }

    struct Condition {
        let attribute: String
        let value: SQLValue
    }

    var entity: String
    var attribute: String
    var change: Change
    var condition: Condition?
}

/// A change of a model that loses nothing, or only what it says.
enum OracleChange {
    case addAttribute(entity: String, AttributeDescription)
    case removeAttribute(entity: String, name: String)
    case makeOptional(entity: String, name: String)
    /// Gives an attribute a default, another one, or none.
    case changeDefault(entity: String, name: String, DefaultValue?)
    case rename(entity: String, name: String, to: String)
    /// Makes text searchable in the place of another that was, or else no longer.
    case search(entity: String, name: String)
    case deleteRule(entity: String, relationship: String, DeleteRule)
    case policy(entity: String, relationship: String, LinkPolicy)
    case addRelationship(entity: String, RelationshipDescription)
    case removeRelationship(entity: String, name: String)

    /// Changes the description of one entity.
    func apply(to entities: inout [EntityDescription]) {
        for index in entities.indices where entities[index].name == entity {
            apply(to: &entities[index])
        }
    }

    private var entity: String {
        switch self {
        case .addAttribute(let entity, _), .removeAttribute(let entity, _),
            .makeOptional(let entity, _), .changeDefault(let entity, _, _),
            .rename(let entity, _, _), .search(let entity, _),
            .deleteRule(let entity, _, _), .policy(let entity, _, _),
            .addRelationship(let entity, _), .removeRelationship(let entity, _):
            entity
        }
    }

    private func apply(to entity: inout EntityDescription) {
        switch self {
        case .addAttribute(_, let attribute): entity.attributes.append(attribute)
        case .removeAttribute(_, let name): entity.attributes.removeAll { $0.name == name }
        case .makeOptional(_, let name):
            for index in entity.attributes.indices where entity.attributes[index].name == name {
                entity.attributes[index].isOptional = true
            }
        case .changeDefault(_, let name, let value):
            for index in entity.attributes.indices where entity.attributes[index].name == name {
                entity.attributes[index].defaultValue = value
            }
        case .rename(_, let name, let new):
            for index in entity.attributes.indices where entity.attributes[index].name == name {
                entity.attributes[index].name = new
                entity.attributes[index].renamedFrom = name
            }
        case .search(_, let name):
            let index = entity.attributes.firstIndex { $0.name == name && $0.type == .string }
            guard let index else { return }
            let other = entity.attributes.firstIndex { $0.isSearchable && $0.name != name }
            if let other { entity.attributes[other].isSearchable = false }
            entity.attributes[index].isSearchable.toggle()
        case .deleteRule(_, let name, let rule):
            for index in entity.relationships.indices where entity.relationships[index].name == name
            {
                entity.relationships[index].deleteRule = rule
            }
        case .policy(_, let name, let policy):
            for index in entity.relationships.indices
            where entity.relationships[index].name == name && entity.relationships[index].isToMany {
                entity.relationships[index].policy = policy
            }
        case .addRelationship(_, let relationship): entity.relationships.append(relationship)
        case .removeRelationship(_, let name):
            entity.relationships.removeAll { $0.name == name }
        }
    }
}
