@testable import LarderObjectStore

/// A family of five entities beside one that stands alone, linked at random, and what becomes of it:
/// entities get other parents, relationships other owners and destinations.
struct RandomFamily {
    private struct Link {
        var relationship: RelationshipDescription
        var owner: String
    }

    private static let names = ["Root", "A", "B", "C", "D"]

    private var random: SplitMix64
    private var parents: [String: String] = [:]
    private var links: [Link] = []
    private var root = "Root"
    private var identity: AttributeType = .integer
    /// The entities that have objects of their own, and the names that stand for them.
    private var kinds: [String: String] = [:]
    private var hasMiddle = false
    /// The old model's entities, and those of the new one.
    private(set) var old: [EntityDescription] = []
    private(set) var new: [EntityDescription] = []

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        for (index, name) in Self.names.enumerated() {
            if index > 0 { parents[name] = Self.names[number(below: index)] }
            if name == "D" || chance(80) { kinds[name] = name }
        }
        for index in 0..<2 + number(below: 3) { addLink("r\(index)") }
        if chance(50) { identity = .string }
        old = entities
        changeParents()
        links = links.map { changed($0) }
        if chance(15) { root = "Base" }
        if chance(20) { identity = identity == .string ? .integer : .string }
        if chance(12) { kinds["D"] = nil }
        hasMiddle = chance(20)
        new = entities
    }

    private mutating func number(below limit: Int) -> Int {
        Int.random(in: 0..<limit, using: &random)
    }

    private mutating func chance(_ percentage: Int) -> Bool { number(below: 100) < percentage }

    private mutating func name() -> String { Self.names[number(below: Self.names.count)] }

    // MARK: The models

    private mutating func addLink(_ name: String) {
        let owner = chance(50) ? "Alone" : self.name()
        let isToMany = chance(60)
        var relationship = RelationshipDescription(
            name, to: chance(15) ? "Alone" : self.name(), isToMany: isToMany,
            isOptional: isToMany || owner != "Alone" || chance(80),
            isOrdered: isToMany && chance(50), key: name)
        if chance(50) { relationship.inverse = name + "s" }
        links.append(Link(relationship: relationship, owner: owner))
    }

    private mutating func changed(_ link: Link) -> Link {
        var link = link
        if link.owner != "Alone", chance(45) { link.owner = name() }
        if link.relationship.destination != "Alone", chance(45) {
            link.relationship.destination = name()
        }
        return link
    }

    private mutating func changeParents() {
        let (first, second) = (1 + number(below: 4), 1 + number(below: 4))
        if first < second, chance(60) {
            // What was perhaps below is above now.
            let (high, low) = (Self.names[first], Self.names[second])
            parents[low] = chance(50) ? "Root" : parents[high]
            parents[high] = low
            return
        }
        for (index, name) in Self.names.enumerated() where index > 0 && chance(40) {
            parents[name] = Self.names[number(below: index)]
        }
    }

    private var entities: [EntityDescription] {
        var entities = Self.names.filter { $0 != "D" || kinds[$0] != nil }.map { name in
            EntityDescription(
                name: name, parent: parents[name], isAbstract: kinds[name] == nil,
                attributes: [.optional("at\(name)")])
        }
        entities[0].identity = ["id"]
        entities[0].attributes.append(.required("id", identity))
        entities[0].mapper = EntityMapper(key: "kind", values: kinds)
        entities.append(.numbered("Alone"))
        for link in links {
            let relationship = link.relationship
            for index in entities.indices where entities[index].name == link.owner {
                entities[index].relationships.append(relationship)
            }
            guard let inverse = relationship.inverse else { continue }
            for index in entities.indices where entities[index].name == relationship.destination {
                entities[index].relationships.append(
                    RelationshipDescription(
                        inverse, to: link.owner, isToMany: true, key: nil,
                        inverse: relationship.name))
            }
        }
        if hasMiddle {
            entities.append(EntityDescription(name: "Middle", parent: parents["C"]))
            for index in entities.indices where entities[index].name == "C" {
                entities[index].parent = "Middle"
            }
        }
        if root != "Root" { rename(&entities) }
        return entities
    }

    /// Gives the entity that the family begins with another name.
    private func rename(_ entities: inout [EntityDescription]) {
        entities[0].name = root
        entities[0].renamedFrom = "Root"
        entities[0].mapper?.values = kinds.mapValues { $0 == "Root" ? root : $0 }
        for index in entities.indices {
            if entities[index].parent == "Root" { entities[index].parent = root }
            for place in entities[index].relationships.indices
            where entities[index].relationships[place].destination == "Root" {
                entities[index].relationships[place].destination = root
            }
        }
    }

    // MARK: Objects

    /// The JSON of nine objects of the old family and of three that stand alone, by entity.
    mutating func objects() -> [(entity: String, json: String)] {
        let lineage = EntityLineage(old)
        let concrete = old.filter { !$0.isAbstract && $0.name != "Alone" }.map(\.name)
        let entities = (0..<9).map { _ in concrete[number(below: concrete.count)] }
        let isText = old[0].attribute(named: "id")?.type == .string
        let names = entities.indices.map { isText ? "\"\($0)\"" : "\($0)" }
        func targets(_ destination: String) -> [String] {
            if destination == "Alone" { return ["0", "1", "2"] }
            return entities.indices.filter { lineage.isEntity(entities[$0], at: destination) }
                .map { names[$0] }
        }
        func links(of name: String, _ random: inout RandomFamily) -> String {
            let relationships = lineage[name].map(lineage.flattened)?.relationships ?? []
            return relationships.filter { $0.key != nil }.map { relationship in
                let all = targets(relationship.destination)
                guard !all.isEmpty, !relationship.isOptional || random.chance(80) else { return "" }
                let count = relationship.isToMany ? random.number(below: 4) : 1
                let some = (0..<count).map { _ in all[random.number(below: all.count)] }
                    .joined(separator: ", ")
                return ", \"\(relationship.name)\": " + (relationship.isToMany ? "[\(some)]" : some)
            }.joined()
        }
        var objects: [(entity: String, json: String)] = []
        for (index, name) in entities.enumerated() {
            objects.append(
                (
                    "Root",
                    #"{"id": \#(names[index]), "kind": "\#(name)", "at\#(name)": "v\#(index)""#
                        + links(of: name, &self) + "}"
                ))
        }
        for id in 0..<3 { objects.append(("Alone", "{\"id\": \(id)\(links(of: "Alone", &self))}")) }
        return objects
    }
}
