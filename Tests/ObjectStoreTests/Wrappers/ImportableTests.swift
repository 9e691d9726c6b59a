import Foundation
import Testing

@testable import LarderObjectStore

/// What a response's type makes of JSON: entities, optionals, arrays, `Many`.
struct ImportableTests {
    private static func json(_ text: String) -> Data { Data(text.utf8) }

    private static func isEmpty(_ store: Store) throws -> Bool {
        try store.count(Hero.all) + store.count(Power.all) + store.count(Publisher.all) == 0
    }

    // MARK: Entities

    @Test func `an entity is stored and read back`() throws {
        let store = try Comics.store()
        let hero = try store.import(
            Hero.self,
            from: Self.json(
                #"{"id": 1, "name": "A", "strength": 2, "publisher": {"id": 5, "name": "P"}, "powers": [{"id": 4, "name": "Z"}]}"#
            ))
        #expect(hero.id == 1)
        #expect(hero.strength == 2)
        #expect(hero.isActive)
        #expect(try hero.publisher?.fetch().name == "P")
        #expect(hero.mentor == nil)
        #expect(try hero.powers.fetch().map(\.name) == ["Z"])
        #expect(try hero.powers.count == 1)
    }

    @Test func `a bare identity finds an entity that is there`() throws {
        let store = try Comics.store()
        try store.import(Hero.self, from: Self.json(#"{"id": 1, "name": "A"}"#))
        #expect(try store.import(Hero.self, from: Self.json("1")).name == "A")
        let error = #expect(throws: StoreError.self) {
            try store.import(Hero.self, from: Self.json("2"))
        }
        #expect(error?.reason == .incompleteObject)
        #expect(try store.count(Hero.all) == 1)
    }

    @Test(arguments: ["null", "[]", "true", "[{\"id\": 1, \"name\": \"A\"}]"])
    func `an entity is no array, boolean or null`(_ text: String) throws {
        let store = try Comics.store()
        let error = #expect(throws: MappingError.self) {
            try store.import(Hero.self, from: Self.json(text))
        }
        #expect(error?.path == "$")
        #expect(try Self.isEmpty(store))
    }

    @Test func `an entity that the store does not have is an error`() throws {
        let store = try Store.inMemory(entities: Card.self)
        let error = #expect(throws: StoreError.self) {
            try store.import(Hero.self, from: Self.json("{}"))
        }
        #expect(error?.reason == .unknownEntity)
    }

    @Test func `what is no JSON is an error with its place`() throws {
        let store = try Comics.store()
        let error = #expect(throws: JSONError.self) {
            try store.import(Hero.self, from: Self.json("{\n \"id\": 1,}"))
        }
        #expect(error?.line == 2)
    }

    // MARK: Optionals

    @Test func `null makes nil and stores nothing`() throws {
        let store = try Comics.store()
        let none: Hero? = try store.import(from: Self.json("null"))
        #expect(none == nil)
        #expect(try Self.isEmpty(store))
        let hero: Hero? = try store.import(from: Self.json(#"{"id": 1, "name": "A"}"#))
        #expect(hero?.name == "A")
        #expect(throws: MappingError.self) { try store.import(Hero?.self, from: Self.json("[]")) }
    }

    // MARK: Many and arrays

    @Test func `many keeps the order of the JSON, once each`() throws {
        let store = try Comics.store()
        let text = """
            [{"id": 2, "name": "B"}, null, {"id": 1, "name": "A"}, {"id": 2, "name": "C"}, 1]
            """
        let many: Many<Hero> = try store.import(from: Self.json(text))
        #expect(try many.count == 2)
        #expect(try many.fetch().map(\.name) == ["C", "A"])
        let array: [Hero] = try store.import(from: Self.json(text))
        #expect(array.map(\.name) == ["C", "A"])
    }

    @Test func `an empty array makes an empty list`() throws {
        let store = try Comics.store()
        #expect(try store.import(Many<Hero>.self, from: Self.json("[]")).fetch().isEmpty)
        #expect(try store.import([Hero].self, from: Self.json("[null]")).isEmpty)
    }

    @Test(arguments: ["{}", "null", "5", #"{"id": 1, "name": "A"}"#])
    func `a list is an array`(_ text: String) throws {
        let store = try Comics.store()
        for insert in [
            { _ = try store.import(Many<Hero>.self, from: Self.json(text)) },
            { _ = try store.import([Hero].self, from: Self.json(text)) },
        ] {
            let error = #expect(throws: MappingError.self) { try insert() }
            #expect(error?.entity == "Hero")
            #expect(error?.path == "$")
        }
        #expect(try Self.isEmpty(store))
    }

    @Test func `one bad element leaves nothing stored`() throws {
        let store = try Comics.store()
        let text = #"[{"id": 1, "name": "A", "powers": [{"id": 1, "name": "X"}]}, {"id": "x"}]"#
        #expect(throws: MappingError.self) {
            try store.import(Many<Hero>.self, from: Self.json(text))
        }
        #expect(throws: MappingError.self) { try store.import([Hero].self, from: Self.json(text)) }
        #expect(try Self.isEmpty(store))
    }

    @Test func `many of fifty thousand is read in one query`() throws {
        let store = try Comics.store()
        let objects = (0..<50_000).map { #"{"id": \#($0), "name": "hero"}"# }
        let many: Many<Hero> = try store.import(
            from: Self.json("[\(objects.reversed().joined(separator: ","))]"))
        let heroes = try many.fetch()
        #expect(heroes.count == 50_000)
        #expect(heroes.first?.id == 49_999)
        #expect(heroes.last?.id == 0)
    }

    // MARK: What the document deletes

    /// A store with the answers 2 and 3 to a retort.
    private static func retorts() throws -> Store {
        let store = try Store.inMemory(entities: Retort.self)
        try store.import(
            Retort.self, from: Self.json(#"{"id": 1, "answers": [{"id": 2}, {"id": 3}]}"#))
        return store
    }

    /// Elements of which the third deletes the first two, and one of them comes again.
    private static let clearing = json(
        #"[{"id": 2, "text": "x"}, 3, {"id": 1, "answers": []}, {"id": 3}, {"id": 4}]"#)

    @Test func `what a later element deletes is no element`() throws {
        #expect(
            try Self.retorts().import([Retort].self, from: Self.clearing).map(\.id) == [1, 3, 4])
        let many = try Self.retorts().import(Many<Retort>.self, from: Self.clearing)
        #expect(try many.count == 3)
        #expect(try many.fetch().map(\.id) == [1, 3, 4])
        let ones = try Self.retorts().import([One<Retort>].self, from: Self.clearing)
        #expect(try ones.map { try $0.fetch().id } == [1, 3, 4])
        let store = try Self.retorts()
        #expect(try store.import("Retort", from: Self.clearing).count == 3)
        #expect(try store.fetch(Retort.all).map(\.id).sorted() == [1, 3, 4])
    }

    @Test func `what was deleted and is mentioned again inside another is no element`() throws {
        let many = try Self.retorts().import(
            Many<Retort>.self,
            from: Self.json(#"[2, {"id": 1, "answers": []}, {"id": 5, "answers": [2]}]"#))
        #expect(try many.count == 2)
        #expect(try many.fetch().map(\.id) == [1, 5])
    }
}
