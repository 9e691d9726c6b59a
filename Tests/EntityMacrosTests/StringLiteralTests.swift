import SwiftSyntax
import SwiftSyntaxBuilder
import Testing

@testable import LarderEntityMacros

@Suite struct StringLiteralTests {
    @Test(arguments: [
        ("\"\"", ""), ("\"a.b\"", "a.b"), ("#\"say \"hi\"\"#", "say \"hi\""), ("\"ü 1\"", "ü 1"),
    ])
    func `has the text between the quotes`(source: String, text: String) throws {
        #expect(try literal(source).plainText == text)
    }

    @Test(arguments: [
        "\"a\\(b)\"", "\"a\\nb\"", "\"\\u{41}\"", "\"\"\"\na\nb\n\"\"\"", "#\"a\\#(b)\"#",
    ])
    func `has no text that is not plain`(source: String) throws {
        #expect(try literal(source).plainText == nil)
    }

    @Test func `is constant without an interpolation`() throws {
        #expect(try literal("\"a\\nb\"").isConstant)
        #expect(try literal("\"\"\"\na\nb\n\"\"\"").isConstant)
        #expect(try !literal("\"a\\(b)\"").isConstant)
        #expect(try !literal("\"\"\"\na\n\\(b)\n\"\"\"").isConstant)
    }

    @Test(arguments: ["", "a.b", "say \"hi\"", "back\\slash", "\\(x)", "ü"])
    func `spells a text that reads back as itself`(text: String) throws {
        let expression: ExprSyntax = "\(raw: text.swiftLiteral)"
        let literal = try #require(expression.as(StringLiteralExprSyntax.self))
        #expect(!expression.hasError)
        #expect(literal.isConstant)
        #expect(
            text.swiftLiteral.dropFirst().dropLast()
                .replacing("\\\"", with: "\"").replacing("\\\\", with: "\\") == text)
    }

    private func literal(_ source: String) throws -> StringLiteralExprSyntax {
        let expression: ExprSyntax = "\(raw: source)"
        return try #require(expression.as(StringLiteralExprSyntax.self))
    }
}
