@testable import LarderObjectStore

/// Entities that are made and changed at random; they need not fit together.
struct RandomModel {
    var random: SplitMix64
    private(set) var entities: [EntityDescription] = []

    private static let types: [AttributeType] = [
        .integer, .string, .double, .boolean, .decimal, .date, .url, .uuid, .json,
    ]
    private static let identifying: [AttributeType] = [.integer, .string, .decimal]

    init(random: SplitMix64) { self.random = random }

    mutating func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

    private mutating func chance(_ percentage: Int) -> Bool { number(below: 100) < percentage }

    private mutating func type(of types: [AttributeType] = Self.types) -> AttributeType {
        types[number(below: types.count)]
    }

    // MARK: Making

    /// Makes the entities.
    mutating func build() {
        for name in ["A", "B", "C"] {
            var entity = EntityDescription(
                name: name, identity: ["id"],
                attributes: [.required("id", type(of: Self.identifying))]
            )
            if chance(30) {
                var part = AttributeDescription.required("part")
                part.isOptional = chance(60)
                entity.attributes.append(part)
                entity.identity.append("part")
            }
            for index in 0..<number(below: 4) { entity.attributes.append(attribute("x\(index)")) }
            entities.append(entity)
        }
        if chance(70) { addFamily() }
        for index in 0..<number(below: 4) + 1 { addRelationship("r\(index)") }
        if entities.count > 3, chance(50) { shareColumn() }
    }

    private mutating func attribute(_ name: String) -> AttributeDescription {
        let type = type()
        var attribute = AttributeDescription(
            name, type, isOptional: chance(60), key: name, isIndexed: chance(10),
            isSearchable: type == .string && chance(40))
        if chance(15) { attribute.defaultValue = Self.defaultValue(of: type) }
        return attribute
    }

    private static func defaultValue(of type: AttributeType) -> DefaultValue? {
        switch type {
        case .integer: .integer(3)
        case .string: .string("2")
        case .boolean: .boolean(true)
        case .double: .double(1.5)
        case .decimal: .string("2.25")
        default: nil
        }
    }

    private mutating func addFamily() {
        entities[0].mapper = EntityMapper(key: "kind", values: ["1": "A1", "2": "A2"])
        for name in ["A1", "A2"] {
            let attributes = (0..<number(below: 3)).map { index in
                attribute(name == "A1" || chance(50) ? "y\(index)" : "z\(index)")
            }
            entities.append(EntityDescription(name: name, parent: "A", attributes: attributes))
        }
        if chance(30) { entities[4].parent = "A1" }
    }

    private mutating func addRelationship(_ name: String) {
        let (owner, other) = (number(below: entities.count), number(below: entities.count))
        let kind = number(below: 4)
        var relationship = RelationshipDescription(name, to: entities[other].name, key: name)
        relationship.isToMany = kind % 2 == 1
        relationship.isOptional = !relationship.isToMany && chance(70)
        relationship.isOrdered = relationship.isToMany && chance(50)
        guard kind > 1 else { return entities[owner].relationships.append(relationship) }
        relationship.inverse = name + "s"
        entities[owner].relationships.append(relationship)
        entities[other].relationships.append(
            RelationshipDescription(
                name + "s", to: entities[owner].name, isToMany: true,
                isOrdered: relationship.isToMany && chance(50), key: name + "s", inverse: name))
    }

    /// Two entities of a family have one column, each with an inverse of its own.
    private mutating func shareColumn() {
        for (index, inverse) in [(3, "first"), (4, "second")] {
            entities[index].relationships.append(
                RelationshipDescription(
                    "shared", to: "B", isOptional: true, key: "shared", inverse: inverse))
            entities[1].relationships.append(
                RelationshipDescription(
                    inverse, to: entities[index].name, isToMany: true, key: inverse,
                    inverse: "shared"))
        }
    }

    // MARK: Changing

    /// Changes one thing and says what; nil where there is nothing of the kind to be changed.
    mutating func change() -> String? {
        let index = number(below: entities.count)
        return switch number(below: 10) {
        case 0...3: changeAttribute(of: index)
        case 4: changeIdentity(of: index)
        case 5, 6: changeRelationship(of: index)
        case 7: changeInverse(of: index)
        default: changeFamily()
        }
    }

    private mutating func changeAttribute(of index: Int) -> String? {
        let name = entities[index].name
        let kind = number(below: 8)
        if kind == 0 {
            let added = attribute("n\(number(below: 100))")
            entities[index].attributes.append(added)
            return "add \(name).\(added.name)"
        }
        guard let place = entities[index].attributes.indices.randomElement(using: &random) else {
            return nil
        }
        var attribute = entities[index].attributes[place]
        let part = "\(name).\(attribute.name)"
        if kind == 1 {
            guard attribute.renamedFrom == nil else { return nil }
            attribute.renamedFrom = attribute.name
            attribute.name = "q\(number(below: 1_000))"
            entities[index].attributes[place] = attribute
            entities[index].identity = entities[index].identity.map {
                $0 == attribute.renamedFrom ? attribute.name : $0
            }
            return "rename \(part) to \(attribute.name)"
        }
        let isIdentity = entities[index].identity.contains(attribute.name)
        if kind == 2 {
            if isIdentity { return nil }
            entities[index].attributes.remove(at: place)
            return "remove \(part)"
        }
        if kind > 5 {
            if isIdentity { return nil }
            let hasDefault = attribute.defaultValue != nil
            attribute.defaultValue = hasDefault ? nil : Self.defaultValue(of: attribute.type)
        } else if kind == 3 {
            attribute.isOptional.toggle()
        } else if kind == 4, attribute.type == .string {
            attribute.isSearchable.toggle()
        } else {
            attribute.type = isIdentity ? type(of: Self.identifying) : type()
            attribute.transformer = attribute.type.defaultTransformer
            attribute.defaultValue = nil
            attribute.isSearchable = false
        }
        entities[index].attributes[place] = attribute
        return "\(part) is \(attribute.type), optional: \(attribute.isOptional),"
            + " default: \(attribute.defaultValue.map { "\($0)" } ?? "none")"
    }

    private mutating func changeIdentity(of index: Int) -> String? {
        guard entities[index].parent == nil else { return nil }
        let names = entities[index].attributes.filter {
            Self.identifying.contains($0.type) && $0.defaultValue == nil
        }.map(\.name)
        guard !names.isEmpty else { return nil }
        let identity = (0..<number(below: 2) + 1).map { _ in names[number(below: names.count)] }
        entities[index].identity = Set(identity).sorted()
        return "\(entities[index].name) by \(entities[index].identity)"
    }

    private mutating func changeRelationship(of index: Int) -> String? {
        guard let place = entities[index].relationships.indices.randomElement(using: &random) else {
            return nil
        }
        var relationship = entities[index].relationships[place]
        let part = "\(entities[index].name).\(relationship.name)"
        switch number(below: 4) {
        case 3 where relationship.inverse == nil:
            guard
                let parent = entities.first(where: { $0.name == relationship.destination })?.parent
            else { return nil }
            relationship.destination = parent
        case 0 where relationship.inverse == nil:
            relationship.isToMany.toggle()
            relationship.isOrdered = false
            relationship.isOptional = !relationship.isToMany
        case 1 where relationship.renamedFrom == nil && relationship.inverse == nil:
            relationship.renamedFrom = relationship.name
            relationship.name = "p\(number(below: 1_000))"
        case _ where relationship.isToMany:
            relationship.isOrdered.toggle()
        default:
            relationship.isOptional.toggle()
        }
        entities[index].relationships[place] = relationship
        return "\(part) is \(relationship)"
    }

    private mutating func changeInverse(of index: Int) -> String? {
        guard let place = entities[index].relationships.indices.randomElement(using: &random) else {
            return nil
        }
        let relationship = entities[index].relationships[place]
        let part = "\(entities[index].name).\(relationship.name)"
        guard let other = entities.firstIndex(where: { $0.name == relationship.destination }) else {
            return nil
        }
        if let inverse = relationship.inverse {
            entities[index].relationships[place].inverse = nil
            entities[other].relationships.removeAll { $0.name == inverse }
            return "\(part) without inverse"
        }
        let name = relationship.name + "v"
        entities[index].relationships[place].inverse = name
        entities[other].relationships.append(
            RelationshipDescription(
                name, to: entities[index].name, isToMany: true, key: name,
                inverse: relationship.name))
        return "\(part) with inverse"
    }

    private mutating func moveRelationship(from: Int, to: Int) -> String? {
        guard
            let place = entities[from].relationships.indices.filter({
                entities[from].relationships[$0].inverse == nil
            }).randomElement(using: &random)
        else { return nil }
        let relationship = entities[from].relationships.remove(at: place)
        for index in entities.indices where index != 1 && index != 2 {
            entities[index].relationships.removeAll { $0.name == relationship.name }
        }
        entities[to].relationships.append(relationship)
        return "\(relationship.name) goes to \(entities[to].name)"
    }

    private mutating func changeFamily() -> String? {
        let sub = entities.firstIndex { $0.name == "A1" && $0.parent != nil }
        switch number(below: 7) {
        case 0:
            guard entities.count > 3 else { return nil }
            entities[0].isAbstract.toggle()
            return "A is abstract: \(entities[0].isAbstract)"
        case 1:
            guard let sub else { return nil }
            let isDown = chance(50)
            let (from, to) = isDown ? (0, sub) : (sub, 0)
            if chance(50) { return moveRelationship(from: from, to: to) }
            guard let place = entities[from].attributes.indices.randomElement(using: &random),
                !entities[from].identity.contains(entities[from].attributes[place].name)
            else { return nil }
            let attribute = entities[from].attributes.remove(at: place)
            for index in entities.indices where index != 1 && index != 2 {
                entities[index].attributes.removeAll { $0.name == attribute.name }
            }
            entities[to].attributes.append(attribute)
            return "\(attribute.name) goes to \(entities[to].name)"
        case 2:
            guard let sub else { return nil }
            entities[sub].parent = nil
            entities[sub].attributes = entities[0].attributes + entities[sub].attributes
            entities[sub].identity = entities[0].identity
            entities[0].mapper = nil
            return "A1 leaves"
        case 3:
            guard let sub else { return nil }
            entities.remove(at: sub)
            for index in entities.indices {
                entities[index].relationships.removeAll { $0.destination == "A1" }
            }
            entities[0].mapper = nil
            return "remove A1"
        case 4:
            guard entities.count == 3 else { return nil }
            let identity = entities[1].identity
            let attributes = entities[1].attributes.filter { identity.contains($0.name) }
            entities.append(
                EntityDescription(
                    name: "P", isAbstract: true, identity: identity, attributes: attributes))
            entities[1].attributes.removeAll { identity.contains($0.name) }
            entities[1].identity = []
            entities[1].parent = "P"
            guard chance(50) else { return "P above B" }
            for index in entities.indices {
                for place in entities[index].relationships.indices
                where entities[index].relationships[place].destination == "B"
                    && entities[index].relationships[place].inverse == nil
                { entities[index].relationships[place].destination = "P" }
            }
            return "P above B, for all that led there"
        case 5:
            guard let low = entities.firstIndex(where: { $0.name == "A2" }), sub != nil else {
                return nil
            }
            entities[low].parent = entities[low].parent == "A" ? "A1" : "A"
            return "A2 below \(entities[low].parent ?? "")"
        default:
            entities[2].renamedFrom = "C"
            entities[2].name = "D"
            for index in entities.indices {
                for place in entities[index].relationships.indices
                where entities[index].relationships[place].destination == "C" {
                    entities[index].relationships[place].destination = "D"
                }
            }
            return "rename C to D"
        }
    }
}
