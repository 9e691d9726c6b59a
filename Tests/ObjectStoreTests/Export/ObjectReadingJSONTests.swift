import Foundation
import LarderPromises
import Testing

@testable import LarderObjectStore

/// Objects that become JSON again by their model.
@Suite struct ObjectReadingJSONTests {
    private let store: Store

    init() throws {
        store = try Comics.store()
        try store.import(
            Many<Publisher>.self,
            from: Data(
                #"""
                [{"id": 1, "name": "North", "founded": "1939-05-01", "heroes": [
                   {"id": 10, "name": "Ann", "identity": {"real_name": "A."}, "strength": 2.5,
                    "powers": [{"id": 7, "name": "flight"}, {"id": "x", "name": "\"wit\""}]},
                   {"id": 11, "name": "Bob", "active": false, "mentor": 10}]},
                 {"id": 2, "name": "South", "heroes": []}]
                """#.utf8))
    }

    private func json<Object: Entity>(
        _ query: Query<Object>, _ relationships: ExportedRelationships
    ) throws -> String {
        String(decoding: try store.json(query, relationships: relationships), as: UTF8.self)
    }

    // MARK: Forms

    @Test func `attributes alone: nulls are written and key paths make objects`() throws {
        #expect(
            try json(Hero.all, .omitted)
                == #"[{"id":10,"name":"Ann","identity":{"real_name":"A."},"strength":2.5,"active":true},"#
                + #"{"id":11,"name":"Bob","identity":{"real_name":null},"strength":null,"active":false}]"#
        )
    }

    @Test func `identities stand for linked objects`() throws {
        let heroes = try json(Hero.where { $0.id == 11 }, .identities)
        #expect(heroes.hasSuffix(#""active":false,"publisher":1,"mentor":10,"powers":[]}]"#))
        let publishers = try json(Publisher.all, .identities)
        #expect(
            publishers
                == #"[{"id":1,"name":"North","founded":"1939-05-01T00:00:00Z","heroes":[10,11]},"#
                + #"{"id":2,"name":"South","founded":null,"heroes":[]}]"#)
    }

    @Test func `nested objects leave out what leads straight back`() throws {
        let json = try json(Publisher.where { $0.id == 1 }, .nested)
        #expect(
            json
                == #"[{"id":1,"name":"North","founded":"1939-05-01T00:00:00Z","heroes":["#
                + #"{"id":10,"name":"Ann","identity":{"real_name":"A."},"strength":2.5,"#
                + #""active":true,"mentor":null,"powers":[{"id":7,"name":"flight"},"#
                + #"{"id":"x","name":"\"wit\""}]},"#
                + #"{"id":11,"name":"Bob","identity":{"real_name":null},"strength":null,"#
                + #""active":false,"mentor":{"id":10,"name":"Ann","identity":{"real_name":"A."},"#
                + #""strength":2.5,"active":true,"publisher":1,"mentor":null,"#
                + #""powers":[{"id":7,"name":"flight"},{"id":"x","name":"\"wit\""}]},"#
                + #""powers":[]}]}]"#)
    }

    @Test func `an object of nothing but nulls has all its keys`() throws {
        try store.import(
            Hero.self, from: Data(#"{"id": 12, "name": "", "active": false}"#.utf8))
        #expect(
            try json(Hero.where { $0.id == 12 }, .nested)
                == #"[{"id":12,"name":"","identity":{"real_name":null},"strength":null,"#
                + #""active":false,"publisher":null,"mentor":null,"powers":[]}]"#)
    }

    // MARK: Which objects

    @Test func `a query says which objects and in which order`() throws {
        let query = Hero.all.sorted { $0.name.descending }.limit(1)
        #expect(try json(query, .omitted).hasPrefix(#"[{"id":11,"#))
        #expect(try json(Hero.where { $0.id == 99 }, .nested) == "[]")
    }

    @Test func `what is known by a reference only is no object of its own`() throws {
        try store.import(
            Hero.self, from: Data(#"{"id": 20, "name": "C", "mentor": 21, "powers": ["q"]}"#.utf8))
        #expect(try json(Hero.where { $0.id == 21 }, .nested) == "[]")
        let json = try json(Hero.where { $0.id == 20 }, .nested)
        #expect(json.contains(#""mentor":21,"powers":["q"]"#))
    }

    @Test func `objects are handed out one by one, each in a line`() throws {
        var lines: [String] = []
        try store.export(Hero.all, relationships: .identities) {
            lines.append(String(decoding: $0, as: UTF8.self))
        }
        #expect(lines.count == 2)
        #expect(lines.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") && !$0.contains("\n") })
        #expect("[" + lines.joined(separator: ",") + "]" == (try json(Hero.all, .identities)))
    }

    @Test func `what the body throws ends it`() throws {
        var count = 0
        #expect(throws: CancellationError.self) {
            try store.export(Hero.all) { _ in
                count += 1
                throw CancellationError()
            }
        }
        #expect(count == 1)
        // The store is not held by what was broken off.
        #expect(try store.count(Hero.all) == 2)
    }

    @Test func `one object, and those of a list or a relationship`() throws {
        let hero = try #require(try store.find(Hero.self, id: 11))
        let mentor = try #require(hero.mentor)
        let all = try JSONDocument(try store.json(Hero.all)).root
        #expect(try mentor.json() == all.elements?.first?.source)
        #expect(try JSONDocument(mentor.json(relationships: .omitted)).root.count == 5)
        let publisher = try #require(try store.find(Publisher.self, id: 1))
        #expect(try publisher.heroes.json() == store.json(Hero.all))
        #expect(
            try publisher.heroes.json(relationships: .identities)
                == store.json(Hero.all, relationships: .identities))
        let list = try store.import(
            Many<Hero>.self, from: Data(#"[{"id":11,"name":"B"},{"id":10,"name":"A"}]"#.utf8))
        let names = try JSONDocument(list.json()).root.elements?.map { $0["name"]?.string }
        #expect(names == ["B", "A"])
    }

    @Test func `an object by what identifies it, as the store has it`() throws {
        var hero = try #require(try store.find(Hero.self, id: 11))
        hero.name = "changed, but not saved"
        let query = Hero.where { $0.id == 11 }
        #expect(try Data("[".utf8) + store.json(of: hero) + Data("]".utf8) == store.json(query))
        let attributes = try store.json(of: hero, relationships: .omitted)
        #expect(
            attributes
                == Data(
                    (#"{"id":11,"name":"Bob","identity":{"real_name":null},"strength":null,"#
                        + #""active":false}"#).utf8))
        let store = store
        #expect(try store.write { try $0.json(of: hero, relationships: .omitted) } == attributes)
        hero.id = 99
        let missing = #expect(throws: StoreError.self) { try store.json(of: hero) }
        #expect(missing?.reason == .missingObject)
        try store.import(Card.self, from: Data(#"{"suit": "s", "value": "7"}"#.utf8))
        let card = try #require(try store.first(Card.all))
        #expect(
            try store.json(of: card) == Data(#"{"suit":"s","value":"7","times_played":null}"#.utf8))
        let library = try Library.fixture()
        let remark = Remark(text: "t", tags: [])
        let unidentified = #expect(throws: StoreError.self) { try library.store.json(of: remark) }
        #expect(unidentified?.reason == .missingObject)
    }

    @Test func `what was made in code is no JSON before it is saved`() throws {
        let publisher = One<Publisher>(id: 1)
        #expect(throws: StoreError.self) { try publisher.json() }
        #expect(throws: StoreError.self) { try Many<Publisher>().json() }
        #expect(throws: StoreError.self) { try Many<Publisher>(ids: [1]).json() }
        let power = Power(id: "p", name: "n", heroes: .unchanged)
        let saved = try store.save(power)
        #expect(try saved.json(relationships: .omitted) == Data(#"{"id":"p","name":"n"}"#.utf8))
        #expect(
            try store.save([power]).json() == Data(#"[{"id":"p","name":"n","heroes":[]}]"#.utf8))
    }

    @Test func `an object that has gone is an error`() throws {
        let hero = try #require(try store.find(Hero.self, id: 11))
        let link = try #require(hero.mentor)
        try store.delete(Hero.where { $0.id == 10 })
        let error = #expect(throws: StoreError.self) { try link.json() }
        #expect(error?.reason == .missingObject)
    }

    // MARK: Ways to call

    @Test func `transactions write what they have changed`() throws {
        let store = store
        let json = try store.write { context in
            try context.delete(Hero.where { $0.id == 10 })
            return try context.json(Hero.all, relationships: .identities)
        }
        #expect(try JSONDocument(json).root.count == 1)
        #expect(try JSONDocument(json).root.elements?.first?["mentor"]?.isNull == true)
    }

    @Test func `a snapshot is not to be used once it has ended`() throws {
        var kept: Snapshot?
        try store.read { kept = $0 }
        let snapshot = try #require(kept)
        let error = #expect(throws: StoreError.self) { try snapshot.json(Hero.all) }
        #expect(error?.reason == .closed)
    }

    @Test func `in the background and as a promise`() async throws {
        let json = try store.json(Publisher.all)
        let identities = try store.json(Publisher.all, relationships: .identities)
        #expect(try await store.read { try $0.json(Publisher.all) } == json)
        #expect(
            try await store.read { try $0.json(Publisher.all, relationships: .identities) }
                == identities)
        #expect(try await store.promise.read { try $0.json(Publisher.all) }.value == json)
    }

    @Test func `an entity that the store does not have is an error`() throws {
        let error = #expect(throws: StoreError.self) { try store.json(Tag.all) }
        #expect(error?.reason == .unknownEntity)
    }
}
