import Foundation
import Testing

@testable import LarderObjectStore

/// Searching objects by the words in them.
struct QuerySearchTests {
    private let fixture: StoreFixture
    private var store: Store { fixture.store }

    init() throws { fixture = try Magazine.fixture() }

    private func found(_ query: Query<Article>) throws -> [Int] {
        try Magazine.found(query, in: store)
    }

    @Test(arguments: [
        ("crash", [1, 2]), ("CRASH launch", [1]), ("launch cafe", [1]), ("café", [1]),
        ("cra", []), ("crash nowhere", []), ("worter", [3]), ("🦸", [3]), ("foo-bar", [4]),
        ("bar-foo", [4]), ("foo bar", [4]), ("search", [2]),
    ])
    func `all words must be in the attributes together`(_ text: String, _ ids: [Int]) throws {
        #expect(try found(Article.matching(text)) == ids)
        #expect(try store.count(Article.matching(text)) == ids.count)
        #expect(try store.contains(Article.matching(text)) == !ids.isEmpty)
    }

    @Test func `words may be the beginnings of words`() throws {
        #expect(try found(Article.matching("cra lau", by: .prefixes)) == [1])
        #expect(try found(Article.matching("cra lau", by: .lastPrefix)) == [])
        #expect(try found(Article.matching("crash lau", by: .lastPrefix)) == [1])
        #expect(try found(Article.matching("foo-b", by: .lastPrefix)) == [4])
        #expect(try found(Article.matching("s", by: .lastPrefix)) == [2])
    }

    @Test(arguments: [
        "\"", "\"\"", "'", "crash\"", "AND", "NOT crash", "crash OR", "NEAR(crash, 2)",
        "title:crash",
        "{title}: crash", "-crash", "^crash", "crash*", "*", "(", ")", "a + b", "crash\\",
        "c0:crash",
        "\u{0}crash", "cra\u{0}sh", "%", "; DROP TABLE Article", "🦸‍♀️ \"🦸\"", "\u{F8FE}", "\r\n\t",
        "e\u{301}", "\"\u{301}", "a\"\u{200D} OR b", "ﷺ", "\u{202E}x", "漢字", "--", "/*", "[crash]",
        "?1", ":crash", "NULL",
        String(repeating: "crash ", count: 2_000), String(repeating: "\"", count: 999),
        String(repeating: "x", count: 100_000),
    ])
    func `nothing in a text is taken for an operator`(_ text: String) throws {
        for matching in [WordMatching.wholeWords, .prefixes, .lastPrefix] {
            let all = try found(Article.matching(text, by: matching))
            let each = try found(Article.where { $0.title.matches(text, by: matching) })
            #expect(Set(each).isSubset(of: all))
            let hits = try store.hits(Article.matching(text, by: matching))
            #expect(hits.map(\.object.id) == all)
        }
    }

    @Test func `operators are words like others`() throws {
        #expect(try found(Article.matching("crash OR search")) == [])
        #expect(try found(Article.matching("crash -launch")) == [1])
        #expect(try found(Article.matching("title:crash")) == [])
        #expect(try found(Article.matching("crash*")) == [1, 2])
        #expect(try found(Article.matching("\u{0}crash\u{0}launch")) == [1])
    }

    @Test func `empty text leaves the query as it is, text without words finds nothing`() throws {
        for text in ["", "  ", "\n", "\u{0}"] {
            #expect(try found(Article.matching(text)) == [1, 2, 3, 4])
            #expect(try found(Article.where { $0.title.matches(text) }) == [1, 2, 3, 4])
        }
        for text in ["--", "!", "\" \""] {
            #expect(try found(Article.matching(text)) == [])
            #expect(try found(Article.where { !$0.title.matches(text) }) == [1, 2, 3, 4])
        }
        #expect(try found(Article.matching("crash --")) == [1, 2])
    }

    @Test func `the best come first`() throws {
        let query = Article.matching("crash").sortedByRelevance()
        #expect(try found(query) == [2, 1])
        #expect(try found(query.limit(1)) == [2])
        #expect(try found(query.offset(1)) == [1])
        #expect(try found(Article.all.sortedByRelevance()) == [1, 2, 3, 4])
        #expect(try found(Article.matching("").sortedByRelevance()) == [1, 2, 3, 4])
        #expect(
            try found(Article.matching("crash").sorted { $0.title.ascending }.sortedByRelevance())
                == [1, 2])
    }

    @Test func `pages go on by relevance`() throws {
        let more = (10..<40).map {
            #"{"id": \#($0), "title": "\#(String(repeating: "crash ", count: $0 % 7 + 1))x"}"#
        }
        try fixture.insert("Article", "[\(more.joined(separator: ","))]")
        let query = Article.matching("crash").sortedByRelevance()
        let all = try found(query)
        #expect(all.count == 32)
        var paged: [Int] = []
        var page = try store.page(query, size: 5)
        paged += page.objects.map(\.id)
        while let next = page.next {
            page = try store.page(query, size: 5, after: next)
            paged += page.objects.map(\.id)
        }
        #expect(paged == all)
    }

    @Test func `it goes with other conditions, values, groups and writing`() throws {
        let query = Article.matching("crash").where { $0.stars > 3 }
        #expect(try found(query) == [2])
        #expect(
            try found(Article.where { $0.columnist.name == "Ann Lee" }.matching("crash")) == [1])
        #expect(try found(Article.matching("crash").matching("launch")) == [1])
        #expect(try store.value(Article.matching("crash")) { $0.stars.max } == 5)
        #expect(try store.value(Article.matching("crash").limit(1)) { $0.stars.sum } == 3)
        #expect(
            try store.select(Article.matching("crash"), \.title) == [
                "Crash on launch", "Slow search",
            ])
        let groups = try store.select(Article.matching("crash"), groupedBy: { $0.columnist.name }) {
            $0.id.count
        }
        #expect(groups.map(\.0) == ["Ann Lee", "Bob"])
        let updated = try store.write {
            try $0.update(Article.matching("crash")) { $0.stars.set(0) }
        }
        #expect(updated == 2)
        #expect(try store.write { try $0.delete(Article.matching("crash")) } == 2)
        #expect(try found(Article.all) == [3, 4])
        try store.checkSearch("Article")
    }

    @Test func `entities that are known by name only`() throws {
        let query = DynamicQuery("Article").matching("crash").sortedByRelevance()
        func ids(_ query: DynamicQuery) throws -> [Int] {
            try store.fetch(query).map { try $0.value("id", as: Int.self) }
        }
        #expect(try ids(query) == [2, 1])
        #expect(try ids(query.limit(1)) == [2])
        #expect(try ids(query.where("stars < 4")) == [1])
        #expect(try ids(DynamicQuery("Article").matching("crash").sorted("id")) == [1, 2])
        #expect(
            try ids(DynamicQuery("Article").matching("cra", by: .prefixes).matching("slow")) == [2])
        #expect(try store.write { try $0.delete(query) } == 2)
        try store.checkSearch("Article")
    }

    // MARK: Attributes

    @Test func `one attribute alone`() throws {
        #expect(try found(Article.where { $0.title.matches("crash") }) == [1])
        #expect(try found(Article.where { $0.text.matches("crash") }) == [2])
        #expect(try found(Article.where { $0.title.matches("crash") || $0.stars == 1 }) == [1, 3])
        #expect(try found(Article.where { !$0.text.matches("crash") }) == [1, 3, 4])
        #expect(
            try found(Article.where { $0.title.matches("slow") && $0.text.matches("crash") }) == [2]
        )
    }

    @Test func `linked objects`() throws {
        #expect(try found(Article.where { $0.columnist.name.matches("lee") }) == [1])
        #expect(try found(Article.where { !$0.columnist.name.matches("lee") }) == [2, 3, 4])
        let columnists = Columnist.where { columnist in
            columnist.articles.contains { $0.title.matches("wor", by: .prefixes) }
        }
        #expect(try store.fetch(columnists).map(\.name) == ["Bob"])
        let both = Columnist.matching("bob").where { columnist in
            columnist.articles.count { $0.text.matches("crash") } == 1
        }
        #expect(try store.fetch(both).map(\.name) == ["Bob"])
    }

    @Test func `what is not searchable is an error that says so`() throws {
        let store = try Comics.store()
        let error = #expect(throws: StoreError.self) { try store.fetch(Hero.matching("x")) }
        #expect(error?.reason == .unknownEntity)
        #expect(error?.message == "Hero has no searchable attribute in the store's model")
        let column = #expect(throws: StoreError.self) {
            try store.fetch(Hero.where { $0.name.matches("") })
        }
        #expect(column?.message == "Hero.name is not searchable in the store's model")
        let computed = #expect(throws: StoreError.self) {
            try self.store.fetch(Article.where { $0.title.lowercased().matches("x") })
        }
        #expect(computed?.message == "only an attribute can be searched, not what is made of it")
    }

    // MARK: Families

    @Test func `entities that share a table find their own objects by their own attributes`() throws
    {
        try fixture.insert(
            "Notice",
            """
            [{"id": 1, "body": "the sea"}, {"id": 2, "type": "q", "body": "a sea", "source": "Homer"},
             {"id": 3, "type": "q", "body": "wine", "source": "the sea"}]
            """)
        #expect(try store.fetch(Notice.matching("sea")).map(\.id) == [1, 2])
        #expect(try store.fetch(Quotation.matching("sea")).map(\.id) == [2, 3])
        #expect(try store.fetch(Quotation.matching("sea homer")).map(\.id) == [2])
        #expect(try store.fetch(Quotation.where { $0.body.matches("sea") }).map(\.id) == [2])
        let error = #expect(throws: StoreError.self) { try store.count(Posting.matching("sea")) }
        #expect(error?.message == "Posting has no searchable attribute in the store's model")
        #expect(try store.write { try $0.delete(Quotation.matching("homer")) } == 1)
        #expect(try store.fetch(Notice.matching("sea")).map(\.id) == [1])
        try store.checkSearch("Posting")
    }
}
