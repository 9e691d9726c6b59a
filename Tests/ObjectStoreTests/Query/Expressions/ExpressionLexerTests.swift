import Foundation
import Testing

@testable import LarderObjectStore

/// Where a mistake in a text stands.
struct ExpressionLexerTests {
    private let store: Store

    init() throws { store = try Comics.store() }

    private func error(_ text: String) -> ExpressionError? {
        #expect(throws: ExpressionError.self, "\(text)") { try Hero.all.where(text, in: store) }
    }

    @Test(
        arguments: [
            ("", 1, "the end"), ("   ", 4, "the end"), ("id", 3, "the end"), ("id =", 5, "the end"),
            ("titel = 1", 1, "titel"), ("id = 'x'", 6, "'x'"), ("name = 1", 8, "1"),
            ("id = 1 2", 8, "2"), ("id = 1 and", 11, "the end"), ("id = 1 xor id = 2", 8, "xor"),
            ("(id = 1", 8, "the end"), ("id = 1)", 7, ")"), ("id in 1", 7, "1"),
            ("id in ()", 8, ")"),
            ("id in (1,)", 10, ")"), ("id in (1", 9, "the end"), ("name = 'abc", 12, "the end"),
            ("name like 5", 11, "5"), ("id like 'a'", 4, "like"), ("id is 5", 7, "5"),
            ("id is not 5", 11, "5"), ("id not 5", 8, "5"), ("id = null", 6, "null"),
            ("publisher.titel = 1", 11, "titel"), ("publisher. = 1", 12, "="),
            ("powers = 1", 8, "="),
            ("id.name = 1", 4, "name"), ("and = 1", 1, "and"), ("id = --1", 7, "-"),
            ("id = -'a'", 7, "'a'"),
            ("isActive = 2", 12, "2"), ("id ! 5", 4, "!"), ("id = 1 ; x", 8, ";"),
            ("id = ?", 6, "?"),
            ("äöü = 1", 1, "äöü"), ("name = 'e\u{301}🦸‍♀️' x", 13, "x"),
            ("id between 1", 13, "the end"),
            ("id = \u{0}", 6, "\u{0}"), ("\u{301}id = 1", 1, "\u{301}id"), (".id = 1", 1, "."),
        ] as [(String, Int, String)])
    func `names the column, and what stands there`(
        _ text: String, _ column: Int, _ found: String
    ) throws {
        let error = try #require(self.error(text))
        #expect(error.column == column, "\(text): \(error)")
        #expect(error.found == found, "\(text): \(error)")
        #expect(!error.expected.isEmpty)
    }

    @Test func `random text is a condition or a mistake within it`() throws {
        let pieces = [
            "id", "name", "strength", "isActive", "publisher", "powers", ".", "mentor.", " ", "  ",
            "=",
            "!=", "<", "<=", ">=", ">", "like", "in", "(", ")", ",", "is", "not", "null", "and",
            "or",
            "between", "'a'", "'", "''", "\"", "\"id\"", "1", "2.5", "-", "1e9", "true", "é", "🦸‍♀️",
            "\u{0}", "\n", "2024-01-01", "%", ";", "--", "/*", "\\", "?", "\u{301}", "$", "!",
        ]
        var random = SplitMix64(seed: 11)
        var good = 0
        for _ in 0..<5000 {
            let count = Int.random(in: 0...9, using: &random)
            let text = (0..<count).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &random)]
                    + (Bool.random(using: &random) ? " " : "")
            }.joined()
            do {
                let query = try Hero.all.where(text, in: store)
                _ = try query.compiled(for: store)
                good += 1
            } catch let error as ExpressionError {
                #expect((1...text.count + 1).contains(error.column), "\(text)")
            }
        }
        #expect(good > 0)
    }
}
