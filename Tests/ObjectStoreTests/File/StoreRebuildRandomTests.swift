import Foundation
import Testing

@testable import LarderObjectStore

/// Stores whose files are damaged at random, and what a rebuild makes of them.
///
/// What was saved is sound, can be fetched and exported, and another store takes all of it.
/// `LARDER_ORACLE_COUNT` is how many such files there are, 200 at most, `LARDER_ORACLE_SEED` the first.
struct StoreRebuildRandomTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let count =
        environment["LARDER_ORACLE_COUNT"].flatMap(Int.init).map { min($0, 200) } ?? 80
    private static let first = environment["LARDER_ORACLE_SEED"].flatMap(Int.init) ?? 0

    private static func model() throws -> Model {
        try Model(
            name: "Test", entities: [Guest.self, Captain.self, Berth.self, Port.self])
    }

    @Test(arguments: 0..<4)
    func `what is saved of a damaged store is whole`(_ part: Int) async {
        for seed in stride(from: Self.first + part, to: Self.first + Self.count, by: 4) {
            await Task.yield()
            do {
                try Self.check(UInt64(seed))
            } catch {
                Issue.record("seed \(seed): \(error)")
            }
        }
    }

    /// A law that does not hold.
    private struct Broken: Error {
        let law: String
    }

    private static func check(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let (folder, model) = try (TemporaryFolder(), model())
        let path = folder.file("a")
        let store = try Store(at: path, model: model)
        for (entity, json) in documents(&random) { try store.import(entity, from: json) }
        try store.close()
        let damaged = damage(try folder.bytes("a"), &random)
        try damaged.write(to: URL(fileURLWithPath: folder.file("b")))
        use(try? Store(at: folder.file("b"), model: model))
        for name in try folder.files {
            try FileManager.default.removeItem(atPath: folder.file(name))
        }
        try damaged.write(to: URL(fileURLWithPath: path))
        if let rebuilt = try rebuild(folder, damaged, model) { try check(rebuilt, model) }
    }

    /// Rebuilds the store; nil where the damage has made another program's or version's of it.
    private static func rebuild(
        _ folder: TemporaryFolder, _ damaged: Data, _ model: Model
    ) throws -> Store? {
        var configuration = Store.Configuration()
        do {
            return try Store.rebuild(
                at: folder.file("a"), model: model, configuration: configuration
            ).store
        } catch is MigrationError {
            // The model that the store keeps is damaged, and makes sense nonetheless.
            configuration.migration.allowedLosses = .all
        } catch let error as StoreError
            where error.reason == .notAStore || error.reason == .newerStore
        {
            return nil
        }
        guard try folder.bytes("a") == damaged,
            Set(try folder.files).isSubset(of: ["a", "a-wal", "a-shm"])
        else { throw Broken(law: "what is refused leaves all as it was") }
        return try Store.rebuild(
            at: folder.file("a"), model: model, configuration: configuration
        ).store
    }

    private static func check(_ store: Store, _ model: Model) throws {
        let integrity = try store.checkIntegrity()
        guard integrity.isSound else { throw Broken(law: "soundness: \(integrity)") }
        let identities = try identities(in: store)
        for entity in model.entities {
            let objects = try store.fetch(DynamicQuery(entity.name))
            for object in objects {
                for relationship in object.entity.relationships {
                    if relationship.isToMany {
                        _ = try object.many(relationship.name)
                    } else {
                        _ = try object.one(relationship.name)
                    }
                }
            }
        }
        let other = try Store.inMemory(model: model)
        for entity in model.entities where entity.parent == nil {
            let json = try store.json(DynamicQuery(entity.name), relationships: .identities)
            try other.import(entity.name, from: json)
            try store.import(entity.name, from: json)
        }
        guard try Self.identities(in: other) == identities,
            try Self.identities(in: store) == identities
        else { throw Broken(law: "what was exported comes back") }
        guard try other.checkIntegrity().isSound else { throw Broken(law: "soundness there") }
    }

    /// The identities of all objects, which are fetched whole.
    private static func identities(in store: Store) throws -> [[String]] {
        try [
            store.fetch(Guest.all).map { "\($0.id)" }.sorted(),
            store.fetch(Captain.all).map { "\($0.id)" }.sorted(),
            store.fetch(Berth.all).map { "\($0.number) \($0.deck)" }.sorted(),
            store.fetch(Port.all).map(\.name).sorted(),
        ]
    }

    /// Does what an app may before it knows of the damage, which nothing is promised of.
    private static func use(_ store: Store?) {
        guard let store else { return }
        _ = try? store.fetch(Guest.all)
        _ = try? store.json(Berth.all)
        _ = try? store.fetch(DynamicQuery("Guest"))
        _ = try? store.checkIntegrity()
        _ = try? store.import("Guest", from: #"{"id": 3, "rank": "captain", "name": "x"}"#)
        _ = try? store.delete(Guest.where { $0.id < 9 })
        try? store.close()
    }

    // MARK: Damage

    private static func damage(_ file: Data, _ random: inout SplitMix64) -> Data {
        var bytes = [UInt8](file)
        let page = 4096
        let pageCount = bytes.count / page
        func place(_ random: inout SplitMix64) -> Int {
            Int.random(in: 1..<pageCount, using: &random) * page
        }
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            for _ in 0..<Int.random(in: 1..<40, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = .random(
                    in: 0...255, using: &random)
            }
        case 1:
            let start = place(&random)
            for index in start..<start + page {
                bytes[index] =
                    Bool.random(using: &random) ? 0 : .random(in: 0...255, using: &random)
            }
        case 2:
            let rest = Bool.random(using: &random) ? 0 : Int.random(in: 0..<page, using: &random)
            bytes.removeLast(bytes.count - place(&random) - rest)
        case 3:
            let (from, to) = (place(&random), place(&random))
            bytes.replaceSubrange(to..<to + page, with: Array(bytes[from..<from + page]))
        default:
            // Letters of what the objects hold; those of the tables and the model come first.
            let letters = bytes.indices.filter {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[$0] | 0x20)
            }
            for _ in 0..<Int.random(in: 1..<20, using: &random) {
                let index = letters[
                    Int.random(in: letters.count / 2..<letters.count, using: &random)]
                bytes[index] = .random(
                    in: UInt8(ascii: "a")...UInt8(ascii: "z"), using: &random)
            }
        }
        return Data(bytes)
    }

    // MARK: Objects

    private static func documents(_ random: inout SplitMix64) -> [(entity: String, json: String)] {
        func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
        func words() -> String {
            (0..<1 + number(6)).map { _ in ["sea", "wind", "rope", "gull"][number(4)] }
                .joined(separator: " ")
        }
        let guests = (0..<20 + number(60)).map { id in
            let rank = ["guest", "captain"][id % 2]
            let berth = #"{"number": \#(number(9)), "deck": "upper"}"#
            return #"{"id": \#(id), "rank": "\#(rank)", "name": "\#(words())", "mood": "calm","#
                + #" "meal": "lunch", "weight": \#(number(90)).5, "joined": \#(number(99_999)),"#
                + #" "berth": \#(berth), "friends": [\#(number(20)), \#(number(20))],"#
                + #" "port": "\#(words())", "homepage": "https://a.example/\#(number(9))"}"#
        }
        let berths = (0..<9).map {
            #"{"number": \#($0), "deck": "upper", "price": "\#(number(99)).25", "keeper": \#(2 * number(10) + 1)}"#
        }
        return [
            ("Guest", "[\(guests.joined(separator: ", "))]"),
            ("Berth", "[\(berths.joined(separator: ", "))]"),
            ("Port", #"[{"name": "sea"}, {"name": "\#(words())", "grade": 4}]"#),
        ]
    }
}

enum Meal: String, AttributeValue {
    case breakfast, lunch
}

@Entity(mapper: EntityMapper(key: "rank", values: ["guest": "Guest", "captain": "Captain"]))
struct Guest {
    @Identity var id: Int
    @Attribute(searchable: true) var name: String
    var mood: Mood = .calm
    var meal: Meal?
    @Attribute(indexed: true) var weight: Double?
    @Attribute(.unix) var joined: Date?
    var homepage: URL?
    @Relationship(inverse: "guests") var berth: One<Berth>?
    var friends: Many<Guest>
    @Relationship(inverse: "guests") var port: One<Port>?
}

@Entity(parent: Guest.self) struct Captain {
    @Inherited var id: Int
    @Inherited var name: String
    @Relationship(inverse: "keeper", ordered: false, mapped: false) var berths: Many<Berth>
}

@Entity struct Berth {
    @Identity var number: Int
    @Identity var deck: String
    var price: Decimal?
    @Relationship(inverse: "berth", ordered: false, mapped: false) var guests: Many<Guest>
    @Relationship(inverse: "berths") var keeper: One<Captain>?
}

@Entity struct Port {
    @Identity var name: String
    var grade: Grade?
    @Relationship(inverse: "port", ordered: false, mapped: false) var guests: Many<Guest>
}
