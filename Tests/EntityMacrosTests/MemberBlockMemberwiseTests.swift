import SwiftSyntax
import SwiftSyntaxBuilder
import Testing

@testable import LarderEntityMacros

@Suite struct MemberBlockMemberwiseTests {
    @Test(arguments: [
        "", "var x: Int", "let x: Int; var y = 1", "@Identity var x: Int",
        "@Larder.Attribute(\"y\") var x: Int", "@Relationship @Inherited var x: Many<Thing>",
        "func f() {}; struct Inner { init(x: Int) {} }", "@MainActor func f() {}",
        "@Marker static var x = 1", "#if DEBUG\nfunc f() {}\n#endif", "var x: Int { 1 }",
        "subscript(x: Int) -> Int { x }",
    ])
    func `leave the memberwise initializer`(members: String) throws {
        #expect(try list(members).leaveMemberwiseInitializer)
    }

    @Test(arguments: [
        "init(x: Int) {}", "var x: Int; init() { x = 1 }", "init?(x: Int) { return nil }",
        "@Trimmed var x: String", "@Identity @Trimmed var x: String",
        "#if DEBUG\ninit() {}\n#endif",
        "#if DEBUG\n#else\n#if os(Linux)\ninit() {}\n#endif\n#endif",
    ])
    func `may take its place`(members: String) throws {
        #expect(try !list(members).leaveMemberwiseInitializer)
    }

    @Test func `without it each property is set by itself`() {
        expectExpansion(
            """
            @Entity struct Thing {
                var x: Int
                var labels: Many<Label>
                var owner: One<Owner>?
                init(x: Int) { self.x = x }
                static let entityDescription = d
                struct Columns {}
                func write(to values: inout LarderObjectStore.EntityValues) throws {}
            }
            """,
            """
            struct Thing {
                var x: Int
                var labels: Many<Label>
                var owner: One<Owner>?
                init(x: Int) { self.x = x }
                static let entityDescription = d
                struct Columns {}
                func write(to values: inout LarderObjectStore.EntityValues) throws {}

                nonisolated static var entityName: Swift.String { "Thing" }
            }

            extension Thing: nonisolated LarderObjectStore.Importable, nonisolated LarderObjectStore.Entity {
                nonisolated init(row: LarderObjectStore.EntityRow) throws {
                    self.x = try row.attribute(0)
                    self.labels = row.many("labels")
                    self.owner = try row.one(0)
                }
            }
            """)
    }

    @Test func `labels have backticks only where they need them`() {
        let members = """
            struct Thing {
                var `in`: Int
                var `inout`: Int
                static let entityName = n
                static let entityDescription = d
                struct Columns {}
                func write(to values: inout LarderObjectStore.EntityValues) throws {}
            }
            """
        expectExpansion(
            "@Entity \(members)",
            """
            \(members)

            extension Thing: nonisolated LarderObjectStore.Importable, nonisolated LarderObjectStore.Entity {
                nonisolated init(row: LarderObjectStore.EntityRow) throws {
                    self.init(
                        in: try row.attribute(0),
                        `inout`: try row.attribute(1))
                }
            }
            """)
    }

    private func list(_ members: String) throws -> MemberBlockItemListSyntax {
        let declaration: DeclSyntax = "struct Thing {\n\(raw: members)\n}"
        return try #require(declaration.as(StructDeclSyntax.self)).memberBlock.members
    }
}
