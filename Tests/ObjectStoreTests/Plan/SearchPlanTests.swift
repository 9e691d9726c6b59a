import CLarderSQLite
import Foundation
import Testing

@testable import LarderObjectStore

/// That the index holds what the objects do, whoever writes them.
struct SearchPlanTests {
    private let fixture: StoreFixture
    private var store: Store { fixture.store }

    init() throws { fixture = try Magazine.fixture() }

    private func found(_ text: String) throws -> [Int] {
        try Magazine.found(Article.matching(text), in: store)
    }

    @Test func `imports insert, change and leave text`() throws {
        try store.checkSearch("Article")
        try fixture.insert("Article", #"[{"id": 1, "title": "Calm"}, {"id": 9, "title": "new"}]"#)
        #expect(try found("calm cafe") == [1])
        #expect(try found("crash") == [2])
        #expect(try found("new") == [9])
        try fixture.insert("Article", #"{"id": 2, "text": null}"#)
        #expect(try found("crash") == [])
        try fixture.insert("Article", #"{"id": 3, "stars": 7}"#)
        #expect(try found("zahlen") == [3])
        try store.checkSearch("Article")
    }

    @Test func `an import that touches no text leaves the index alone`() throws {
        let before = try fixture.rows(#"SELECT sum(length(block)) FROM "Article.$search_data""#)
        try fixture.insert("Article", #"[{"id": 1, "stars": 4, "title": "Crash on launch"}]"#)
        let after = try fixture.rows(#"SELECT sum(length(block)) FROM "Article.$search_data""#)
        #expect(before == after)
    }

    @Test func `references are filled later`() throws {
        try fixture.insert("Columnist", #"{"name": "Cy", "articles": [50]}"#)
        #expect(try found("cy") == [])
        try fixture.insert("Article", #"{"id": 50, "title": "late"}"#)
        #expect(try found("late") == [50])
        #expect(try store.fetch(Columnist.matching("cy")).count == 1)
        try store.checkSearch("Article")
        try store.checkSearch("Columnist")
    }

    @Test func `saving, updating, editing and deleting`() throws {
        try store.write { context in
            try context.save(
                Article(id: 20, title: "saved", text: "x", stars: nil, columnist: nil))
            try context.update(Article.where { $0.id == 20 }) { $0.text.set("more words") }
        }
        #expect(try found("saved words") == [20])
        try store.write { try $0.delete(Article.where { $0.id == 20 }) }
        #expect(try found("saved") == [])
        try store.checkSearch("Article")
    }

    @Test func `a transaction searches what it has written`() throws {
        try store.write { context in
            try context.save(
                Article(id: 30, title: "inside", text: nil, stars: nil, columnist: nil))
            #expect(try Magazine.found(Article.matching("inside"), in: context) == [30])
            #expect(try context.count(Article.where { $0.title.matches("inside") }) == 1)
            #expect(try context.hits(Article.matching("inside")).map(\.snippet.text) == ["inside"])
            try context.update(Article.where { $0.id == 30 }) { $0.title.set("outside") }
            #expect(try Magazine.found(Article.matching("inside"), in: context) == [])
            #expect(try context.update(Article.matching("outside")) { $0.stars.set(1) } == 1)
            try context.save(
                Article(id: 31, title: "outside", text: nil, stars: nil, columnist: nil))
            #expect(try context.delete(Article.matching("outside")) == 2)
        }
        #expect(try found("outside") == [])
        try store.checkSearch("Article")
    }

    @Test func `what is rolled back is not found`() throws {
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try store.write { context in
                try context.update(Article.where { $0.id == 1 }) { $0.title.set("gone") }
                #expect(try Magazine.found(Article.matching("gone"), in: context) == [1])
                throw Stop()
            }
        }
        #expect(try found("gone") == [])
        #expect(try found("launch") == [1])
        try store.checkSearch("Article")
    }

    @Test func `random writes leave what a scan finds`() throws {
        var random = SplitMix64(seed: 7)
        let words = ["ant", "bee", "cat", "dog", "elk"]
        for _ in 0..<60 {
            try store.write { context in
                for _ in 0..<Int.random(in: 1...6, using: &random) {
                    let id = Int.random(in: 1...12, using: &random)
                    let title = words.shuffled(using: &random).prefix(2).joined(separator: " ")
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: try context.delete(Article.where { $0.id == id })
                    case 1:
                        try context.update(Article.where { $0.id == id }) { $0.title.set(title) }
                    case 2: _ = try context.count(Article.matching("ant"))
                    default:
                        let root = try JSONDocument(
                            #"{"id": \#(id), "title": "\#(title)", "text": "\#(words[0])"}"#
                        ).root
                        _ = try context.map(root, as: "Article")
                    }
                }
            }
        }
        try store.checkSearch("Article")
        for word in words {
            let scanned = try store.fetch(Article.all).filter {
                ($0.title + " " + ($0.text ?? "")).contains(word)
            }
            #expect(try found(word) == scanned.map(\.id))
        }
    }

    @Test func `a backup, a rebuilt and a vacuumed store can be searched`() throws {
        try store.vacuum()
        #expect(try found("crash") == [1, 2])
        let copy = fixture.folder.file("copy.sqlite")
        try store.backUp(to: URL(filePath: copy))
        let other = try Store(at: copy, model: store.model)
        #expect(try Magazine.found(Article.matching("crash"), in: other) == [1, 2])
        try other.close()
        let rebuilt = try Store.rebuild(at: copy, model: store.model).store
        #expect(try Magazine.found(Article.matching("crash"), in: rebuilt) == [1, 2])
        try rebuilt.checkSearch("Article")
    }

    @Test func `a full check finds an index that does not say what the objects do`() throws {
        #expect(try store.checkIntegrity().problems == [])
        let other = try fixture.folder.open("store.sqlite")
        try other.execute(
            #"DROP TRIGGER "Article.$updated"; UPDATE Article SET title = 'changed' WHERE id = 1"#)
        #expect(try store.checkIntegrity(.quick).isSound)
        let report = try store.checkIntegrity()
        #expect(report.problems == [.wrongSearchIndex(of: "Article")])
        #expect(
            report.description
                == "the full-text index of Article does not hold what its objects say")
    }

    @Test func `a full check finds rows that were never indexed`() throws {
        let other = try fixture.folder.open("store.sqlite")
        try other.execute(#"INSERT INTO "Article.$unindexed" VALUES (1)"#)
        #expect(try store.checkIntegrity().problems == [.wrongSearchIndex(of: "Article")])
    }

    @Test func `a full check inside of a transaction of its own store is an error`() throws {
        try store.write { context in
            let quick = try store.checkIntegrity(.quick)
            #expect(quick.isSound)
            #expect(throws: StoreError.self) { try store.checkIntegrity() }
            let count = try context.count(Article.all)
            #expect(count == 4)
        }
    }

    @Test(arguments: [
        #"DELETE FROM "Article.$search_data" WHERE id > 10"#, #"DROP TABLE "Article.$search_idx""#,
    ])
    func `a full check finds an index that is damaged, which hinders no vacuuming`(
        _ sql: String
    ) throws {
        // Larder's own connections can't write to the index's tables.
        var plain: OpaquePointer?
        defer { sqlite3_close(plain) }
        #expect(sqlite3_open(fixture.path, &plain) == SQLITE_OK)
        #expect(sqlite3_exec(plain, sql, nil, nil, nil) == SQLITE_OK)
        #expect(try store.checkIntegrity().problems == [.wrongSearchIndex(of: "Article")])
        try store.vacuum()
    }

    @Test func `a store without searchable attributes has nothing of it`() throws {
        let plain = try Comics.fixture()
        #expect(
            try plain.rows("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'") == ["0"])
        #expect(plain.store.plan.searches.isEmpty)
    }

    @Test(arguments: [
        #"a"; DROP TABLE x;--"#, "a'b", "rank", "rowid", "c0", "select", "a b", "ü🦸", "?1", "s",
        "text", "row", "noted", "[x]", "a\"\"", "/*", "match",
    ])
    func `attributes and entities may have any name`(_ name: String) throws {
        let fixture = try StoreFixture(
            EntityDescription(
                name: name, identity: ["key"],
                attributes: [
                    AttributeDescription("key", .integer, key: "id"),
                    AttributeDescription(name, .string, key: "t", isSearchable: true),
                    AttributeDescription(name + "2", .string, key: "u", isSearchable: true),
                ]))
        try fixture.insert(
            name, #"[{"id": 1, "t": "one", "u": "two"}, {"id": 2, "t": "two", "u": "x"}]"#)
        try fixture.insert(name, #"[{"id": 2, "t": "three", "u": "y"}]"#)
        let store = fixture.store
        let plan = try store.plan.entity(name)
        var description = QueryDescription(entity: name)
        description.search = SearchText("two", .wholeWords)
        description.condition = .search(
            .column(ColumnPath(), name + "2"), SearchText("tw", .prefixes))
        description.sortKeys = [SortKey(expression: .relevance, isDescending: false)]
        let rows = try store.withWriter { connection in
            var compiler = QueryCompiler(entity: plan, in: store.plan)
            let sql = try compiler.select(description, columns: ["key"])
            return try connection.allRows(sql, compiler.values)
        }
        #expect(rows == [[.integer(1)]])
        try store.checkSearch(name)
    }

    @Test func `what is not kept as text can't be searchable`() {
        for type in [AttributeType.integer, .double, .boolean, .date, .data] {
            let error = #expect(throws: ModelError.self) {
                try Model(
                    name: "Test",
                    entities: [
                        EntityDescription(
                            name: "A",
                            attributes: [
                                AttributeDescription("a", type, key: "a", isSearchable: true)
                            ])
                    ])
            }
            #expect(
                error?.problems.map(\.message) == [
                    "values of type \(type.rawValue) are not kept as text"
                ])
        }
    }
}
