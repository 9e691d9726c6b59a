@testable import LarderObjectStore

/// Makes random models: identities, families, attributes and relationships of all kinds.
struct OracleModels {
    var random: OracleRandom
    private var entities: [EntityDescription] = []
    private var relationshipCount = 0

    init(_ random: OracleRandom) { self.random = random }

    mutating func make() -> [EntityDescription] {
        while true {
            entities = []
            relationshipCount = 0
            for name in ["A", "B", "C", "D"].prefix(1 + random.number(4)) { addFamily(name) }
            for _ in 0..<random.number(6) { addRelationship() }
            if let entities = accepted() { return entities }
        }
    }

    /// The entities, where they make a model.
    private func accepted() -> [EntityDescription]? {
        guard entities.count <= OracleSlots.places.count,
            (try? Model(name: "Oracle", entities: entities)) != nil
        else { return nil }
        return entities
    }

    // MARK: Entities

    private mutating func addFamily(_ name: String) {
        var root = EntityDescription(name: name)
        switch random.number(10) {
        case 0, 1: break
        case 2, 3, 4:
            root.identity = ["id"]
            root.attributes = [AttributeDescription("id", .integer, key: "id")]
        case 5, 6:
            root.identity = ["id"]
            root.attributes = [
                AttributeDescription(
                    "id", .string, key: "id", transformer: random.chance(50) ? .string : nil)
            ]
        case 7:
            root.identity = ["id"]
            root.attributes = [
                AttributeDescription("id", .string, isOptional: true, key: "id")
            ]
        default:
            root.identity = random.shuffle(["id", "part"])
            root.attributes = [
                AttributeDescription("id", .integer, key: "id"),
                AttributeDescription(
                    "part", .string, isOptional: random.chance(50), key: "part"),
            ]
        }
        // The columns of tables of links are called the same.
        let linkColumns = ["A": "position", "B": "source", "C": "target", "D": "inversePosition"]
        addAttributes(["a", "b", linkColumns[name] ?? "c"], to: &root)
        if random.chance(40) {
            root.attributes.append(
                AttributeDescription("seen", .date, isOptional: true, key: "seen"))
        }
        addTransformer(to: &root)
        if random.chance(25), root.identity.isEmpty == random.chance(20) {
            addSubEntities(to: &root)
        } else {
            entities.append(root)
        }
    }

    private mutating func addSubEntities(to root: inout EntityDescription) {
        let count = 1 + random.number(3)
        var below: [EntityDescription] = []
        for index in 1...count {
            let parent = index == 3 ? "\(root.name)1" : root.name
            var entity = EntityDescription(name: "\(root.name)\(index)", parent: parent)
            // Siblings whose attributes have the same names share columns.
            let suffix = random.chance(50) ? 1 : index
            addAttributes(["x\(suffix)", "y\(suffix)"], to: &entity)
            below.append(entity)
        }
        root.isAbstract = random.chance(40)
        for index in below.indices { addTransformer(to: &below[index]) }
        if random.chance(80) {
            let values = below.enumerated().map { ("k\($0 + 1)", $1.name) }
            root.mapper = EntityMapper(
                key: random.chance(80) ? "kind" : "more.kind",
                values: Dictionary(uniqueKeysWithValues: values))
        }
        entities += [root] + below
    }

    private mutating func addTransformer(to entity: inout EntityDescription) {
        guard random.chance(10) else { return }
        entity.transformer = ObjectTransformer(OracleNames.wrapped) { value in
            value[OracleNames.wrapped].flatMap { $0.kind == .object ? JSONObject($0) : nil }
        }
    }

    private mutating func addAttributes(_ names: [String], to entity: inout EntityDescription) {
        for name in names where random.chance(60) { entity.attributes.append(attribute(name)) }
    }

    mutating func attribute(_ name: String) -> AttributeDescription {
        let key = random.chance(15) ? "more.\(name)" : name
        let isOptional = random.chance(65)
        switch random.number(10) {
        case 0, 1, 2:
            return AttributeDescription(
                name, .integer, isOptional: isOptional, key: key,
                default: random.chance(20) ? .integer(7) : nil)
        case 3: return AttributeDescription(name, .double, isOptional: isOptional, key: key)
        case 4:
            return AttributeDescription(
                name, .boolean, isOptional: isOptional, key: key,
                default: random.chance(30) ? .boolean(true) : nil)
        case 5:
            return isOptional
                ? AttributeDescription(OracleNames.single + name, Float?.self, key: key)
                : AttributeDescription(OracleNames.single + name, Float.self, key: key)
        default:
            return AttributeDescription(
                name, .string, isOptional: isOptional, key: key,
                default: random.chance(15) ? .string("default") : nil,
                isSearchable: random.chance(30))
        }
    }

    // MARK: Relationships

    private mutating func addRelationship() {
        let (owner, destination) = (random.number(entities.count), random.number(entities.count))
        relationshipCount += 1
        let name = "r\(relationshipCount)"
        switch random.number(10) {
        case 0, 1: add(one(name, to: destination), to: owner)
        case 2, 3: add(many(name, to: destination), to: owner)
        case 4, 5, 6, 7:
            var (one, many) = (one(name, to: destination), many("\(name)s", to: owner))
            one.inverse = many.name
            many.inverse = name
            many.isOrdered = false
            add(one, to: owner)
            add(many, to: destination)
            addTwin(of: one, in: owner, to: destination)
        case 8:
            var (many, other) = (many(name, to: destination), many("\(name)s", to: owner))
            many.inverse = other.name
            other.inverse = name
            add(many, to: owner)
            add(other, to: destination)
        default:
            var many = many(name, to: owner)
            many.inverse = name
            add(many, to: owner)
        }
    }

    /// Gives a sibling of a relationship's owner one of the same name, and so of the same column.
    private mutating func addTwin(
        of one: RelationshipDescription, in owner: Int, to destination: Int
    ) {
        guard let parent = entities[owner].parent,
            let sibling = entities.indices.first(where: {
                $0 != owner && entities[$0].parent == parent
            })
        else { return }
        var twin = self.one(one.name, to: destination)
        var twins = many("\(one.name)t", to: sibling)
        twin.isOptional = one.isOptional
        twin.inverse = twins.name
        twins.inverse = twin.name
        twins.isOrdered = false
        add(twin, to: sibling)
        add(twins, to: destination)
    }

    private mutating func add(_ relationship: RelationshipDescription, to entity: Int) {
        entities[entity].relationships.append(relationship)
    }

    private mutating func one(_ name: String, to destination: Int) -> RelationshipDescription {
        RelationshipDescription(
            name, to: entities[destination].name, isOptional: random.chance(80),
            key: random.chance(5) ? "more.\(name)" : name, deleteRule: rule(),
            isPartial: random.chance(25))
    }

    mutating func many(_ name: String, to destination: Int) -> RelationshipDescription {
        RelationshipDescription(
            name, to: entities[destination].name, isToMany: true, isOrdered: random.chance(50),
            key: name, deleteRule: rule(),
            policy: random.pick([.set, .set, .set, .union, .replace]),
            isPartial: random.chance(25))
    }

    /// Gives some owners of to-one relationships an attribute that reads what one of the linked object
    /// reads, as `r1.a` beside `r1`.
    mutating func addTwins(to entities: inout [EntityDescription]) {
        let (before, lineage) = (entities, EntityLineage(entities))
        for index in entities.indices {
            for relationship in entities[index].relationships where !relationship.isToMany {
                let (below, above) = (
                    lineage.indices(below: relationship.destination),
                    lineage.indices(above: relationship.destination)
                )
                let others = Set(below + above).sorted().flatMap { before[$0].attributes }
                guard random.chance(20), !others.isEmpty, let key = relationship.key else {
                    continue
                }
                var twin = random.pick(others)
                let prefix = twin.name.hasPrefix(OracleNames.single) ? OracleNames.single : ""
                twin.name = "\(prefix)twin\(entities[index].name)\(relationship.name)"
                twin.key = twin.key.map { "\(key).\($0)" }
                twin.isOptional = random.chance(85)
                twin.defaultValue = nil
                twin.isSearchable = false
                entities[index].attributes.append(twin)
            }
        }
    }

    private mutating func rule() -> DeleteRule {
        random.pick([.nullify, .nullify, .nullify, .nullify, .cascade, .deny])
    }
}
