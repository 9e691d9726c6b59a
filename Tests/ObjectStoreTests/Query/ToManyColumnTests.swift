import Foundation
import Testing

@testable import LarderObjectStore

/// Conditions on the objects of to-many relationships.
struct ToManyColumnTests {
    private let store: Store

    init() throws {
        store = try Comics.store()
        try store.import(
            Many<Hero>.self,
            from: Data(
                """
                [{"id": 1, "name": "A", "strength": 5, "publisher": {"id": 10, "name": "P"},
                  "mentor": 2, "powers": [{"id": "x", "name": "X"}, {"id": "y", "name": "Y"}]},
                 {"id": 2, "name": "B", "publisher": {"id": 11, "name": "Q"}, "powers": ["y"]},
                 {"id": 3, "name": "C", "strength": 2.5, "publisher": 10, "mentor": 1,
                  "powers": [{"id": "c", "name": "C"}]},
                 {"id": 4, "name": "D", "powers": ["later"]},
                 {"id": 5, "name": "E", "publisher": {"id": 12, "name": "R"}}]
                """.utf8))
    }

    private func ids(_ condition: (Hero.Columns) -> Condition) throws -> [Int] {
        try store.fetch(Hero.where(condition)).map(\.id)
    }

    private func publishers(_ condition: (Publisher.Columns) -> Condition) throws -> [Int] {
        try store.fetch(Publisher.where(condition)).map(\.id)
    }

    @Test func `contains over a table of links`() throws {
        #expect(
            try Hero.where { $0.powers.contains { $0.name == "X" } }.conditionSQL(for: store)
                == """
                EXISTS (SELECT 1 FROM "Hero.powers" AS lt1 JOIN "Power" AS t1 ON t1."$id" = \
                lt1.target WHERE lt1.source = t0."id" AND t1."$reference" IS NULL AND (t1."name" = 'X'))
                """)
        #expect(try ids { $0.powers.contains { $0.name == "X" } } == [1])
        #expect(try ids { $0.powers.contains { $0.name == "Y" } } == [1, 2])
        #expect(try ids { !$0.powers.contains { $0.name == "Y" } } == [3, 4, 5])
    }

    @Test func `contains over the other side's column`() throws {
        #expect(
            try Publisher.where { $0.heroes.contains { $0.strength > 4 } }.conditionSQL(for: store)
                == """
                EXISTS (SELECT 1 FROM "Hero" AS t1 WHERE t1."publisher" = t0."id" \
                AND t1."$reference" IS NULL AND (t1."strength" > 4.0))
                """)
        #expect(try publishers { $0.heroes.contains { $0.strength > 4 } } == [10])
        #expect(try publishers { $0.heroes.contains { $0.name != "" } } == [10, 11, 12])
    }

    @Test func `all satisfy, also where there are none`() throws {
        #expect(try ids { $0.powers.allSatisfy { $0.name == "Y" } } == [2, 4, 5])
        #expect(try publishers { $0.heroes.allSatisfy { $0.strength > 1 } } == [10])
    }

    @Test func `counts with a condition`() throws {
        #expect(try ids { $0.powers.count { $0.name > "X" } == 1 } == [1, 2])
        #expect(try publishers { $0.heroes.count { $0.strength > 1 } == 2 } == [10])
        #expect(try publishers { $0.heroes.count { $0.strength > 1 } == 0 } == [11, 12])
    }

    @Test func `smallest, largest and sum`() throws {
        #expect(try publishers { $0.heroes.max { $0.strength } == 5 } == [10])
        #expect(try publishers { $0.heroes.min { $0.strength } == 2.5 } == [10])
        #expect(try publishers { $0.heroes.min { $0.strength }.isNil } == [11, 12])
        #expect(try publishers { $0.heroes.max { $0.name } > "C" } == [12])
        #expect(try publishers { $0.heroes.sum { $0.strength } == 7.5 } == [10])
        #expect(try publishers { $0.heroes.sum { $0.strength } == 0 } == [11, 12])
    }

    @Test func `through a to-one relationship on either side`() throws {
        #expect(try ids { $0.mentor.powers.contains { $0.name == "X" } } == [3])
        #expect(try ids { $0.publisher.heroes.contains { $0.id == 3 } } == [1, 3])
        #expect(try publishers { $0.heroes.contains { $0.mentor.name == "A" } } == [10])
        #expect(
            try publishers { $0.heroes.contains { $0.mentor.publisher.name == "Q" } } == [10])
    }

    @Test func `conditions inside each other name the columns of both`() throws {
        // Who shares a power with a hero of another name?
        #expect(
            try ids { hero in
                hero.powers.contains { power in
                    power.heroes.contains { $0.name != hero.name }
                }
            } == [1, 2])
        // Two different powers of one hero.
        #expect(
            try ids { hero in
                hero.powers.contains { one in
                    hero.powers.contains { other in one.name < other.name }
                }
            } == [1])
        // A power of the hero's own name.
        #expect(try ids { hero in hero.powers.contains { $0.name == hero.name } } == [3])
        // A to-one relationship of the outer object that only the inner condition names.
        #expect(
            try ids { hero in hero.powers.contains { _ in hero.publisher.name == "P" } } == [1, 3])
        #expect(
            try ids { hero in
                hero.powers.contains { _ in hero.publisher.name == "P" }
                    && hero.publisher.name == "P"
            } == [1, 3])
    }

    @Test func `contains an object`() throws {
        let hero = try #require(try store.fetch(Hero.where { $0.id == 3 })[0].mentor)
        #expect(try publishers { $0.heroes.contains(hero) } == [10])
        #expect(try store.fetch(Power.where { $0.heroes.contains(hero) }).map(\.id) == ["x", "y"])
    }

    @Test func `to-one relationships are compared with each other`() throws {
        #expect(try ids { $0.publisher == $0.mentor.publisher } == [3, 4])
        #expect(try ids { $0.publisher.isNil } == [4])
        #expect(try ids { !$0.publisher.isNil } == [1, 2, 3, 5])
        let hero = try store.fetch(Hero.where { $0.id == 1 })[0]
        #expect(try ids { $0.publisher.isIn([hero.publisher].compactMap { $0 }) } == [1, 3])
    }

    @Test func `a column outside of its condition is an error`() throws {
        var escaped: Column<String>?
        _ = Hero.where {
            $0.powers.contains {
                escaped = $0.name; return $0.name == ""
            }
        }
        let column = try #require(escaped)
        let error = #expect(throws: StoreError.self) {
            try store.fetch(Hero.where { _ in column == "X" })
        }
        #expect(error?.message.contains("outside of the condition") == true)
    }
}
