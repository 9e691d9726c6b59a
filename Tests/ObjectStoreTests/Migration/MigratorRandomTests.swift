import Foundation
import Testing

@testable import LarderObjectStore

/// Random models, filled and changed at random.
///
/// Widened, no value changes, and the tables are those of a new store. Whatever else they become, a
/// store that opens is sound. `LARDER_ORACLE_COUNT` is how many such programs there are.
struct MigratorRandomTests {
    private static let count =
        ProcessInfo.processInfo.environment["LARDER_ORACLE_COUNT"]
        .flatMap(Int.init).map { min($0, 1_000) } ?? 200

    /// Those that would lose something are opened with leave to lose it.
    @Test(arguments: 0..<4)
    func `a store that opens with another model is sound`(_ part: Int) async {
        for seed in stride(from: part, to: Self.count, by: 4) {
            await Task.yield()
            let migration = RandomMigration(seed: UInt64(seed))
            do {
                try Self.check(migration)
            } catch {
                Issue.record("seed \(seed), \(migration.changes): \(error)")
            }
        }
    }

    /// A law that does not hold.
    private struct Broken: Error {
        let law: String
    }

    private static func check(_ migration: RandomMigration) throws {
        var migration = migration
        guard let old = try? Model(name: "Test", entities: migration.old),
            let new = try? Model(name: "Test", entities: migration.new)
        else { return }
        let fixture = try MigrationFixture()
        let source = try Store(at: fixture.path, model: old)
        for _ in 0..<4 {
            for entity in old.entities where !entity.isAbstract {
                let json = Data(migration.object(of: entity.name).utf8)
                // Some lack what is required, or are of another entity than is in the store.
                _ = try? source.import(entity.name, from: json)
            }
        }
        guard try source.checkIntegrity().isSound else { throw Broken(law: "sound before") }
        let (before, after) = try (StorePlan(old), StorePlan(new))
        let kept = Kept(before, after)
        let values = try kept.values(in: source, of: { $0.old })
        try source.close()
        let links = try kept.links(in: fixture.connection, of: before) { $0.old }
        let (store, isWhole) = try open(fixture.path, new)
        if isWhole, try kept.values(in: store, of: { $0.new }) != values {
            throw Broken(law: "values")
        }
        let report = try store.checkIntegrity()
        if !report.isSound { throw Broken(law: report.description) }
        for entity in new.entities { _ = try store.fetch(DynamicQuery(entity.name)) }
        try store.close()
        if isWhole, try kept.links(in: fixture.connection, of: after, { $0.new }) != links {
            throw Broken(law: "links")
        }
        try fixture.check(new)
        try checkIdentities(after, fixture.connection)
        try complete(&migration, fixture.path, new)
    }

    /// Imports objects, which fill references of the time before, and throws where that leaves some
    /// that can't be.
    private static func complete(
        _ migration: inout RandomMigration, _ path: String, _ model: Model
    ) throws {
        let store = try Store(at: path, model: model)
        for _ in 0..<4 {
            for entity in model.entities where !entity.isAbstract {
                let json = migration.object(of: entity.name, in: model.entities)
                _ = try? store.import(entity.name, from: Data(json.utf8))
            }
        }
        let report = try store.checkIntegrity()
        if !report.isSound { throw Broken(law: "completed: \(report.description)") }
    }

    /// Opens a store with another model; gives whether nothing had to be lost.
    private static func open(
        _ path: String, _ model: Model
    ) throws -> (store: Store, isWhole: Bool) {
        do {
            return (try Store(at: path, model: model), true)
        } catch is MigrationError {
            var configuration = Store.Configuration()
            configuration.migration.allowedLosses = .all
            return (try Store(at: path, model: model, configuration: configuration), false)
        }
    }

    /// Throws where two rows have one identity, of which some part is not empty, or a link leads to
    /// an object of another entity.
    private static func checkIdentities(_ plan: StorePlan, _ connection: Connection) throws {
        for entity in plan.entities {
            let scope = entity.family.uniqueScope
            let names = entity.description.identity.map(\.sqlName)
            let isEmpty = names.map { "\($0) IS NULL" }.joined(separator: " AND ")
            let count = try connection.number(
                "SELECT count(*) FROM (SELECT 1 FROM \(entity.table) WHERE NOT (\(isEmpty))"
                    + (scope.map { " AND \"$entity\" IN \($0.sqlList)" } ?? "")
                    + " GROUP BY \(names.joined(separator: ", ")) HAVING count(*) > 1)")
            if count > 0 { throw Broken(law: "identities of \(entity.name)") }
            for relationship in entity.description.toOneRelationships {
                let other = try plan.entity(relationship.destination)
                guard let scope = other.rowScope("d") else { continue }
                let count = try connection.number(
                    "SELECT count(*) FROM \(entity.table) AS o JOIN \(other.table) AS d"
                        + " ON o.\(relationship.name.sqlName) = d.\(other.rowid)"
                        + " WHERE \(entity.ownScope("o") ?? "TRUE") AND NOT (\(scope))")
                if count > 0 { throw Broken(law: "\(entity.name).\(relationship.name)") }
            }
        }
        for links in plan.linkTables {
            for (end, column) in [(links.owner, "source"), (links.inverse, "target")] {
                let entity = plan.entities[end.entity]
                let count = try connection.number(
                    "SELECT count(*) FROM \(links.name.sqlName) WHERE \(column) NOT IN"
                        + " (SELECT d.\(entity.rowid) FROM \(entity.table) AS d"
                        + " WHERE \(entity.rowScope("d") ?? "TRUE"))")
                if count > 0 { throw Broken(law: "\(links.name).\(column)") }
            }
        }
    }

    /// The attributes and relationships that two models have with one type, by entity whose objects stay what they are.
    private struct Kept {
        typealias Entity = (name: String, attributes: [String], links: [String])
        typealias Pair = (old: Entity, new: Entity)

        let entities: [Pair]

        init(_ before: StorePlan, _ after: StorePlan) {
            entities = after.entities.compactMap { entity in
                let new = entity.description
                guard let source = try? before.entity(new.renamedFrom ?? new.name) else {
                    return nil
                }
                // What was a reference is an object where its identity is all that there is to it.
                if entity.isWholeByIdentity, !source.isWholeByIdentity { return nil }
                let old = source.description
                let pairs = new.attributes.compactMap { attribute -> (String, String)? in
                    guard let was = old.attribute(named: attribute.renamedFrom ?? attribute.name),
                        was.type == attribute.type
                    else { return nil }
                    // A default may stand in for what was empty.
                    if was.isOptional, !attribute.isOptional { return nil }
                    return (was.name, attribute.name)
                }
                let links = new.relationships.compactMap { link -> (String, String)? in
                    guard let was = old.relationship(named: link.renamedFrom ?? link.name),
                        was.isToMany == link.isToMany, was.inverse == nil, link.inverse == nil
                    else { return nil }
                    return (was.name, link.name)
                }
                return (
                    (old.name, pairs.map(\.0), links.map(\.0)),
                    (new.name, pairs.map(\.1), links.map(\.1))
                )
            }
        }

        /// What the objects of each entity hold, sorted.
        func values(in store: Store, of side: (Pair) -> Entity) throws -> [[String]] {
            try entities.map { pair in
                let entity = side(pair)
                return try store.fetch(DynamicQuery(entity.name))
                    .filter { $0.entityName == entity.name }
                    .map { record in "\(entity.attributes.map { record[$0] })" }.sorted()
            }
        }

        /// The number of links that the rows of each entity have, by relationship.
        func links(
            in connection: Connection, of plan: StorePlan, _ side: (Pair) -> Entity
        ) throws -> [[Int]] {
            try entities.map { pair in
                let entity = try plan.entity(side(pair).name)
                return try side(pair).links.map { name in
                    let rows = "FROM \(entity.table) AS o WHERE \(entity.ownScope("o") ?? "TRUE")"
                    guard let many = entity.toMany.first(where: { $0.name == name }),
                        case .table(let table) = many.storage
                    else { return try connection.number("SELECT count(\(name.sqlName)) \(rows)") }
                    return try connection.number(
                        "SELECT count(*) FROM \(table.name)"
                            + " WHERE \(table.source) IN (SELECT o.\(entity.rowid) \(rows))")
                }
            }
        }
    }

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
