import Foundation
import Testing

@testable import LarderObjectStore

/// `contains`, `hasPrefix`, `hasSuffix` and `like`.
struct ColumnTextTests {
    private static let names = [
        "", "abc", "ABC", "a'b\"c", "100% sure", "a_b", "axb", "äöü", "e\u{301}a", "🦸‍♀️🦹",
        "back\\slash",
        "%", "_",
    ]

    private let store: Store

    init() throws {
        store = try Comics.store()
        for (id, name) in Self.names.enumerated() {
            let object: [String: [String: String]] = ["identity": ["real_name": name]]
            let members = String(
                decoding: try JSONEncoder().encode(object).dropFirst(), as: UTF8.self)
            try store.import(
                Hero.self, from: Data(#"{"id": \#(id), "name": "n", \#(members)"#.utf8))
        }
        try store.import(Hero.self, from: Data(#"{"id": 99, "name": "n"}"#.utf8))
    }

    private func found(_ condition: (Hero.Columns) -> Condition) throws -> [String] {
        try store.fetch(Hero.where(condition)).compactMap(\.realName)
    }

    /// Compares text as SQLite does: by its scalars.
    private static func scalars(_ text: String) -> [Unicode.Scalar] { Array(text.unicodeScalars) }

    private static func contains(_ text: String, _ part: String) -> Bool {
        let text = scalars(text)
        let part = scalars(part)
        guard part.count <= text.count else { return false }
        return (0...text.count - part.count).contains { Array(text[$0..<$0 + part.count]) == part }
    }

    private static let parts =
        names + ["b", "ö", "\u{301}", "🦹", "a'", "\"", "%", "_", "x", "\\", "ab"]

    @Test(arguments: parts)
    func `text is found where it stands, letter by letter`(_ part: String) throws {
        let expected = Self.names.filter { Self.contains($0, part) }
        #expect(try found { $0.realName.contains(part) } == expected)
    }

    @Test(arguments: parts)
    func `prefixes and suffixes are found where they stand`(_ part: String) throws {
        let scalars = Self.scalars(part)
        #expect(
            try found { $0.realName.hasPrefix(part) }
                == Self.names.filter { Self.scalars($0).starts(with: scalars) })
        #expect(
            try found { $0.realName.hasSuffix(part) }
                == Self.names.filter {
                    Self.scalars($0).reversed().starts(with: scalars.reversed())
                })
    }

    @Test func `the empty text is in every text and in no empty value`() throws {
        #expect(try found { $0.realName.contains("") } == Self.names)
        #expect(try found { $0.realName.hasPrefix("") } == Self.names)
        #expect(try found { $0.realName.hasSuffix("") } == Self.names)
        #expect(try store.count(Hero.where { !($0.realName.contains("")) }) == 1)
    }

    @Test(
        arguments: [
            ("abc", ["abc", "ABC"]), ("a%", ["abc", "ABC", "a'b\"c", "a_b", "axb"]),
            ("a_b", ["a_b", "axb"]), (#"a\_b"#, ["a_b"]), (#"%\%%"#, ["100% sure", "%"]),
            (#"\%"#, ["%"]), (#"back\\slash"#, ["back\\slash"]), ("", [""]), ("_", ["%", "_"]),
            ("ÄÖÜ", []), ("äö_", ["äöü"]), ("'; DROP TABLE Hero;--", []),
        ] as [(String, [String])])
    func `patterns`(_ pattern: String, _ expected: [String]) throws {
        #expect(try found { $0.realName.like(pattern) } == expected)
    }

    @Test func `their SQL binds the text`() throws {
        func sql(_ condition: (Hero.Columns) -> Condition) throws -> String {
            let compiled = try Hero.where(condition).compiled(for: store)
            #expect(!compiled.sql.contains("'"))
            return compiled.sql.components(separatedBy: " AND ")[1]
                .components(separatedBy: " ORDER BY ")[0]
        }
        #expect(try sql { $0.name.contains("'") } == #"(instr(t0."name", ?1) > ?2)"#)
        #expect(try sql { $0.name.hasPrefix("'") } == #"larder_has_prefix(t0."name", ?1)"#)
        #expect(try sql { $0.name.hasSuffix("'") } == #"larder_has_suffix(t0."name", ?1)"#)
        #expect(try sql { $0.name.like("'") } == #"larder_matches(t0."name", ?1)"#)
    }
}
