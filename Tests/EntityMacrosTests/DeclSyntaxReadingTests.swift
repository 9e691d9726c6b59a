import SwiftSyntax
import SwiftSyntaxBuilder
import Testing

@testable import LarderEntityMacros

@Suite struct DeclSyntaxReadingTests {
    @Test(arguments: [
        "var x: Int", "var x = 1", "let x: Int", "var x: Int { willSet {} }",
        "var x: Int { didSet {} }", "var x = 1 { willSet(new) {} didSet(old) {} }",
        "private(set) var x: Int", "lazy var x = 1", "@Marker var x: Int",
    ])
    func `has storage without accessors or with observers`(source: String) throws {
        #expect(try binding(source).isStored)
    }

    @Test(arguments: [
        "var x: Int { 1 }", "var x: Int { get { 1 } }", "var x: Int { get { 1 } set {} }",
        "var x: Int { get throws { 1 } }", "var x: Int { _read { yield 1 } }",
        "var x: Int { mutating get { 1 } nonmutating set {} }",
        "var x: Int { @storageRestrictions(initializes: y) init {} get { 1 } }",
    ])
    func `has no storage with a getter of any kind`(source: String) throws {
        #expect(try !binding(source).isStored)
    }

    @Test(arguments: [
        ("static var x: Int", true), ("class var x: Int { 1 }", true),
        ("public static let x = 1", true), ("var x: Int", false), ("private let x: Int", false),
        ("nonisolated var x: Int", false),
    ])
    func `tells what belongs to the type`(source: String, isStatic: Bool) throws {
        #expect(try variable(source).isStatic == isStatic)
    }

    @Test(arguments: [
        ("var x = Date()", "Date"), ("var x = State.open", "State"),
        ("var x = Date.now", "Date"), ("var x = URL(string: a)", "URL"),
        ("var x = Schema.State.open", "<#Type#>"), ("var x = make()", "<#Type#>"),
        ("var x = .open", "<#Type#>"), ("var x = [1]", "<#Type#>"), ("var x = a", "<#Type#>"),
        ("var x", "<#Type#>"), ("var x = (1, 2)", "<#Type#>"), ("var x = State", "State"),
    ])
    func `guesses a type from a value`(source: String, type: String) throws {
        #expect(try binding(source).likelyType.description == type)
    }

    private func variable(_ source: String) throws -> VariableDeclSyntax {
        let declaration: DeclSyntax = "\(raw: source)"
        return try #require(declaration.as(VariableDeclSyntax.self))
    }

    private func binding(_ source: String) throws -> PatternBindingSyntax {
        try #require(variable(source).bindings.first)
    }

    @Test(arguments: [
        "", "var x: Int", "let x: Int; var y = 1", "@Identity var x: Int",
        "@Larder.Attribute(\"y\") var x: Int", "@Relationship @Inherited var x: Many<Thing>",
        "func f() {}; struct Inner { init(x: Int) {} }", "@MainActor func f() {}",
        "@Marker static var x = 1", "#if DEBUG\nfunc f() {}\n#endif", "var x: Int { 1 }",
        "subscript(x: Int) -> Int { x }",
    ])
    func `members leave the memberwise initializer`(members: String) throws {
        #expect(try list(members).leaveMemberwiseInitializer)
    }

    @Test(arguments: [
        "init(x: Int) {}", "var x: Int; init() { x = 1 }", "init?(x: Int) { return nil }",
        "@Trimmed var x: String", "@Identity @Trimmed var x: String",
        "#if DEBUG\ninit() {}\n#endif",
        "#if DEBUG\n#else\n#if os(Linux)\ninit() {}\n#endif\n#endif",
    ])
    func `members may take its place`(members: String) throws {
        #expect(try !list(members).leaveMemberwiseInitializer)
    }

    private func list(_ members: String) throws -> MemberBlockItemListSyntax {
        let declaration: DeclSyntax = "struct Thing {\n\(raw: members)\n}"
        return try #require(declaration.as(StructDeclSyntax.self)).memberBlock.members
    }
}

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
