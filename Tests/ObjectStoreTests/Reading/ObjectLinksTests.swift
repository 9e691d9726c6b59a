import CLarderSQLite
import Foundation
import Testing

@testable import LarderObjectStore

/// Relationships of many objects, read together.
struct ObjectLinksTests {
    private let store: Store

    init() throws {
        store = try Comics.store()
        let heroes = (1...50).map { id in
            let mentor = id % 2 == 0 ? ", \"mentor\": 1" : ""
            return #"{"id": \#(id), "name": "\#(id)", "publisher": {"id": \#(id % 3), "name": "p"}"#
                + #", "powers": [{"id": "\#(id % 5)", "name": "a"}, "ref", {"id": "z", "name": "z"}]"#
                + mentor + "}"
        }
        try store.import(Many<Hero>.self, from: Data("[\(heroes.joined(separator: ","))]".utf8))
    }

    /// How many statements a body runs.
    private func statements(_ body: (Snapshot) throws -> Void) throws -> Int {
        final class Counter { var count = 0 }
        let counter = Counter()
        try store.read { snapshot in
            let context = Unmanaged.passUnretained(counter).toOpaque()
            sqlite3_trace_v2(
                snapshot.connection.pointer, UInt32(SQLITE_TRACE_STMT),
                { _, context, _, _ in
                    if let context {
                        Unmanaged<Counter>.fromOpaque(context).takeUnretainedValue().count += 1
                    }
                    return 0
                }, context)
            defer { sqlite3_trace_v2(snapshot.connection.pointer, 0, nil, nil) }
            try body(snapshot)
        }
        return withExtendedLifetime(counter) { counter.count }
    }

    @Test func `objects and what they are linked to cost a fixed number of statements`() throws {
        for limit in [1, 10, 50] {
            let count = try statements { snapshot in
                let found = try snapshot.fetch(
                    Hero.all.limit(limit), including: \.publisher, \.mentor, \.powers)
                #expect(found.count == limit)
            }
            // The objects, publishers, mentors, links of powers, powers; one hero has no mentor.
            #expect(count == (limit == 1 ? 4 : 5))
        }
    }

    @Test func `each object comes with its own`() throws {
        let found = try store.fetch(Hero.all, including: \.publisher, \.mentor, \.powers)
        for (hero, publisher, mentor, powers) in found {
            #expect(publisher?.id == hero.id % 3)
            #expect(mentor?.id == (hero.id % 2 == 0 ? 1 : nil))
            #expect(powers.map(\.id) == ["\(hero.id % 5)", "z"])
            let alone = try hero.powers.fetch().map(\.id)
            #expect(powers.map(\.id) == alone)
        }
    }

    @Test func `relationships alone`() throws {
        let heroes = try store.fetch(Hero.all)
        #expect(try statements { _ = try $0.fetch(heroes.map(\.publisher)) } == 1)
        #expect(try statements { _ = try $0.fetch(heroes.map(\.powers)) } == 2)
        let publishers = try store.fetch(heroes.compactMap(\.publisher))
        #expect(publishers.map { $0?.id } == heroes.map { $0.id % 3 })
        let owned = try store.fetch(try store.fetch(Publisher.all).map(\.heroes))
        #expect(owned.map(\.count) == [16, 17, 17])
        #expect(owned[0].map(\.id) == Array(stride(from: 3, through: 48, by: 3)))
        #expect(try store.fetch([One<Hero>]()).isEmpty)
        #expect(try store.fetch([Many<Hero>]()).isEmpty)
    }

    @Test func `lists that are no relationships are read as they are`() throws {
        let list = try store.import(Many<Hero>.self, from: Data("[3, 1]".utf8))
        let relationship = try store.fetch(Publisher.where { $0.id == 0 })[0].heroes
        let lists = try store.fetch([list, relationship, Many<Hero>()])
        #expect(lists.map(\.count) == [2, 16, 0])
        #expect(lists[0].map(\.id) == [3, 1])
    }

    @Test func `an object that is known by a reference only is nil`() throws {
        try store.import(Hero.self, from: Data(#"{"id": 90, "name": "x", "mentor": 91}"#.utf8))
        let hero = try #require(try store.first(Hero.where { $0.id == 90 }))
        #expect(try store.fetch([hero.mentor]).map { $0?.id } == [nil])
    }

    @Test func `an object that is gone is nil, and an error where it is asked for alone`() throws {
        let gone = One<Hero>(row: 1000, store: store)
        #expect(try store.fetch([gone]).map { $0?.id } == [nil])
        let error = #expect(throws: StoreError.self) { try gone.fetch() }
        #expect(error?.reason == .missingObject)
        #expect(error?.message == "an object of Hero is not in the store any more")
    }

    @Entity("Craft", abstract: true) struct Craft {
        @Identity var id: Int
        var name: String
    }

    @Entity("Car", parent: Craft.self) struct Car {
        @Inherited var id: Int
        @Inherited var name: String
        var doors: Int?
    }

    @Entity("Boat", parent: Craft.self) struct Boat {
        @Inherited var id: Int
        @Inherited var name: String
        var sails: Int?
    }

    @Test func `a link does not lead to another kind that has come in its place`() throws {
        let store = try Store.inMemory(entities: Craft.self, Car.self, Boat.self)
        let car = try store.save(Car(id: 1, name: "a", doors: 4))
        try store.delete(car)
        let boat = try store.save(Boat(id: 1, name: "b", sails: 2))
        #expect(throws: StoreError.self) { try car.fetch() }
        #expect(try car.find() == nil)
        #expect(try boat.fetch().name == "b")
    }
}
