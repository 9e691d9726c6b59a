import SwiftSyntax
import SwiftSyntaxBuilder
import Testing

@testable import LarderEntityMacros

@Suite struct VariableDeclStorageTests {
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
}
