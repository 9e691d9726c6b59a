import Testing

@testable import LarderObjectStore

struct SearchTextTests {
    @Test func `words stand in quotes`() {
        let text = SearchText(#" say "hi"  OR  x* "#, .wholeWords)
        #expect(text.pattern(columns: [0, 2]) == #"{c0 c2} : ("say" """hi""" "OR" "x*")"#)
    }

    @Test func `a quotation mark with an accent on it is one too`() {
        let text = SearchText("\"\u{301} x", .wholeWords).pattern(columns: [0])
        #expect(text.unicodeScalars.elementsEqual("{c0} : (\"\"\"\u{301}\" \"x\")".unicodeScalars))
    }

    @Test func `prefixes are marked`() {
        #expect(SearchText("a b", .prefixes).pattern(columns: [1]) == #"{c1} : ("a" * "b" *)"#)
        #expect(SearchText("a b", .lastPrefix).pattern(columns: [1]) == #"{c1} : ("a" "b" *)"#)
    }

    @Test func `NUL and all kinds of space part words`() {
        let text = SearchText("a\u{0}b\u{A0}c\u{2003}d\r\ne", .wholeWords)
        #expect(text.pattern(columns: [0]) == #"{c0} : ("a" "b" "c" "d" "e")"#)
        #expect(SearchText("\u{0} \n", .prefixes).isEmpty)
    }

    @Test func `texts are joined`() {
        let both = SearchText("a", .prefixes).joined(with: SearchText("b", .wholeWords))
        #expect(both.pattern(columns: [0]) == #"{c0} : ("a" * "b")"#)
        #expect(!both.isEmpty)
    }
}
