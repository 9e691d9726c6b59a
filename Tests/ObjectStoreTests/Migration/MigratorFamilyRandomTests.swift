import Foundation
import Testing

@testable import LarderObjectStore

/// Families whose entities get other parents, while relationships get other owners and destinations.
///
/// Where no loss is listed, objects and links are what they were. Where losses are allowed, no link is
/// new, none leads to what is not of its destination, and inverses agree. `LARDER_ORACLE_COUNT` is how
/// many such families there are.
struct MigratorFamilyRandomTests {
    private static let count =
        ProcessInfo.processInfo.environment["LARDER_ORACLE_COUNT"]
        .flatMap(Int.init).map { min($0, 1_000) } ?? 160
    private static let first =
        ProcessInfo.processInfo.environment["LARDER_ORACLE_SEED"].flatMap(Int.init) ?? 0

    @Test(arguments: 0..<4)
    func `links go where their relationships go, or are listed as lost`(_ part: Int) async {
        for seed in stride(from: Self.first + part, to: Self.first + Self.count, by: 4) {
            await Task.yield()
            do {
                try Self.check(RandomFamily(seed: UInt64(seed)))
            } catch {
                Issue.record("seed \(seed): \(error)")
            }
        }
    }

    /// That of a link moves to an entity that has come above the one that had it.
    @Test func `an inverse that moves up keeps its links`() throws {
        try Self.check(RandomFamily(seed: 3274))
    }

    /// A law that does not hold.
    private struct Broken: Error {
        let law: String
        let what: [String]
    }

    private static func check(_ family: RandomFamily) throws {
        var family = family
        guard let old = try? Model(name: "Test", entities: family.old),
            let new = try? Model(name: "Test", entities: family.new)
        else { return }
        let fixture = try MigrationFixture()
        let source = try Store(at: fixture.path, model: old)
        for object in family.objects() {
            // Some lack what is required.
            _ = try? source.import(object.entity, from: Data(object.json.utf8))
        }
        let before = try Contents(of: source, old)
        try source.close()
        var losses: [MigrationLoss] = []
        var configuration = Store.Configuration()
        do {
            try Store(at: fixture.path, model: new).close()
        } catch let error as MigrationError {
            losses = error.losses
            configuration.migration.allowedLosses = .all
        }
        let store = try Store(at: fixture.path, model: new, configuration: configuration)
        let after = try Contents(of: store, new)
        try require([], of: after.strays, "ends")
        try require([], of: after.withoutInverse(in: new), "inverses")
        try require([], of: after.pairs.subtracting(before.pairs), "no new links")
        if losses.isEmpty {
            try require(before.objects, of: after.objects, "objects")
            try require(before.links, of: after.links, "links")
        } else if !losses.contains(where: \.mayEmptyOthers) {
            let listed = Set(losses.flatMap { $0.relationshipNames(in: old) })
            try require(
                before.pairs.filter { !listed.contains($0.name) },
                of: after.pairs.filter { !listed.contains($0.name) },
                "links of what is not listed in \(losses)")
        }
        let report = try store.checkIntegrity(.full)
        guard report.isSound else { throw Broken(law: report.description, what: []) }
        try fixture.check(new)
    }

    private static func require<Part: Hashable>(
        _ expected: Set<Part>, of found: Set<Part>, _ law: String
    ) throws {
        let difference = expected.symmetricDifference(found)
        guard !difference.isEmpty else { return }
        throw Broken(law: law, what: difference.map { "\($0)" }.sorted())
    }
}

/// A link between two objects that are there.
private struct Link: Hashable {
    let name: String
    let source: String
    let target: String
    /// Its place, where there is an order.
    var position: Int?
}

/// The objects of a store and the links between them.
private struct Contents {
    private(set) var objects: Set<String> = []
    private(set) var links: Set<Link> = []
    /// Those that lead to what is not of their destination.
    private(set) var strays: Set<Link> = []

    init(of store: Store, _ model: Model) throws {
        let lineage = EntityLineage(model.entities)
        for root in model.entities where root.parent == nil {
            for record in try store.fetch(DynamicQuery(root.name)) {
                let values = record.entity.attributes.compactMap { record[$0.name] }
                let name = record.entityName == "Base" ? "Root" : record.entityName
                objects.insert(
                    "\(name) \(values.filter { $0 != .null }.map(MigrationFixture.text).sorted())")
                for relationship in record.entity.relationships {
                    let targets = try Self.targets(of: relationship, of: record)
                    for (position, target) in targets.enumerated() where target.isComplete {
                        let link = Link(
                            name: relationship.name, source: Self.identity(of: record),
                            target: Self.identity(of: target),
                            position: relationship.isOrdered ? position : nil)
                        links.insert(link)
                        if !lineage.isEntity(target.entityName, at: relationship.destination) {
                            strays.insert(link)
                        }
                    }
                }
            }
        }
    }

    private static func targets(
        of relationship: RelationshipDescription, of record: DynamicObject
    ) throws -> [DynamicObject] {
        if relationship.isToMany { return try record.many(relationship.name) }
        return try record.one(relationship.name).map { [$0] } ?? []
    }

    private static func identity(of record: DynamicObject) -> String {
        MigrationFixture.text(record["id"] ?? .null)
    }

    /// The links without their places.
    var pairs: Set<Link> {
        Set(links.map { Link(name: $0.name, source: $0.source, target: $0.target) })
    }

    /// The links that are not found in the other direction, though there is one.
    func withoutInverse(in model: Model) -> Set<Link> {
        let inverses = model.entities.flatMap(\.relationships).compactMap { relationship in
            relationship.inverse.map { (relationship.name, $0) }
        }
        let names = Dictionary(inverses) { first, _ in first }
        let pairs = self.pairs
        return pairs.filter { link in
            names[link.name].map {
                !pairs.contains(Link(name: $0, source: link.target, target: link.source))
            } ?? false
        }
    }
}

extension MigrationLoss {
    /// Whether links of relationships that are not listed can go with it.
    fileprivate var mayEmptyOthers: Bool {
        if case .entity = part { return true }
        return reason == .empty
    }

    /// The name of the relationship that loses links, and that of its inverse.
    fileprivate func relationshipNames(in model: Model) -> [String] {
        let relationship = model[entity: part.entityName]?.relationship(named: part.propertyName)
        return [part.propertyName] + (relationship?.inverse.map { [$0] } ?? [])
    }
}
