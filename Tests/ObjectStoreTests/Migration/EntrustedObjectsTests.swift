import Testing

@testable import LarderObjectStore

/// Steps that say to take care of objects, where others go or are hidden too.
struct EntrustedObjectsTests {
    private let fixture: MigrationFixture
    private let id = AttributeDescription.required("id", .integer)
    private let title = AttributeDescription.required("title")

    init() throws { fixture = try MigrationFixture() }

    @Test func `what a step merges is not held against what it gives an identity`() throws {
        func note(_ identity: String, _ code: AttributeDescription) -> EntityDescription {
            EntityDescription(name: "Note", identity: [identity], attributes: [id, title, code])
        }
        try fixture.make(
            note("id", .optional("code")),
            inserting: [
                "Note": #"""
                [{"id": 10, "title": "a", "code": "x"}, {"id": 20, "title": "b", "code": "x"},
                 {"id": 30, "title": "c"}]
                """#
            ])
        let after = note("code", .required("code"))
        let entity: Set<ModelPart> = [.entity("Note")]
        #expect(
            try fixture.refusal(after, options: .step(resolving: entity) { _ in })
                == ["Note: objects without a value in their new identity (1)"])
        let options = MigrationOptions.step(resolving: entity) { context in
            context.atEnd {
                try context.execute(
                    "INSERT INTO Note (\"$id\", id, code, title) VALUES (30, 30, 'y', 'c')")
            }
        }
        try fixture.migrate(after, options: options)
        #expect(
            try fixture.rows("SELECT id, code, title FROM Note ORDER BY id")
                == ["20|x|b", "30|y|c"])
    }

    @Test func `what others may lose is not held against a step that makes them another's`() throws
    {
        func family(
            isAbstract: Bool, _ subject: AttributeDescription..., others: [String: String]
        ) -> [EntityDescription] {
            [
                EntityDescription(
                    name: "Doc", isAbstract: isAbstract, identity: ["id"], attributes: [id, title],
                    mapper: EntityMapper(key: "kind", values: others)),
                EntityDescription(
                    name: "Letter", parent: "Doc", attributes: [.optional("text")] + subject),
            ]
        }
        let before = family(isAbstract: false, others: ["letter": "Letter"])
        try fixture.make(
            before[0], before[1],
            inserting: [
                "Doc": #"""
                [{"id": 1, "title": "a"}, {"id": 2, "title": "b", "kind": "letter", "text": "x"}]
                """#
            ])
        let after = family(
            isAbstract: true, .required("subject"), others: ["letter": "Letter", "memo": "Memo"])
        let memo = EntityDescription(
            name: "Memo", parent: "Doc", attributes: [.optional("note")])
        let doc: Set<ModelPart> = [.entity("Doc")]
        var idle = MigrationOptions.step(resolving: doc) { _ in }
        idle.allowedLosses = [.attribute("Letter.subject")]
        #expect(
            try fixture.refusal(after[0], after[1], memo, options: idle)
                == ["Doc: objects of an entity that has none of its own now (1)"])
        var options = MigrationOptions.step(resolving: doc) { context in
            context.atEnd {
                try context.execute(
                    "UPDATE Doc SET \"$entity\" = 'Memo' WHERE \"$entity\" = 'Doc'")
            }
        }
        options.allowedLosses = [.attribute("Letter.subject")]
        try fixture.migrate(after[0], after[1], memo, options: options)
        #expect(
            try fixture.rows(
                "SELECT id, \"$entity\", title, \"$reference\" IS NULL FROM Doc ORDER BY id")
                == ["1|Memo|a|1", "2|Letter|b|0"])
    }
}
