import Testing

@testable import LarderObjectStore

/// Names that are given away and used again.
struct ModelMappingTests {
    private let fixture: MigrationFixture

    init() throws { fixture = try MigrationFixture() }

    private static func renamed(
        _ name: String, from earlier: String
    ) -> AttributeDescription {
        var attribute = AttributeDescription.optional(name)
        attribute.renamedFrom = earlier
        return attribute
    }

    @Test func `values go with the new name where the earlier one means something else now`() throws
    {
        try fixture.make(
            .numbered("A", .optional("title")), inserting: ["A": #"[{"id": 1, "title": "t"}]"#])
        let after = EntityDescription.numbered(
            "A", Self.renamed("name", from: "title"), .optional("title"))
        try fixture.migrate(after)
        #expect(try fixture.rows("SELECT name, title FROM A") == ["t|NULL"])
        // The next model still says so; it has been done.
        try fixture.make(after, inserting: ["A": #"[{"id": 1, "title": "new"}]"#])
        try fixture.migrate(
            .numbered(
                "A", Self.renamed("name", from: "title"), .optional("title"), .optional("more")))
        #expect(try fixture.rows("SELECT name, title FROM A") == ["t|new"])
    }

    @Test func `two attributes can take each other's names`() throws {
        try fixture.make(
            .numbered("A", .optional("a"), .optional("b")),
            inserting: ["A": #"[{"id": 1, "a": "was a", "b": "was b"}]"#])
        try fixture.migrate(
            .numbered("A", Self.renamed("a", from: "b"), Self.renamed("b", from: "a")))
        #expect(try fixture.rows("SELECT a, b FROM A") == ["was b|was a"])
    }

    @Test func `two entities can take each other's names`() throws {
        try fixture.make(
            .numbered("A", .optional("x")), .numbered("B", .optional("y")),
            inserting: ["A": #"[{"id": 1, "x": "was A"}]"#, "B": #"[{"id": 2, "y": "was B"}]"#])
        var a = EntityDescription.numbered("A", .optional("y"))
        a.renamedFrom = "B"
        var b = EntityDescription.numbered("B", .optional("x"))
        b.renamedFrom = "A"
        try fixture.migrate(a, b)
        #expect(try fixture.rows("SELECT id, y FROM A") == ["2|was B"])
        #expect(try fixture.rows("SELECT id, x FROM B") == ["1|was A"])
    }

    @Test func `values that would be lost by a name that is taken are counted`() throws {
        try fixture.make(
            .numbered("A", .optional("a"), .optional("b")),
            inserting: ["A": #"[{"id": 1, "a": "was a", "b": "was b"}]"#])
        #expect(
            try fixture.refusal(.numbered("A", Self.renamed("b", from: "a")))
                == ["A.b: the attribute is removed with its values (1)"])
    }

    @Test func `what was one can't become two`() throws {
        var other = EntityDescription.numbered("B")
        other.renamedFrom = "Old"
        var entity = EntityDescription.numbered(
            "A", Self.renamed("x", from: "z"), Self.renamed("y", from: "z"))
        entity.renamedFrom = "Old"
        let error = #expect(throws: ModelError.self) {
            try Model(name: "Test", entities: [entity, other])
        }
        #expect(
            error?.problems.map(\.path) == [
                "entities.A.renamedFrom", "entities.A.attributes.x.renamedFrom",
                "entities.A.attributes.y.renamedFrom", "entities.B.renamedFrom",
            ])
    }

    @Test func `what a step has resolved is lost by no later migration unseen`() throws {
        let kept = EntityDescription.numbered("A")
        let whole = EntityDescription.numbered("A", .optional("s"))
        let step = Migration(from: 0, to: 1, resolving: [.attribute("A.s")]) { _ in }
        var options = MigrationOptions()
        options.steps = [step]
        options.version = 1
        try fixture.make(whole, inserting: ["A": #"[{"id": 1, "s": "x"}]"#])
        try fixture.migrate(kept, options: options)
        options.version = 2
        try fixture.migrate(whole, options: options)
        try fixture.connection.execute("UPDATE A SET s = 'precious'")
        options.version = 3
        #expect(
            try fixture.refusal(kept, options: options)
                == ["A.s: the attribute is removed with its values (1)"])
    }

    @Test func `many links become one where each object has but one`() throws {
        func entity(isToMany: Bool) -> EntityDescription {
            .numbered(
                "A",
                relationships: [
                    RelationshipDescription(
                        "b", to: "B", isToMany: isToMany, isOptional: !isToMany,
                        isOrdered: isToMany, key: "b")
                ])
        }
        try fixture.make(
            entity(isToMany: true), .numbered("B"),
            inserting: ["A": #"[{"id": 1, "b": [5]}, {"id": 2, "b": [6]}, {"id": 3}]"#])
        try fixture.migrate(entity(isToMany: false), .numbered("B"))
        #expect(try fixture.rows("SELECT id, b FROM A") == ["1|5", "2|6", "3|NULL"])
    }
}
