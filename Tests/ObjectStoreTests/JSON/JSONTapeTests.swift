import Foundation
import Testing

@testable import LarderObjectStore

@Suite struct JSONTapeTests {
    @Test func `a scalar is one node, a container two and its members`() throws {
        try JSONDocument(#"[1,"a",{"k":[true]},null]"#).withTape { tape in
            #expect(tape.kind(0) == .array)
            #expect(tape.length(0) == 4)
            #expect(tape.firstChild(0) == 2)
            #expect(tape.kind(2) == .integer)
            #expect(tape.next(2) == 3)
            #expect(tape.kind(3) == .plainString)
            #expect(tape.kind(4) == .object)
            #expect(tape.length(4) == 1)
            #expect(tape.kind(6) == .plainString)
            #expect(tape.kind(7) == .array)
            #expect(tape.next(7) == 10)
            #expect(tape.next(4) == 10)
            #expect(tape.kind(10) == .null)
            #expect(tape.next(0) == 11)
        }
    }

    @Test func `tells plain strings from escaped ones and whole numbers from others`() throws {
        try JSONDocument(#"["é",  "\n", 12, 1.0, 1e2, -3]"#).withTape { tape in
            let kinds = (2..<8).map { tape.kind($0) }
            #expect(
                kinds == [.plainString, .escapedString, .integer, .decimal, .decimal, .integer])
            #expect(
                (2..<8).map { String(decoding: tape.source($0), as: UTF8.self) }
                    == ["\"é\"", "\"\\n\"", "12", "1.0", "1e2", "-3"])
            #expect(String(decoding: tape.text(2), as: UTF8.self) == "é")
        }
    }

    @Test func `finds the last member with a key`() throws {
        try JSONDocument(#"{"a":[{"a":0}],"b":1,"a":2}"#).withTape { tape in
            func member(_ key: String) -> Int? {
                var key = key
                return key.withUTF8 { tape.member($0, of: 0) }
            }
            #expect(member("a").map { tape.integer($0) } == 2)
            #expect(member("b").map { tape.integer($0) } == 1)
            #expect(member("c") == nil)
            #expect(member("") == nil)
        }
    }

    @Test func `compares keys by their bytes`() throws {
        try JSONDocument(#"{"ab":1,"a\u0062":2,"é":3}"#).withTape { tape in
            for (node, key, isEqual) in [
                (2, "ab", true), (2, "a", false), (2, "abc", false), (2, "aB", false),
                (4, "ab", true),
                (4, "a\\u0062", false), (6, "é", true), (6, "e\u{301}", false),
            ] {
                var key = key
                #expect(key.withUTF8 { tape.keyEquals(node, $0) } == isEqual, "\(node) \(key)")
            }
        }
    }

    @Test(arguments: [
        ("name", ".name"), ("created_at", ".created_at"), ("a-b", ".a-b"), ("0", ".0"),
        ("", "[\"\"]"), ("a b", "[\"a b\"]"), ("a.b", "[\"a.b\"]"), ("é", "[\"é\"]"),
        ("a\"]", "[\"a\\\"]\"]"), ("\\", "[\"\\\\\"]"), ("a\nb", "[\"a\\u000ab\"]"),
        ("\u{1B}[31m", "[\"\\u001b[31m\"]"), ("\u{2028}", "[\"\\u2028\"]"), ("$", "[\"$\"]"),
    ])
    func `writes a key as a step of a path`(key: String, component: String) {
        #expect(JSONTape.component(key) == component)
    }
}
