import Foundation
import Testing

@testable import LarderObjectStore

/// Pages by the keys of their last object.
struct QueryCursorTests {
    private let store: Store

    init() throws {
        store = try Comics.store()
        let heroes = (0..<60).map { id in
            #"{"id": \#(id), "name": "\#(id % 4)", "strength": \#(id % 5 == 0 ? "null" : "\(id % 7)"),"#
                + #""publisher": \#(id % 3 == 0 ? "null" : #"{"id": \#(id % 3), "name": "p"}"#)}"#
        }
        try store.import(Many<Hero>.self, from: Data("[\(heroes.joined(separator: ","))]".utf8))
    }

    private func pages(_ query: Query<Hero>, size: Int) throws -> [[Int]] {
        var pages: [[Int]] = []
        var cursor: QueryCursor?
        repeat {
            let page = try store.page(query, size: size, after: cursor)
            pages.append(page.objects.map(\.id))
            // As it would come back from another run of the app.
            cursor = try page.next.map {
                try JSONDecoder().decode(QueryCursor.self, from: JSONEncoder().encode($0))
            }
        } while cursor != nil && pages.count < 100
        return pages
    }

    @Test func `pages are the query's objects cut in pieces, whatever the order`() throws {
        let keys: [(Hero.Columns) -> SortKey] = [
            { $0.strength.ascending }, { $0.strength.descending },
            { $0.strength.ascending.nullsLast },
            { $0.strength.descending.nullsFirst }, { $0.name.ascending }, { $0.name.descending },
            { $0.publisher.name.ascending }, { $0.publisher.name.descending.nullsFirst },
            { ($0.strength ?? 3).descending }, { $0.isActive.ascending },
        ]
        for (index, first) in keys.enumerated() {
            for second in keys[index...] + [{ $0.id.descending }] {
                let query = Hero.all.sorted(first).sorted(second)
                let all = try store.fetch(query).map(\.id)
                let pages = try pages(query, size: 7)
                #expect(pages.flatMap { $0 } == all)
                #expect(pages.dropLast().allSatisfy { $0.count == 7 })
            }
        }
    }

    @Test func `without an order`() throws {
        #expect(try pages(Hero.all, size: 25) == [Array(0..<25), Array(25..<50), Array(50..<60)])
        let query = Hero.where { $0.id > 10 }
        #expect(try pages(query, size: 100) == [Array(11..<60)])
    }

    @Test func `pages are what the query finds, whatever limit and offset it has`() throws {
        let sorted = Hero.all.sorted { $0.name.descending }
        for query in [Hero.all, sorted] {
            for cut in [
                query.offset(2), query.limit(3), query.limit(20).offset(5), query.limit(0),
                query.limit(6).offset(57), query.offset(70), query.limit(.max).offset(50),
            ] {
                for size in [1, 3, 10, 100] {
                    let pages = try pages(cut, size: size)
                    #expect(pages.flatMap { $0 } == (try store.fetch(cut).map(\.id)))
                    #expect(pages.dropLast().allSatisfy { $0.count == size })
                }
            }
        }
    }

    @Test func `a query that goes on behind a page has pages of its own`() throws {
        let cursor = try #require(try store.page(Hero.all, size: 10).next)
        let query = Hero.all.after(cursor).limit(5)
        let first = try store.page(query, size: 3)
        #expect(first.objects.map(\.id) == [10, 11, 12])
        let second = try store.page(query, size: 3, after: first.next)
        #expect(second.objects.map(\.id) == [13, 14])
        #expect(second.next == nil)
    }

    @Test func `the last page says so`() throws {
        #expect(try store.page(Hero.all, size: 60).next == nil)
        #expect(try store.page(Hero.all, size: 59).next != nil)
        #expect(try store.page(Hero.all, size: .max).objects.count == 60)
        #expect(try store.page(Hero.all.limit(5), size: 10).objects.count == 5)
        #expect(try store.page(Hero.where { $0.id < 0 }, size: 10).next == nil)
    }

    @Test func `what is inserted and deleted in between neither repeats nor hides others`() throws {
        let query = Hero.all.sorted { $0.name.ascending }
        let first = try store.page(query, size: 20)
        let rest = try store.fetch(query).map(\.id).dropFirst(20)
        try store.import(Hero.self, from: Data(#"{"id": 100, "name": "-"}"#.utf8))
        try store.import(Hero.self, from: Data(#"{"id": 101, "name": "9"}"#.utf8))
        let second = try store.page(query, size: 100, after: first.next)
        #expect(second.objects.map(\.id) == rest + [101])
    }

    @Test func `a cursor goes with all that a query is asked for`() throws {
        let query = Hero.all.sorted { $0.id.descending }
        let cursor = try #require(try store.page(query, size: 50).next)
        #expect(try store.fetch(query.after(cursor)).map(\.id) == Array((0..<10).reversed()))
        #expect(try store.count(query.after(cursor)) == 10)
        #expect(try store.contains(query.after(cursor)))
        #expect(try store.value(query.after(cursor)) { $0.id.max } == 9)
        #expect(try store.select(query.after(cursor).limit(1)) { $0.id } == [9])
        #expect(try store.fetch(query.after(cursor).where { $0.id < 2 }).map(\.id) == [1, 0])
        #expect(try store.count(query.after(nil)) == 60)
    }

    @Test func `a cursor of another order is an error`() throws {
        let cursor = try #require(
            try store.page(Hero.all.sorted { $0.name.ascending }, size: 5).next)
        for other in [
            Hero.all, Hero.all.sorted { $0.name.descending }, Hero.all.sorted { $0.id.ascending },
            Hero.all.sorted { [$0.name.ascending, $0.id.ascending] },
        ] {
            let error = #expect(throws: StoreError.self) {
                try store.page(other, size: 5, after: cursor)
            }
            #expect(error?.message == "the cursor was made by a query with another order")
        }
    }

    private func isRefused(
        _ query: Query<Hero>, after cursor: QueryCursor?,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) {
            try store.page(query, size: 5, after: cursor)
        }
        #expect(
            error?.message == "the cursor was made by a query with another order",
            sourceLocation: sourceLocation)
    }

    @Test func `a value of the order is a part of it`() throws {
        func near(_ here: Double) -> Query<Hero> {
            Hero.all.sorted { (($0.strength ?? 0) - here).ascending }
        }
        func named(_ name: String) -> Query<Hero> {
            Hero.all.sorted { ($0.publisher.name ?? name).ascending }
        }
        func busy(_ names: [String]) -> Query<Hero> {
            Hero.all.sorted { $0.powers.count(where: { $0.name.isIn(names) }).descending }
        }
        let orders: [[Query<Hero>]] = [
            [near(0), near(4)], [named("a"), named("zz"), named("")],
            [busy([]), busy(["a"]), busy(["a", "b"]), busy(["b", "a"])],
        ]
        for queries in orders {
            for (index, query) in queries.enumerated() {
                let cursor = try #require(try store.page(query, size: 5).next)
                for (other, next) in queries.enumerated() where other != index {
                    isRefused(next, after: cursor)
                }
                #expect(try pages(query, size: 7).flatMap { $0 } == store.fetch(query).map(\.id))
            }
        }
    }

    @Test func `relevance goes with the text that is searched for`() throws {
        let store = try Store.inMemory(model: Model(entities: Magazine.types))
        try store.insert("Article", Magazine.articles)
        func found(_ text: String) -> Query<Article> {
            Article.matching(text).sortedByRelevance()
        }
        let cursor = try #require(try store.page(found("crash"), size: 1).next)
        #expect(try store.page(found("crash"), size: 1, after: cursor).objects.count == 1)
        for other in [
            found("search"), found("crash search"), Article.all.sorted { $0.id.ascending },
        ] {
            let error = #expect(throws: StoreError.self) {
                try store.page(other, size: 1, after: cursor)
            }
            #expect(error?.message == "the cursor was made by a query with another order")
        }
        // Where nothing is sorted by it, the text is a condition like others.
        let plain = try #require(try store.page(Article.matching("crash"), size: 1).next)
        #expect(
            try store.page(Article.matching("search"), size: 1, after: plain).objects.count == 1)
    }

    @Test func `an order of many keys has pages as one of few`() throws {
        let query = (0..<60).reduce(Hero.all) { query, key in
            query.sorted { ($0.id % 3 - key).descending }
        }.sorted { [$0.strength.descending, $0.name.ascending] }
        #expect(try pages(query, size: 9).flatMap { $0 } == store.fetch(query).map(\.id))
    }

    @Test func `a cursor keeps every kind of value`() throws {
        let values: [SQLValue] = [
            .null, .integer(.min), .real(-.infinity), .real(0.1), .text("\u{0}'\"é"),
            .blob([0, 255]),
        ]
        let cursor = QueryCursor(
            values: values, row: -5, in: Hero.all.description, count: 7)
        let data = try JSONEncoder().encode(cursor)
        #expect(try JSONDecoder().decode(QueryCursor.self, from: data) == cursor)
        for text in [
            "{}", "[1]", "[1,2,3,[\"other\"]]", "[1,2,3,[\"integer\"]]", "[1,2,3,5]", "[1,2,-1]",
        ] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(QueryCursor.self, from: Data(text.utf8))
            }
        }
    }

    @Test func `its SQL compares keys instead of counting rows`() throws {
        let query = Hero.all.sorted { $0.name.descending }
        let cursor = QueryCursor(
            values: [.text("b")], row: 7, in: query.description, count: 1)
        #expect(
            try query.after(cursor).conditionSQL(for: store)
                == """
                ((t0."name" < 'b') OR (t0."name" IS NULL) OR ((t0."name" IS 'b') AND (t0."id" > 7)))
                """)
    }

    @Test(arguments: [0, -1, Int.min])
    func `a page has one object at least`(_ size: Int) throws {
        #expect(try pages(Hero.all.limit(3), size: size) == [[0], [1], [2]])
        #expect(try pages(Hero.all.limit(0), size: size) == [[]])
    }
}
