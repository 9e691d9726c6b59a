import SwiftSyntax
import SwiftSyntaxBuilder
import Testing

@testable import LarderEntityMacros

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
