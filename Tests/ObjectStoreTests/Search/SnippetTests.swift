import Testing

@testable import LarderObjectStore

struct SnippetTests {
    private let marks = Snippet.Marks(7)

    private func snippet(_ text: String) -> Snippet {
        let marked = text.unicodeScalars.map { scalar in
            switch scalar {
            case "<": marks.opening
            case ">": marks.closing
            default: String(scalar)
            }
        }.joined()
        return Snippet(marked, between: marks)
    }

    @Test func `marks become ranges`() {
        let snippet = snippet("the <crash> of a <🦸>")
        #expect(snippet.text == "the crash of a 🦸")
        #expect(snippet.matches.map { snippet.text[$0] } == ["crash", "🦸"])
        #expect(snippet.marked("[", "]") == "the [crash] of a [🦸]")
    }

    @Test func `text without matches is itself`() {
        #expect(snippet("plain").matches.isEmpty)
        #expect(snippet("").text.isEmpty)
        #expect(snippet("plain").marked("<", ">") == "plain")
    }

    @Test func `letters that join with what is beside them stay apart`() {
        let snippet = snippet("<cafe>\u{301} \u{1F1E9}<\u{1F1EA}>")
        #expect(snippet.text == "cafe\u{301} \u{1F1E9}\u{1F1EA}")
        #expect(snippet.matches.count == 2)
        #expect(
            snippet.marked("(", ")").unicodeScalars.elementsEqual(
                "(cafe)\u{301} \u{1F1E9}(\u{1F1EA})".unicodeScalars))
    }

    @Test func `a lonely mark of the text does no harm`() {
        let text = "a\(marks.closing)b<c>\(marks.opening)"
        #expect(snippet(text).text == "abc")
        #expect(snippet(text).matches.count == 1)
        #expect(Snippet("\u{F8FE}", between: Snippet.Marks()).text == "\u{F8FE}")
    }

    // MARK: From a store

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
