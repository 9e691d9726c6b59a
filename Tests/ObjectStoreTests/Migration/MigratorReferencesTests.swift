import Testing

@testable import LarderObjectStore

/// Objects of families that go or become one, and others that can't be without them.
struct MigratorReferencesTests {
    private let fixture: MigrationFixture

    init() throws { fixture = try MigrationFixture() }

    private func message(_ identity: String = "id", _ names: String...) -> EntityDescription {
        EntityDescription(
            name: "Message", isAbstract: true, identity: [identity],
            attributes: [.required("id"), .required("code")],
            mapper: EntityMapper(
                key: "kind", values: Dictionary(uniqueKeysWithValues: names.map { ($0, $0) })))
    }

    private func sub(_ name: String) -> EntityDescription {
        EntityDescription(name: name, parent: "Message", attributes: [.optional("text")])
    }

    private func comment(to destination: String = "Message") -> EntityDescription {
        .numbered(
            "Comment",
            relationships: [RelationshipDescription("about", to: destination, key: "about")])
    }

    private var allowingAll: MigrationOptions {
        var options = MigrationOptions()
        options.allowedLosses = .all
        return options
    }

    private func check(_ entities: EntityDescription...) throws {
        let store = try Store(at: fixture.path, model: Model(name: "Test", entities: entities))
        #expect(try store.integrityCheck().description == "ok")
        for entity in entities { _ = try store.fetch(RecordQuery(entity.name)) }
    }

    @Test func `what must lead to an object of a removed sub-entity becomes a reference`() throws {
        try fixture.make(
            message("id", "Text", "Picture"), sub("Text"), sub("Picture"), comment(),
            inserting: [
                "Comment": #"""
                [{"id": 1, "about": {"kind": "Text", "id": "1", "code": "a"}},
                 {"id": 2, "about": {"kind": "Picture", "id": "2", "code": "b"}}]
                """#
            ])
        let after = (message("id", "Text"), sub("Text"), comment())
        #expect(
            try fixture.refusal(after.0, after.1, after.2) == [
                "Comment.about: objects without what is required now (1)",
                "Picture: the entity is removed with its objects (1)",
            ])
        var options = MigrationOptions()
        options.allowedLosses = [.entity("Picture")]
        #expect(
            try fixture.refusal(after.0, after.1, after.2, options: options)
                == ["Comment.about: objects without what is required now (1)"])
        try fixture.migrate(after.0, after.1, after.2, options: allowingAll)
        #expect(
            try fixture.rows("SELECT id, about, \"$reference\" FROM Comment ORDER BY id")
                == ["1|1|NULL", "2|NULL|1"])
        try check(after.0, after.1, after.2)
    }

    @Test func `objects of two sub-entities can become one`() throws {
        let objects = #"""
            [{"kind": "Text", "id": "1", "code": "x"}, {"kind": "Picture", "id": "2", "code": "x"},
             {"kind": "Text", "id": "3", "code": "x"}, {"kind": "Picture", "id": "4", "code": "y"}]
            """#
        try fixture.make(
            message("id", "Text", "Picture"), sub("Text"), sub("Picture"), comment(to: "Picture"),
            inserting: [
                "Message": objects,
                "Comment": #"[{"id": 1, "about": "2"}, {"id": 2, "about": "4"}]"#,
            ])
        let after = (
            message("code", "Text", "Picture"), sub("Text"), sub("Picture"), comment(to: "Picture")
        )
        #expect(
            try fixture.refusal(after.0, after.1, after.2, after.3) == [
                "Comment.about: objects without what is required now (1)",
                "Message: objects that are the same under the new identity (2)",
            ])
        try fixture.migrate(after.0, after.1, after.2, after.3, options: allowingAll)
        #expect(
            try fixture.rows("SELECT \"$entity\", id, code FROM Message ORDER BY id")
                == ["Text|3|x", "Picture|4|y"])
        // A text is no picture.
        #expect(
            try fixture.rows("SELECT about IS NULL, \"$reference\" FROM Comment ORDER BY id")
                == ["1|1", "0|NULL"])
        try check(after.0, after.1, after.2, after.3)
    }

    @Test func `an identity that changes with the parent is looked at`() throws {
        let objects = #"[{"id": "1", "code": "x"}, {"id": "2", "code": "x"}]"#
        try fixture.make(message("id", "Text"), sub("Text"), inserting: ["Text": objects])
        var (root, text) = (message("code", "Text"), sub("Text"))
        root.name = "Item"
        text.parent = "Item"
        #expect(
            try fixture.refusal(root, text)
                == ["Text: objects that are the same under the new identity (1)"])
    }
}
