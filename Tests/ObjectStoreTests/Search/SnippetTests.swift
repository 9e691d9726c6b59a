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
}
