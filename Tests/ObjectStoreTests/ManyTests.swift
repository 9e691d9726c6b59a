import Foundation
import Testing

@testable import LarderObjectStore

/// `Many` and `One`: which objects, read when asked.
struct ManyTests {
    private static func store() throws -> Store {
        let store = try Comics.store()
        try store.import(
            Many<Hero>.self,
            from: Data(
                """
                [{"id": 1, "name": "A", "publisher": {"id": 5, "name": "P"}, "mentor": 2,
                  "powers": [{"id": "z", "name": "Z"}, {"id": "a", "name": "Y"}]},
                 {"id": 2, "name": "B", "publisher": 5}]
                """.utf8))
        return store
    }

    @Test func `reads a relationship in its order`() throws {
        let store = try Self.store()
        let hero = try #require(try store.first(Hero.where { $0.id == 1 }))
        #expect(try hero.powers.fetch().map(\.id) == ["z", "a"])
        #expect(try hero.powers.count == 2)
        #expect(try hero.publisher?.fetch().heroes.fetch().map(\.id) == [1, 2])
        #expect(try hero.mentor?.fetch().powers.fetch().isEmpty == true)
    }

    @Test func `says which objects it is without reading them`() throws {
        let store = try Self.store()
        let hero = try #require(try store.first(Hero.where { $0.id == 1 }))
        let heroes: Many<Hero> = try store.import(from: Data("[1, 2]".utf8))
        #expect("\(heroes)" == "Many<Hero>(2 objects)")
        #expect("\(hero.powers)" == "Many<Power>(powers of Hero 1)")
        #expect("\(try #require(hero.mentor))" == "One<Hero>(id: 2)")
    }

    @Test func `reads what is in the store when it is asked`() throws {
        let store = try Self.store()
        let hero = try #require(try store.first(Hero.where { $0.id == 1 }))
        let heroes: Many<Hero> = try store.import(from: Data("[1, 2]".utf8))
        try store.import(
            Hero.self, from: Data(#"{"id": 1, "name": "New", "powers": ["a"]}"#.utf8))
        #expect(hero.name == "A")
        #expect(try hero.powers.fetch().map(\.id) == ["a"])
        #expect(try heroes.fetch().map(\.name) == ["New", "B"])
    }

    @Test func `an object that is gone is an error that says so`() throws {
        let fixture = try StoreFixture(
            .numbered(
                "List",
                relationships: [
                    RelationshipDescription(
                        "items", to: "Item", isToMany: true, key: "items", policy: .replace)
                ]),
            .numbered("Item"))
        try fixture.insert("List", #"{"id": 1, "items": [1, 2]}"#)
        let one = One<Item>(row: 1, store: fixture.store)
        let many = Many<Item>(content: .rows([1, 2], fixture.store))
        #expect(try one.fetch().id == 1)
        #expect(try many.fetch().map(\.id) == [1, 2])
        try fixture.insert("List", #"{"id": 1, "items": [2]}"#)
        #expect(#expect(throws: StoreError.self) { try one.fetch() }?.reason == .missingObject)
        #expect(#expect(throws: StoreError.self) { try many.fetch() }?.reason == .missingObject)
    }

    @Test func `a list whose owner is gone is an error that says so`() throws {
        let store = try Self.store()
        let heroes = try store.fetch(Hero.all.sorted { $0.id.ascending })
        // Nobody has what the other one lacks.
        #expect(try heroes[1].powers.count == 0)
        #expect(try String(decoding: heroes[1].powers.json(), as: UTF8.self) == "[]")
        let record = try #require(try store.find("Hero", id: 2))
        try store.delete(Hero.all)
        for hero in heroes {
            #expect(
                #expect(throws: StoreError.self) { try hero.powers.count }?.reason == .missingObject
            )
            #expect(
                #expect(throws: StoreError.self) { try hero.powers.fetch() }?.reason
                    == .missingObject
            )
            #expect(
                #expect(throws: StoreError.self) { try hero.powers.json() }?.reason
                    == .missingObject)
        }
        #expect(
            #expect(throws: StoreError.self) { try record.many("powers") }?.reason == .missingObject
        )
    }

    @Test func `ones are equal when they are the same object`() throws {
        let store = try Self.store()
        let heroes = try store.fetch(Hero.all)
        #expect(heroes[0].publisher == heroes[1].publisher)
        #expect(heroes[0].publisher?.hashValue == heroes[1].publisher?.hashValue)
        #expect(heroes[0].mentor != nil)
        let other = try #require(try Self.store().first(Hero.all))
        #expect(heroes[0].publisher != other.publisher)
    }

    @Test func `manys are equal when they are of the same objects`() throws {
        let store = try Self.store()
        let heroes = try store.fetch(Hero.all.sorted { $0.id.ascending })
        let again = try store.fetch(Hero.all.sorted { $0.id.ascending })
        let powers = heroes[0].powers
        #expect(powers == again[0].powers && powers.hashValue == again[0].powers.hashValue)
        #expect(powers != heroes[1].powers)
        #expect(try powers != #require(try Self.store().first(Hero.all)).powers)
        // It is the relationship that it is of, whatever that links.
        try store.import(Hero.self, from: Data(#"{"id": 1, "name": "A", "powers": ["a"]}"#.utf8))
        #expect(powers == again[0].powers)
        let list: Many<Hero> = try store.import(from: Data("[1, 2]".utf8))
        let same: Many<Hero> = try store.import(from: Data("[1, 2]".utf8))
        let turned: Many<Hero> = try store.import(from: Data("[2, 1]".utf8))
        #expect(list == same && list.hashValue == same.hashValue && list != turned)
        #expect(Set([Team(name: "A", heroes: list), Team(name: "A", heroes: same)]).count == 1)
    }
}

/// An object with links to many is compared by what it holds and by what it links.
private struct Team: Hashable {
    var name: String
    var heroes: Many<Hero>
}

/// An entity of nothing but its identity.
private struct Item: Entity {
    var id: Int

    static var entityName: String { "Item" }
    static let entityDescription = EntityDescription(
        name: "Item", identity: ["id"],
        attributes: [AttributeDescription("id", Int.self, key: "id")])

    struct Columns: EntityColumns { init(path: ColumnPath) {} }

    init(row: EntityRow) throws { id = try row.attribute(0) }
}
