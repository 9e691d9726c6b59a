import Testing

@testable import LarderObjectStore

/// Random models, filled and widened at random: no value changes, and the tables are those of a
/// new store.
struct MigratorRandomTests {
    @Test(arguments: 1...12)
    func `a wider model keeps every value and link`(_ seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let fixture = try MigrationFixture()
        var entities = Self.model(&random)
        let model = try Model(name: "Test", entities: entities)
        let store = try Store(at: fixture.path, model: model)
        try store.write { context in
            for entity in entities {
                let json = Self.objects(of: entity, &random)
                _ = try context.mapElements(of: JSONDocument(json).root, as: entity.name)
            }
        }
        for _ in 0..<3 {
            let before = try Self.contents(of: entities, in: fixture)
            let names = Self.widen(&entities, &random)
            _ = try Store(at: fixture.path, model: Model(name: "Test", entities: entities))
            try fixture.check(Model(name: "Test", entities: entities))
            let after = try Self.contents(of: entities, in: fixture)
            for (part, values) in before {
                #expect(after[names[part] ?? part] == values, "\(part)")
            }
        }
        withExtendedLifetime(store) {}
    }

    private static let types: [AttributeType] = [.integer, .double, .string, .boolean]

    private static func model(_ random: inout SplitMix64) -> [EntityDescription] {
        ["A", "B", "C"].map { name in
            let attributes = (0..<Int.random(in: 0...4, using: &random)).map { index in
                AttributeDescription(
                    "a\(index)", types[Int.random(in: 0..<4, using: &random)],
                    isOptional: .random(using: &random), key: "a\(index)",
                    isIndexed: .random(using: &random))
            }
            let relationships = (0..<Int.random(in: 0...3, using: &random)).map { index in
                RelationshipDescription(
                    "r\(index)", to: ["A", "B", "C"][Int.random(in: 0..<3, using: &random)],
                    isToMany: .random(using: &random), isOptional: true, key: "r\(index)")
            }
            let identity = AttributeDescription(
                "id", Bool.random(using: &random) ? .integer : .string, key: "id")
            return EntityDescription(
                name: name, identity: ["id"], attributes: [identity] + attributes,
                relationships: relationships)
        }
    }

    private static func objects(
        of entity: EntityDescription, _ random: inout SplitMix64
    ) -> String {
        let objects = (1...20).map { id -> String in
            let isNumber = entity.attribute(named: "id")?.type == .integer
            var members = [isNumber ? "\"id\": \(id)" : "\"id\": \"i\(id)\""]
            for attribute in entity.attributes.dropFirst() {
                let number = Int.random(in: 0...9, using: &random)
                let value =
                    switch attribute.type {
                    case .string: "\"s\(number)\""
                    case .boolean: number > 4 ? "true" : "false"
                    case .double: "\(number).5"
                    default: "\(number)"
                    }
                members.append("\"\(attribute.name)\": \(value)")
            }
            return "{\(members.joined(separator: ", "))}"
        }
        return "[\(objects.joined(separator: ", "))]"
    }

    /// The values of each attribute, and how many links each relationship has, by their names.
    private static func contents(
        of entities: [EntityDescription], in fixture: MigrationFixture
    ) throws -> [String: [String]] {
        var contents: [String: [String]] = [:]
        for entity in entities {
            for attribute in entity.attributes {
                contents["\(entity.name).\(attribute.name)"] = try fixture.rows(
                    "SELECT \(attribute.name) FROM \(entity.name) ORDER BY id")
            }
            for relationship in entity.relationships where !relationship.isToMany {
                contents["\(entity.name).\(relationship.name)"] = try fixture.rows(
                    "SELECT \(relationship.name) FROM \(entity.name) ORDER BY id")
            }
        }
        return contents
    }

    /// Changes entities in ways that lose nothing; gives the new names by the old ones.
    private static func widen(
        _ entities: inout [EntityDescription], _ random: inout SplitMix64
    ) -> [String: String] {
        var names: [String: String] = [:]
        for index in entities.indices {
            for place in entities[index].attributes.indices.dropFirst() {
                entities[index].attributes[place].renamedFrom = nil
                let name = entities[index].attributes[place].name
                switch Int.random(in: 0..<6, using: &random) {
                case 0: entities[index].attributes[place].isOptional = true
                case 1: entities[index].attributes[place].isIndexed.toggle()
                case 2:
                    let new = "\(name)x"
                    entities[index].attributes[place].name = new
                    entities[index].attributes[place].renamedFrom = name
                    names["\(entities[index].name).\(name)"] = "\(entities[index].name).\(new)"
                default: break
                }
            }
            let count = entities[index].attributes.count
            if Bool.random(using: &random) {
                var attribute = AttributeDescription(
                    "n\(count)", .integer, isOptional: true, key: "n\(count)")
                if Bool.random(using: &random) { attribute.defaultValue = .integer(7) }
                entities[index].attributes.insert(
                    attribute, at: Int.random(in: 1...count, using: &random))
            }
            if Bool.random(using: &random) {
                let name = "m\(entities[index].relationships.count)"
                entities[index].relationships.append(
                    RelationshipDescription(
                        name, to: "A", isToMany: .random(using: &random), isOptional: true,
                        key: name))
            }
        }
        return names
    }
}
