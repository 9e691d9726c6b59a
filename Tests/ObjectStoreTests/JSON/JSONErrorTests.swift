import Foundation
import Testing

@testable import LarderObjectStore

@Suite struct JSONErrorTests {
    struct Place: Sendable, CustomTestStringConvertible {
        let text: String
        let line: Int
        let column: Int
        let path: String
        var testDescription: String { text.debugDescription }

        init(_ text: String, _ line: Int, _ column: Int, _ path: String) {
            self.text = text
            self.line = line
            self.column = column
            self.path = path
        }
    }

    @Test(arguments: [
        Place("", 1, 1, "$"), Place("x", 1, 1, "$"), Place("\n\n  x", 3, 3, "$"),
        Place("1 2", 1, 3, "$"), Place("[] ]", 1, 4, "$"),
        // Inside a value the path is the value's.
        Place("[x]", 1, 2, "$[0]"), Place("[1,x]", 1, 4, "$[1]"), Place("[1,]", 1, 4, "$[1]"),
        Place("[[1,2],[3,x]]", 1, 11, "$[1][1]"), Place("{\"a\":x}", 1, 6, "$.a"),
        Place("{\"a\":1,\"b\":[1,{\"c\":-}]}", 1, 21, "$.b[1].c"),
        Place("{\n  \"a\": [\n    1,\n    tru\n  ]\n}", 4, 8, "$.a[1]"),
        Place("{\"a\":\"b\\x\"}", 1, 8, "$.a"), Place("[\"a\tb\"]", 1, 4, "$[0]"),
        Place("[1.x]", 1, 4, "$[0]"), Place("[[", 1, 3, "$[0][0]"), Place("[1,", 1, 4, "$[1]"),
        // Behind a value, and where a key should be, it is the container's.
        Place("[1 2]", 1, 4, "$"), Place("[1", 1, 3, "$"), Place("{\"a\":1 \"b\"}", 1, 8, "$"),
        Place("{\"a\":[1}", 1, 8, "$.a"), Place("{\"a\":1,}", 1, 8, "$"), Place("{x}", 1, 2, "$"),
        Place("{\"a\":{\"b\":1,\"\\x\":2}}", 1, 14, "$.a"), Place("{", 1, 2, "$"),
        Place("[{\"a\":1,", 1, 9, "$[0]"),
        // A key without its colon is known by name.
        Place("{\"a\" 1}", 1, 6, "$.a"), Place("{\"a\"", 1, 5, "$.a"),
        // Keys are quoted where a dot would not do.
        Place("{\"a b\":{\"\":x}}", 1, 12, "$[\"a b\"][\"\"]"),
        Place("{\"a\\\"]\\n\":x}", 1, 11, "$[\"a\\\"]\\u000a\"]"),
        Place("{\"é\":x}", 1, 7, "$[\"é\"]"),
        // Lines end with a line feed, columns count bytes.
        Place("[\r\n1,\r\nx]", 3, 1, "$[1]"), Place("[\"é\",x]", 1, 7, "$[1]"),
    ])
    func `names line, column and path`(place: Place) throws {
        let error = try #require(JSONDocument.refusal(of: place.text))
        #expect(error.line == place.line)
        #expect(error.column == place.column)
        #expect(error.path == place.path)
    }

    @Test func `the path of a level that is too deep is that of its value`() {
        let error = JSONDocument.refusal(of: "{\"a\":[0,[[1]]]}".utf8, depthLimit: 3)
        #expect(error?.path == "$.a[1][0]")
        #expect(error?.offset == 9)
    }

    @Test func `the offset counts bytes from the start, byte order mark included`() {
        #expect(JSONDocument.refusal(of: "\u{FEFF}x")?.offset == 3)
        #expect(JSONDocument.refusal(of: "[\n\n  x]")?.offset == 5)
    }

    @Test func `describes itself in a sentence`() throws {
        let error = try #require(JSONDocument.refusal(of: "{\"items\": [\n  1,\n  1.x]}"))
        #expect(
            error.description
                == "Invalid JSON at line 3, column 5 ($.items[1]): not a number by RFC 8259")
        let reasons: [JSONError.Reason] = [
            .unexpectedEnd, .unexpectedCharacter, .trailingContent, .invalidNumber, .invalidEscape,
            .controlCharacter, .invalidUTF8, .tooDeep(limit: 9), .tooLarge,
        ]
        #expect(Set(reasons.map(\.description)).count == reasons.count)
        #expect(JSONError.Reason.tooDeep(limit: 9).description.contains("9"))
    }

    @Test func `nothing of the document is in an error but keys`() throws {
        let error = try #require(JSONDocument.refusal(of: #"{"password":"hunter2" x}"#))
        #expect(!String(reflecting: error).contains("hunter2"))
    }
}
