import Foundation
import Testing

@testable import LarderObjectStore

/// Sorting, limits, paging and counting.
struct QueryTests {
    private static func store(_ count: Int = 10) throws -> Store {
        let store = try Comics.store()
        let heroes = (0..<count).reversed().map {
            #"{"id": \#($0), "name": "\#($0 % 3)", "strength": \#($0 % 2 == 0 ? "null" : String($0))}"#
        }
        try store.import(Many<Hero>.self, from: Data("[\(heroes.joined(separator: ","))]".utf8))
        return store
    }

    @Test func `without an order objects come by their row`() throws {
        let store = try Self.store()
        #expect(try store.fetch(Hero.all).map(\.id) == Array(0..<10))
    }

    @Test func `sorts by several keys, the row last`() throws {
        let store = try Self.store()
        let query = Hero.all.sorted { $0.name.descending }.sorted { $0.id.ascending }
        #expect(try store.fetch(query).map(\.id) == [2, 5, 8, 1, 4, 7, 0, 3, 6, 9])
        #expect(
            try query.compiled(for: store).sql.hasSuffix(
                #"ORDER BY t0."name" DESC, t0."id", t0."id""#))
        #expect(
            try store.fetch(Hero.all.sorted { $0.name.ascending }).map(\.id)
                == [0, 3, 6, 9, 1, 4, 7, 2, 5, 8])
    }

    @Test func `empty values stand where they are asked to`() throws {
        let store = try Self.store(4)
        let last = Hero.all.sorted { $0.strength.ascending.nullsLast }
        #expect(try store.fetch(last).map(\.id) == [1, 3, 0, 2])
        #expect(try last.compiled(for: store).sql.contains(#"ORDER BY t0."strength" NULLS LAST, "#))
        let first = Hero.all.sorted { $0.strength.descending.nullsFirst }
        #expect(try store.fetch(first).map(\.id) == [0, 2, 3, 1])
        let same = Hero.all.sorted { $0.strength.ascending.nullsFirst }
        #expect(try !same.compiled(for: store).sql.contains("NULLS"))
    }

    @Test func `empty values come first ascending and last descending`() throws {
        let store = try Self.store(4)
        #expect(
            try store.fetch(Hero.all.sorted { $0.strength.ascending }).map(\.id) == [0, 2, 1, 3])
        #expect(
            try store.fetch(Hero.all.sorted { $0.strength.descending }).map(\.id) == [3, 1, 0, 2])
    }

    @Test func `limits and offsets`() throws {
        let store = try Self.store()
        func ids(_ query: Query<Hero>) throws -> [Int] { try store.fetch(query).map(\.id) }
        #expect(try ids(Hero.all.limit(3)) == [0, 1, 2])
        #expect(try ids(Hero.all.limit(3).offset(8)) == [8, 9])
        #expect(try ids(Hero.all.offset(8)) == [8, 9])
        #expect(try ids(Hero.all.offset(100)) == [])
        #expect(try ids(Hero.all.limit(0)) == [])
        #expect(try ids(Hero.all.limit(-5)) == [])
        #expect(try ids(Hero.all.offset(-5).limit(1)) == [0])
        #expect(try ids(Hero.all.limit(.max).offset(9)) == [9])
        #expect(try ids(Hero.all.limit(5).limit(2)) == [0, 1])
    }

    @Test func `pages of equal keys neither overlap nor leave gaps`() throws {
        let store = try Self.store(100)
        let query = Hero.all.sorted { $0.isActive.ascending }
        let pages = try (0..<15).map { try store.fetch(query.limit(7).offset($0 * 7)).map(\.id) }
        #expect(pages.flatMap { $0 } == Array(0..<100))
    }

    @Test func `counts what it would find`() throws {
        let store = try Self.store()
        #expect(try store.count(Hero.all) == 10)
        #expect(try store.count(Hero.where { $0.name == "0" }) == 4)
        #expect(try store.count(Hero.all.sorted { $0.name.ascending }) == 10)
        #expect(try store.count(Hero.all.limit(3)) == 3)
        #expect(try store.count(Hero.all.limit(30).offset(8)) == 2)
        #expect(try store.count(Hero.all.limit(0)) == 0)
        #expect(try store.count(Hero.where { $0.name == "0" }.offset(1)) == 3)
    }

    @Test func `first is the first within the limit`() throws {
        let store = try Self.store()
        #expect(try store.first(Hero.all.sorted { $0.id.descending })?.id == 9)
        #expect(try store.first(Hero.all.offset(3))?.id == 3)
        #expect(try store.first(Hero.where { $0.id == 99 })?.id == nil)
        #expect(try store.first(Hero.all.limit(0))?.id == nil)
        #expect(try store.first(Hero.all.limit(5))?.id == 0)
    }

    @Test func `conditions add up`() throws {
        let store = try Self.store()
        let base = Hero.where { $0.name == "0" }
        #expect(try store.fetch(base.where { $0.id > 3 }).map(\.id) == [6, 9])
        #expect(try store.fetch(base).map(\.id) == [0, 3, 6, 9])
        #expect(try store.fetch(base.where { $0.id > 3 || $0.id == 0 }).map(\.id) == [0, 6, 9])
    }
}

/// What a query says of itself.
struct QueryDescriptionTests {
    private static let secret = "hunter2"

    @Test func `conditions are shown without their values`() {
        let query = Hero.where { $0.name == Self.secret && $0.strength > 1 }
            .where { $0.id.isIn([1, 2]) || $0.name.contains(Self.secret) }
            .where { !$0.realName.isNil }
        #expect(
            "\(query)"
                == "Hero where ((name = ?) AND (strength > ?)"
                + " AND ((id IN (2 values)) OR (instr(name, ?) > ?)) AND NOT (realName IS NULL))")
        #expect(!String(reflecting: query).contains(Self.secret))
    }

    @Test func `relationships are shown with dots`() {
        let query = Hero.where {
            $0.mentor.publisher.name == "x" && $0.powers.contains { $0.name == "y" }
                && $0.powers.count > 2
        }
        #expect(
            "\(query)"
                == "Hero where ((mentor.publisher.name = ?) AND exists(powers where"
                + " (powers.name = ?)) AND (count(powers) > ?))")
    }

    @Test func `order, page and search follow`() {
        let query = Hero.all.sorted { [$0.name.ascending, $0.strength.descending.nullsFirst] }
            .limit(3).offset(4).distinct()
        #expect(
            "\(query)"
                == "distinct Hero sorted by name, strength descending nulls first limit 3 offset 4")
        #expect("\(Article.matching(Self.secret))" == "Article matching ?")
        #expect(
            "\(Article.where { $0.title.matches(Self.secret) })" == "Article where title MATCHES ?")
        #expect(
            "\(Article.matching("a").sortedByRelevance())"
                == "Article matching ? sorted by relevance")
    }

    @Test func `records are asked alike`() {
        let query = DynamicQuery("Hero").where("strength > 1").where("name", is: Self.secret)
            .matching(Self.secret).sorted("-name").limit(2).offset(1)
        #expect(
            "\(query)"
                == "Hero matching ? where (strength > 1) AND (name IS ?) sorted by -name limit 2 offset 1"
        )
    }
}
