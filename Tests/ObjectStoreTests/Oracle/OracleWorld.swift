@testable import LarderObjectStore

/// All objects and links, in dictionaries; the number of an object is its place in the order of
/// creation.
struct OracleWorld {
    let schema: OracleSchema
    /// Whether objects must keep the rule of `OracleSlot`.
    var hasRules = false
    var objects: [Int: OracleObject] = [:]
    /// By the relationship's key, then by owner.
    var lists: [String: [Int: OracleList]] = [:]
    /// The attributes of references that the document at hand has said to be empty.
    var nulls: [Int: Set<String>] = [:]
    /// The step that is being taken.
    var step = 0
    private var next = 1

    init(_ model: Model) { schema = OracleSchema(model) }

    /// The same objects under another model.
    init(_ model: Model, continuing world: OracleWorld) {
        schema = OracleSchema(model)
        objects = world.objects
        lists = world.lists
        next = world.next
        step = world.step
        hasRules = world.hasRules
    }

    mutating func add(_ object: OracleObject) -> Int {
        objects[next] = object
        next += 1
        return next - 1
    }

    /// Takes the objects of a world that has been taken back, whose numbers are not used again.
    mutating func skip(to other: OracleWorld) { next = max(next, other.next) }

    func entity(of object: Int) -> OracleSchema.Entity {
        schema[objects[object]?.entity ?? schema.names[0]]
    }

    /// The object with an identity among those of an entity's family; nil where it is empty as a
    /// whole.
    func find(_ identity: [String: SQLValue], as entity: OracleSchema.Entity) -> Int? {
        if identity.isEmpty || entity.identity.isEmpty { return nil }
        let root = schema.root(of: entity.name)
        return objects.keys.sorted().first { key in
            guard let object = objects[key], schema.root(of: object.entity) == root else {
                return false
            }
            return entity.identity.allSatisfy { object.values[$0] == identity[$0] }
        }
    }

    /// What objects without another order stand in the order of: an identity that is one whole
    /// number, else creation.
    func rank(_ object: Int) -> Int64 {
        let entity = entity(of: object)
        if entity.identity.count == 1, let attribute = entity.attribute(entity.identity[0]),
            attribute.type == .integer, !attribute.isOptional,
            case .integer(let value)? = objects[object]?.values[attribute.name]
        {
            return value
        }
        return Int64(object)
    }

    func ranked(_ objects: some Sequence<Int>) -> [Int] {
        objects.sorted { (rank($0), $0) < (rank($1), $1) }
    }

    /// Notes that a document has brought an object.
    mutating func noteFetched(_ object: Int) {
        if entity(of: object).hasFetchedAt { objects[object]?.fetched = step }
    }

    func isComplete(_ object: Int) -> Bool {
        guard let known = objects[object] else { return false }
        return !known.isReference && !schema[known.entity].isAbstract
    }

    // MARK: Links

    /// The objects that a relationship leads to, in its order.
    func linked(_ relationship: OracleSchema.Relationship, of owner: Int) -> [Int] {
        if !relationship.description.isToMany {
            return objects[owner]?.ones[relationship.name].map { [$0] } ?? []
        }
        if let column = schema.column(of: relationship) {
            return ranked(
                objects.filter {
                    $0.value.ones[column.name] == owner
                        && schema.isEntity($0.value.entity, relationship.destination)
                }.keys)
        }
        guard let list = lists[relationship.key]?[owner] else { return [] }
        return relationship.description.isOrdered
            ? list.placed + ranked(list.loose) : ranked(list.placed + list.loose)
    }

    /// Whether all links of a relationship are where an array has put them.
    func isPlaced(_ relationship: OracleSchema.Relationship, of owner: Int) -> Bool {
        lists[relationship.key]?[owner]?.loose.isEmpty ?? true
    }

    /// Makes the links of a relationship with a list of its own exactly these, in this order.
    mutating func place(
        _ objects: [Int], in relationship: OracleSchema.Relationship, of owner: Int
    ) {
        for object in linked(relationship, of: owner) where !objects.contains(object) {
            unlink(object, from: relationship, of: owner)
        }
        lists[relationship.key, default: [:]][owner, default: OracleList()] = OracleList(
            placed: objects)
        guard let inverse = schema.inverse(of: relationship) else { return }
        for object in objects {
            let isThere = lists[inverse.key]?[object]?.contains(owner) ?? false
            if !isThere {
                lists[inverse.key, default: [:]][object, default: OracleList()].loose.insert(owner)
            }
        }
    }

    mutating func unlink(
        _ object: Int, from relationship: OracleSchema.Relationship, of owner: Int
    ) {
        lists[relationship.key]?[owner]?.remove(object)
        if let inverse = schema.inverse(of: relationship) {
            lists[inverse.key]?[object]?.remove(owner)
        }
    }

    /// Takes objects away with all links in lists.
    mutating func remove(_ gone: Set<Int>) {
        for key in gone { objects[key] = nil }
        lists = lists.mapValues { lists in
            lists.filter { !gone.contains($0.key) }.mapValues { list in
                OracleList(
                    placed: list.placed.filter { !gone.contains($0) },
                    loose: list.loose.subtracting(gone))
            }
        }
    }
}
