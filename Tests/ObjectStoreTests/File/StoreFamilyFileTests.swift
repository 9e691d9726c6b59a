import Foundation
import Testing

@testable import LarderObjectStore

/// What is done to the file of a store whose entities share tables.
struct StoreFamilyFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let types: [any Entity.Type] = [
        Lion.self, Parrot.self, Cage.self, Food.self, Collar.self, Ticket.self,
    ]

    private func open(_ name: String, seed: String? = nil) throws -> Store {
        var configuration = Store.Configuration()
        configuration.seed = seed.map { URL(fileURLWithPath: folder.file($0)) }
        return try Store(
            at: folder.file(name), model: Model(entities: Self.types), configuration: configuration)
    }

    private func make() throws {
        let store = try open("a")
        try store.save(
            Zoo.lion(1, cage: One(id: 7), foods: [Zoo.seeds, Zoo.meat], prey: One(id: 9)))
        try store.save(Cage(number: 7, animals: .unchanged, star: One(id: 1), grade: nil))
        try store.save([Zoo.parrot(2, words: ["a"]), Zoo.parrot(3, mood: .cross)])
        try store.save(Zoo.bird(4, prey: One(id: 2)))
        try store.vacuum()
        try store.close()
    }

    private func check(_ store: Store) throws {
        #expect(try store.checkIntegrity().isSound)
        #expect(try store.fetch(Animal.all).map(\.name) == ["L1", "P2", "P3", "B4"])
        #expect(try store.fetch(Parrot.all).map(\.mood) == [.calm, .cross])
        let lion = try #require(try store.find(Lion.self, id: 1))
        #expect(try lion.foods.fetch().map(\.name) == ["seeds", "meat"])
        #expect(try lion.cage?.fetch().star?.fetch().id == 1)
        #expect(try store.find(Bird.self, id: 4)?.prey?.fetch().name == "P2")
        try store.save(Zoo.parrot(9))
        #expect(try lion.prey?.fetch().name == "P9")
    }

    @Test func `a family is rebuilt with its entities, links and orders`() throws {
        try make()
        let (store, report) = try Store.rebuild(
            at: folder.file("a"), model: Model(entities: Self.types))
        #expect(
            report.saved == [
                "Animal": 0, "Lion": 1, "Bird": 1, "Parrot": 2, "Cage": 1, "Food": 2, "Collar": 0,
                "Ticket": 0,
            ])
        #expect(report.incomplete == [] && report.brokenLinks == 0)
        try check(store)
    }

    @Test func `a family is backed up, and grows from a seed`() throws {
        try make()
        try open("a").backUp(to: URL(fileURLWithPath: folder.file("b")))
        try check(open("b"))
        try check(open("c", seed: "a"))
    }

    // MARK: Eviction

    private func store(_ evictions: Eviction..., denies: Bool = false) throws -> Store {
        var configuration = Store.Configuration()
        configuration.evictions = evictions
        let root = EntityDescription(
            name: "Item", isAbstract: true, identity: ["id"],
            attributes: [.required("id", .integer), .optional("seen", .date)],
            mapper: EntityMapper(key: "kind", values: ["n": "Note", "s": "Song"]))
        let link = RelationshipDescription(
            "next", to: "Item", isOptional: true, key: "next",
            deleteRule: denies ? .deny : .nullify)
        let store = try Store.inMemory(
            model: Model(
                name: "Test",
                entities: [
                    root, EntityDescription(name: "Note", parent: "Item", relationships: [link]),
                    EntityDescription(name: "Song", parent: "Item"),
                    .numbered(
                        "Star",
                        relationships: [RelationshipDescription("note", to: "Note", key: "note")]),
                ]), configuration: configuration)
        let items = (1...8).map { id in
            let date = Date(timeIntervalSinceReferenceDate: Double(id)).ISO8601Format()
            return #"{"id":\#(id),"kind":"\#(id % 2 == 0 ? "n" : "s")","seen":"\#(date)"}"#
        }
        try store.insert("Item", "[\(items.joined(separator: ","))]")
        return store
    }

    private func items(_ store: Store) throws -> [Int64] {
        try store.withWriter { try $0.allRows("SELECT id FROM Item ORDER BY id") }.map { row in
            if case .integer(let id) = row[0] { id } else { -1 }
        }
    }

    @Test func `objects of one entity go, and none of its siblings`() throws {
        let store = try store(Eviction(entity: "Note", by: "seen", keeping: 1))
        #expect(try store.evict() == ["Note": 3])
        #expect(try items(store) == [1, 3, 5, 7, 8])
    }

    @Test func `an eviction of the parent counts objects by their own entities`() throws {
        let store = try store(Eviction(entity: "Item", by: "seen", keeping: 3))
        #expect(try store.evict() == ["Note": 2, "Song": 3])
        #expect(try items(store) == [6, 7, 8])
    }

    @Test func `what others can't be without stays, whichever name leads to it`() throws {
        let store = try store(Eviction(entity: "Item", by: "seen", keeping: 0))
        try store.insert("Star", #"{"id":1,"note":4}"#)
        #expect(try store.evict() == ["Note": 3, "Song": 4])
        #expect(try items(store) == [4])
    }

    @Test func `rules of a sub-entity deny eviction of the parent`() throws {
        let store = try store(Eviction(entity: "Item", by: "seen", keeping: 1), denies: true)
        // What goes along denies nothing.
        try store.insert("Note", #"[{"id":2,"next":8},{"id":4,"next":3}]"#)
        #expect(try store.evict() == ["Note": 2, "Song": 4])
        #expect(try items(store) == [2, 8])
    }
}
