import Testing

@testable import LarderObjectStore

/// What is refused, how it reads, and what allows it.
struct MigrationErrorTests {
    private let fixture: MigrationFixture
    private let before = EntityDescription.numbered(
        "Note", .required("text"), .optional("about"), .optional("stars", .integer))

    init() throws {
        fixture = try MigrationFixture()
        try fixture.make(
            before, .numbered("Tag"),
            inserting: [
                "Note": #"""
                [{"id": 1, "text": "x", "about": "y", "stars": 2},
                 {"id": 2, "text": "7", "stars": null}]
                """#,
                "Tag": "[1, 2, 3]",
            ])
    }

    @Test func `all losses are listed at once with what they are about`() throws {
        let after = EntityDescription.numbered(
            "Note", .required("text", .integer), .required("stars", .integer))
        #expect(
            try fixture.refusal(after) == [
                "Note.text: values that the new type can't hold unchanged (1)",
                "Note.text: objects without what is required now (1)",
                "Note.stars: objects without what is required now (1)",
                "Note.about: the attribute is removed with its values (1)",
                "Tag: the entity is removed with its objects (3)",
            ])
    }

    @Test func `the error names the file and the plan`() throws {
        let model = try Model(name: "Test", entities: [before])
        let error = try #require(
            #expect(throws: MigrationError.self) { try Store(at: fixture.path, model: model) })
        #expect(error.path == fixture.path)
        #expect(error.plan.steps == [.remove(.entity("Tag"))])
        #expect(
            error.description == """
                The store is not migrated, since it would lose:
                  Tag: the entity is removed with its objects (3); rename it by renamedFrom, or move it in a step that resolves it
                What may go is named in MigrationOptions.allowedLosses.
                (\(fixture.path))
                """)
    }

    @Test func `what holds nothing goes without being asked for`() throws {
        try fixture.make(before, .numbered("Tag"), .numbered("Empty", .optional("x")))
        try fixture.migrate(before, .numbered("Tag"))
        try fixture.make(
            .numbered(
                "Note", .required("text"), .optional("about"), .optional("stars", .integer),
                .optional("never")), .numbered("Tag"))
        try fixture.migrate(before, .numbered("Tag"))
    }

    @Test func `each part is allowed by its name`() throws {
        let after = EntityDescription.numbered(
            "Note", .required("text", .integer), .required("stars", .integer))
        var options = MigrationOptions()
        options.allowedLosses = [.attribute("Note.text"), .attribute("Note.about"), .entity("Tag")]
        #expect(
            try fixture.refusal(after, options: options)
                == ["Note.stars: objects without what is required now (1)"])
        options.allowedLosses = [.entity("Note"), .entity("Tag")]
        try fixture.migrate(after, options: options)
        #expect(try fixture.rows("SELECT id, text, stars FROM Note") == ["1|NULL|2", "2|7|NULL"])
    }

    @Test func `all may be allowed`() throws {
        var options = MigrationOptions()
        options.allowedLosses = .all
        try fixture.migrate(.numbered("Tag"), options: options)
        #expect(try fixture.rows("SELECT count(*) FROM Tag") == ["3"])
    }
}
