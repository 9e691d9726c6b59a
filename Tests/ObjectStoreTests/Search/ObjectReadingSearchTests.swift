import Testing

@testable import LarderObjectStore

/// Hits of a search with the piece of text that has its words.
struct ObjectReadingSearchTests {
    @Test func `hits come with the piece of text that has the words`() throws {
        let fixture = try Magazine.fixture()
        let hits = try fixture.store.hits(Article.matching("crash").sortedByRelevance())
        #expect(hits.map(\.object.id) == [2, 1])
        #expect(hits[0].relevance > hits[1].relevance)
        #expect(
            hits[0].snippet.marked("[", "]") == "A search for [crash] takes long. [Crash]! [crash]")
        #expect(hits[1].snippet.marked("[", "]") == "[Crash] on launch")
    }

    @Test func `hits of one attribute, short or whole`() throws {
        let fixture = try Magazine.fixture()
        let query = Article.matching("search").where { $0.id == 2 }
        let short = try fixture.store.hits(query, in: \.text, wordCount: 2)
        #expect(short.map { $0.snippet.marked("[", "]") } == ["A [search]…"])
        let whole = try fixture.store.hits(query, in: \.text, wordCount: nil)
        #expect(
            whole.map { $0.snippet.marked("[", "]") }
                == ["A [search] for crash takes long. Crash! crash"])
        let clamped = try fixture.store.hits(query, in: \.title, wordCount: -5)
        #expect(clamped.map { $0.snippet.matches.count } == [1])
        #expect(try fixture.store.hits(query, wordCount: 1_000).count == 1)
    }

    @Test(arguments: [
        "alpha \0 [word]", "[word]\0beta [word] \0\0 [word]", "\0[word]\0", "a\0b\0c [word] d\0e",
        "é\0🦸 [word] é\u{301}", "plain [word]", "a\0 sword wordy [word] passwords [word]",
        "[word]\0 éword word\u{301}s 1word [word] \0word2 [word]", "[word] end\0",
    ])
    func `the whole text is there behind a NUL, too`(_ marked: String) throws {
        let fixture = try Magazine.fixture()
        let text = marked.filter { $0 != "[" && $0 != "]" }
        try fixture.store.update(Article.where { $0.id == 1 }) { $0.text.set(text) }
        let hits = try fixture.store.hits(Article.matching("word"), in: \.text, wordCount: nil)
        #expect(hits.map(\.snippet.text) == [text])
        #expect(hits.map { $0.snippet.marked("[", "]") } == [marked])
    }

    @Test func `an empty attribute has an empty piece, a search for nothing too`() throws {
        let fixture = try Magazine.fixture()
        let empty = try fixture.store.hits(Article.matching("zahlen"), in: \.text)
        #expect(empty.map(\.snippet.text) == [""])
        let all = try fixture.store.hits(Article.matching(" "))
        #expect(all.map(\.snippet.text) == ["", "", "", ""])
        #expect(all.map(\.relevance) == [0, 0, 0, 0])
        let error = #expect(throws: StoreError.self) {
            try fixture.store.hits(Article.matching("a"), in: \.columnist.name)
        }
        #expect(error?.message == "snippets are of searchable attributes of Article itself")
    }

    @Test func `hits see one moment of the store, also inside a transaction`() throws {
        let fixture = try Magazine.fixture()
        try fixture.store.write { context in
            try context.update(Article.where { $0.id == 1 }) { $0.title.set("Quiet crash") }
            let hits = try context.hits(Article.matching("quiet"))
            #expect(hits.map { $0.snippet.marked("*", "*") } == ["*Quiet* crash"])
        }
    }
}
