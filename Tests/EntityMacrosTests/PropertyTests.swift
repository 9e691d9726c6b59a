import SwiftSyntax
import SwiftSyntaxBuilder
import Testing

@testable import LarderEntityMacros

@Suite struct PropertyTests {
    @Test(arguments: ["Int", "Foundation.URL", "Schema.State", "Box<Int>", "Other.One<Int>", "One"])
    func `takes any named type as an attribute's`(type: String) {
        expectDescriptions(of: "var x: \(type)", attributes: ["\"x\", \(type).self, key: \"x\""])
    }

    @Test(arguments: ["Int?", "Optional<Int>", "Swift.Optional<Int>"])
    func `takes both spellings of an optional`(type: String) {
        expectDescriptions(of: "var x: \(type)", attributes: ["\"x\", \(type).self, key: \"x\""])
    }

    @Test func `sees through parentheses`() {
        expectDescriptions(of: "var x: (Int)?", attributes: ["\"x\", (Int)?.self, key: \"x\""])
        expectDescriptions(of: "var x: ((Int))", attributes: ["\"x\", Int.self, key: \"x\""])
        expectDescriptions(
            of: "var x: (One<User>)?",
            relationships: ["\"x\", to: User.entityName, isOptional: true, key: \"x\""])
    }

    @Test(arguments: ["One<User>", "Larder.One<User>", "LarderObjectStore.One<User>"])
    func `takes a link to one object`(type: String) {
        expectDescriptions(
            of: "var x: \(type)", relationships: ["\"x\", to: User.entityName, key: \"x\""])
        for optional in ["\(type)?", "Optional<\(type)>"] {
            expectDescriptions(
                of: "var x: \(optional)",
                relationships: ["\"x\", to: User.entityName, isOptional: true, key: \"x\""])
        }
    }

    @Test(arguments: ["Many<Schema.Label>", "Larder.Many<Schema.Label>"])
    func `takes links to many objects`(type: String) {
        expectDescriptions(
            of: "var x: \(type)",
            relationships: [
                "\"x\", to: Schema.Label.entityName, isToMany: true, isOrdered: true, key: \"x\""
            ])
    }

    @Test func `refuses an optional Many`() {
        expectUnsupported(
            "Many<Label>?", "'x' cannot be optional; a 'Many' without links is empty",
            replacement: "Many<Label>")
    }

    @Test(arguments: ["Int??", "Optional<Int?>", "Optional<Int>?", "(Int?)?"])
    func `refuses an optional of an optional`(type: String) {
        let inner = ["Optional<Int>?": "Optional<Int>"][type] ?? "Int?"
        expectUnsupported(
            type, "'x' is optional twice, but the store knows one kind of nothing",
            replacement: inner)
    }

    @Test func `refuses an implicitly unwrapped optional`() {
        expectUnsupported(
            "Int!", "'x' is implicitly unwrapped; an entity's optional is spelled with '?'",
            replacement: "Int?")
    }

    @Test(arguments: [
        "[String]", "Array<Int>", "[[Double]]", "[Address]", "[String]?", "[String?]",
        "[String: Int]", "Dictionary<String, Address>", "[String: [Int]]", "[String: Int]?",
    ])
    func `takes arrays and dictionaries as attributes, which are kept as JSON`(type: String) {
        expectDescriptions(of: "var x: \(type)", attributes: ["\"x\", \(type).self, key: \"x\""])
    }
}

@Suite struct NamedTypeTests {
    @Test func `takes a name apart`() throws {
        let type = try #require(NamedType("Larder.Schema.One<User, Int?>"))
        #expect(type.qualifiers == ["Larder", "Schema"])
        #expect(type.name == "One")
        #expect(type.arguments.map(\.description) == ["User", "Int?"])
    }

    @Test func `takes a name without qualifiers and arguments`() throws {
        let type = try #require(NamedType("`default`"))
        #expect(type.qualifiers == [])
        #expect(type.name == "default")
        #expect(type.arguments.isEmpty)
    }

    @Test(arguments: ["Int?", "[Int]", "(Int)", "(Int, Int)", "() -> Void", "any P", "Int?.Type"])
    func `is nothing but a name`(spelling: String) {
        #expect(NamedType("\(raw: spelling)") == nil)
    }

    @Test(arguments: [
        ("One<X>", true), ("Larder.One<X>", true), ("LarderObjectStore.One<X>", true),
        ("Other.One<X>", false), ("Larder.Schema.One<X>", false), ("Many<X>", false),
        ("one<X>", false), ("One.Larder<X>", false),
    ])
    func `knows the library's types`(spelling: String, isLarders: Bool) throws {
        #expect(try #require(NamedType("\(raw: spelling)")).isLarder("One") == isLarders)
    }

    @Test(arguments: [
        ("Array<X>", true), ("Set<X>", true), ("Swift.Set<X>", true), ("Larder.Set<X>", false),
        ("Bag<X>", false),
    ])
    func `knows the standard library's types`(spelling: String, isStandard: Bool) throws {
        let type = try #require(NamedType("\(raw: spelling)"))
        #expect(type.isStandard("Array", "Set") == isStandard)
    }
}
