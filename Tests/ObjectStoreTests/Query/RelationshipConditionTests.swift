import Foundation
import Testing

@testable import LarderObjectStore

/// Conditions and sorts through to-one relationships and over to-many ones.
struct RelationshipConditionTests {
    private let store: Store

    init() throws {
        store = try Comics.store()
        try store.import(
            Many<Hero>.self,
            from: Data(
                """
                [{"id": 1, "name": "A", "publisher": {"id": 10, "name": "P"}, "mentor": 2,
                  "powers": [{"id": "x", "name": "X"}, {"id": "y", "name": "Y"}]},
                 {"id": 2, "name": "B", "publisher": {"id": 11, "name": "Q"}, "mentor": 3,
                  "powers": ["y"]},
                 {"id": 3, "name": "C", "publisher": 10, "mentor": 4},
                 {"id": 4, "name": "D"},
                 {"id": 5, "name": "E", "publisher": 99, "mentor": 98}]
                """.utf8))
    }

    private func ids(_ query: Query<Hero>) throws -> [Int] { try store.fetch(query).map(\.id) }

    @Test func `one step`() throws {
        let query = Hero.where { $0.publisher.name == "P" }
        #expect(
            try query.compiled(for: store).sql
                == """
                SELECT t0."id" FROM "Hero" AS t0 LEFT JOIN "Publisher" AS t1 \
                ON t1."id" = t0."publisher" WHERE t0."$reference" IS NULL AND (t1."name" = ?1) \
                ORDER BY t0."id"
                """)
        #expect(try ids(query) == [1, 3])
    }

    @Test func `several steps join each table once`() throws {
        let query = Hero.where {
            $0.mentor.mentor.publisher.name == "P" && $0.mentor.mentor.id == 3
                && $0.mentor.name != "x"
        }
        let sql = try query.compiled(for: store).sql
        #expect(sql.components(separatedBy: "LEFT JOIN").count == 4)
        #expect(try ids(query) == [1])
        #expect(try ids(Hero.where { $0.mentor.mentor.mentor.name == "D" }) == [1])
    }

    @Test func `an empty step has no values`() throws {
        #expect(try ids(Hero.where { $0.publisher.name == "Q" }) == [2])
        #expect(try ids(Hero.where { $0.publisher.name != "P" }) == [2, 4, 5])
        #expect(try ids(Hero.where { !($0.publisher.name == "P") }) == [2, 4, 5])
        #expect(try ids(Hero.where { $0.publisher.founded == nil }) == [1, 2, 3, 4, 5])
    }

    @Test func `columns beyond a relationship have the operators that they have before it`() throws
    {
        #expect(try ids(Hero.where { $0.publisher.id.isIn([10, 99]) }) == [1, 3, 5])
        #expect(try ids(Hero.where { $0.publisher.id.isIn([11, nil]) }) == [2, 4])
        #expect(try ids(Hero.where { $0.publisher.id.isIn(11...) }) == [2, 5])
        #expect(try ids(Hero.where { $0.publisher.id.isIn(...11) }) == [1, 2, 3])
        #expect(try ids(Hero.where { $0.publisher.id.isIn(..<11) }) == [1, 3])
        #expect(try ids(Hero.where { $0.publisher.id.isIn(10...11) }) == [1, 2, 3])
        #expect(
            try ids(Hero.where { $0.publisher.name.hasPrefix("p", ignoringCase: true) }) == [1, 3])
        #expect(try ids(Hero.where { $0.publisher.name.lowercased() == "q" }) == [2])
        #expect(try ids(Hero.where { $0.publisher.name.length == nil }) == [4, 5])
        #expect(try ids(Hero.where { $0.publisher.founded.year == nil }) == [1, 2, 3, 4, 5])
        #expect(try ids(Hero.where { $0.publisher.id + 1 > 11 }) == [2, 5])
        #expect(try ids(Hero.where { $0.publisher.id - $0.id.optional == 9 }) == [1, 2])
        #expect(try ids(Hero.where { $0.publisher.name < $0.name }) == [])
        #expect(try ids(Hero.where { $0.name < $0.publisher.name }) == [1, 2, 3])
        #expect(try ids(Hero.where { $0.name == $0.mentor.name }) == [])
        let name: String? = nil
        #expect(try ids(Hero.where { $0.publisher.name == name }) == [4, 5])
    }

    @Test func `conditions and columns that an extension names are reached too`() throws {
        #expect(try ids(Hero.where { $0.publisher.isFirst }) == [1, 3])
        #expect(try ids(Hero.where { !$0.publisher.isFirst }) == [2, 4, 5])
        #expect(try ids(Hero.where { $0.publisher.label == "q" }) == [2])
    }

    @Test func `sums leave out what a relationship leads to and is empty`() throws {
        func publishers(_ condition: (Publisher.Columns) -> Condition) throws -> [Int] {
            try store.fetch(Publisher.where(condition)).map(\.id)
        }
        #expect(try publishers { $0.heroes.sum { $0.mentor.id } == 6 } == [10])
        #expect(
            try store.select(Publisher.all) { $0.heroes.sum { $0.mentor.publisher.id } } == [
                11, 10,
            ])
    }

    @Test func `a relationship is compared with an object`() throws {
        let publisher = try #require(try store.fetch(Hero.where { $0.id == 1 })[0].publisher)
        #expect(try ids(Hero.where { $0.publisher == publisher }) == [1, 3])
        #expect(try ids(Hero.where { $0.publisher != publisher }) == [2, 4, 5])
        #expect(try ids(Hero.where { $0.publisher == nil }) == [4])
        #expect(try ids(Hero.where { $0.publisher != nil }) == [1, 2, 3, 5])
        #expect(try ids(Hero.where { $0.mentor.publisher == publisher }) == [2])
        #expect(try ids(Hero.where { $0.mentor.publisher == nil }) == [3, 4, 5])
    }

    @Test func `a relationship is compared with another one`() throws {
        try store.import(Hero.self, from: Data(#"{"id": 5, "mentor": 5, "name": "E"}"#.utf8))
        #expect(try ids(Hero.where { $0.mentor == $0.mentor.mentor }) == [4, 5])
        #expect(try ids(Hero.where { $0.mentor != $0.mentor.mentor }) == [1, 2, 3])
    }

    @Test func `a relationship leads to one of many objects, stored or made in code`() throws {
        let mentor = try #require(try store.fetch(Hero.where { $0.id == 1 })[0].mentor)
        #expect(
            try ids(Hero.where { $0.mentor.isIn([mentor, One(id: 4), One(id: 77)]) }) == [1, 3])
        #expect(try ids(Hero.where { $0.mentor.isIn([One(id: 3)]) }) == [2])
        #expect(try ids(Hero.where { $0.mentor.isIn([]) }) == [])
    }

    @Test func `an identity of another number or type of values is an error, as where it is found`()
        throws
    {
        for one in [One<Hero>(id: 3, 4), One(id: "3"), One(id: 3.0)] {
            for query in [
                Hero.where { $0.mentor == one }, Hero.where { $0.mentor != one },
                Hero.where { $0.mentor.isIn([one]) },
            ] {
                let error = #expect(throws: StoreError.self) { try store.fetch(query) }
                #expect(error?.reason == .unexpectedValue)
            }
        }
        #expect(try ids(Hero.where { $0.mentor == One(id: Int?.none) }) == [])
        #expect("\(Hero.where { $0.mentor == One(id: 3) })" == "Hero where (mentor IS ?)")
    }

    @Test func `counts links`() throws {
        #expect(try ids(Hero.where { $0.powers.count == 2 }) == [1])
        #expect(try ids(Hero.where { $0.powers.isEmpty }) == [3, 4, 5])
        #expect(try ids(Hero.where { !$0.powers.isEmpty }) == [1, 2])
        #expect(try ids(Hero.where { $0.publisher.heroes.count >= 2 }) == [1, 3])
        #expect(try ids(Hero.where { $0.mentor.powers.count == 1 }) == [1])
        #expect(
            try store.fetch(Power.where { $0.heroes.count > 1 }).map(\.id) == ["y"])
        #expect(
            try Hero.where { $0.powers.count > 1 }.compiled(for: store).sql.contains(
                #"((SELECT count(*) FROM "Hero.powers" AS l WHERE l.source = t0."id") > ?1)"#))
    }

    @Test func `sorts through relationships and by counts`() throws {
        #expect(try ids(Hero.all.sorted { $0.powers.count.descending }) == [1, 2, 3, 4, 5])
        #expect(
            try ids(Hero.all.sorted { $0.publisher.name.descending }.sorted { $0.id.descending })
                == [2, 3, 1, 5, 4])
        #expect(
            try store.fetch(Publisher.all.sorted { $0.heroes.count.ascending }).map(\.id)
                == [11, 10])
    }

    @Test func `a relationship that is not in the model is an error`() throws {
        let path = ColumnPath().appending("rival")
        let error = #expect(throws: StoreError.self) {
            try store.fetch(Hero.where { _ in Column<String>(path, "name") == "A" })
        }
        #expect(error?.reason == .unknownEntity)
        #expect(error?.message.contains("rival") == true)
        #expect(throws: StoreError.self) {
            try store.fetch(Hero.where { _ in ToManyColumn<Hero>(ColumnPath(), "rivals").isEmpty })
        }
        #expect(throws: StoreError.self) {
            try store.fetch(Hero.where { _ in Column<String>(ColumnPath(), "title") == "title" })
        }
    }
}

extension Publisher.Columns {
    fileprivate var isFirst: Condition { id == 10 }
    fileprivate var label: Column<String> { name.lowercased() }
}
