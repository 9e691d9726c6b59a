import Foundation
import Testing

@testable import LarderObjectStore

/// What a refusal advises to do, done: all objects are there behind it, and all links lead to them.
struct MigrationRemedyTests {
    private let fixture: MigrationFixture
    private let id = AttributeDescription.required("id", .integer)
    private let title = AttributeDescription.required("title")
    private let list = EntityDescription.numbered(
        "List",
        relationships: [
            RelationshipDescription("top", to: "Note", isOptional: true, key: "top"),
            RelationshipDescription(
                "notes", to: "Note", isToMany: true, isOrdered: true, key: "notes"),
        ])

    init() throws {
        fixture = try MigrationFixture()
        try fixture.make(
            note(["id"], id, title), list,
            inserting: [
                "List": #"""
                [{"id": 1, "top": {"id": 20, "title": "b"},
                  "notes": [{"id": 20, "title": "b"}, {"id": 10, "title": "a"}]}]
                """#
            ])
    }

    private func note(
        _ identity: [String], _ attributes: AttributeDescription...
    ) -> EntityDescription {
        EntityDescription(name: "Note", identity: identity, attributes: attributes)
    }

    private func remedy(_ reason: MigrationLoss.Reason, of part: ModelPart) -> String {
        MigrationLoss(part, reason).remedy
    }

    /// The notes that the list links, in order, each with the one on top.
    private var linked: [String] {
        get throws {
            try fixture.rows(
                """
                SELECT n.title, t.title FROM "List.notes" AS l JOIN Note AS n ON l.target = n.rowid
                JOIN List ON l.source = List.id JOIN Note AS t ON t.rowid = List.top
                ORDER BY l.position
                """)
        }
    }

    // MARK: New identities

    private var withAccount: EntityDescription {
        note(["id", "account"], id, .required("account"), title)
    }

    @Test func `a new identity has a default`() throws {
        #expect(
            remedy(.unidentified, of: .entity("Note"))
                == "give the new identity a default, or set it by map in a step,"
                + " which has no references")
        var account = AttributeDescription.required("account")
        account.defaultValue = .string("ann")
        try fixture.migrate(note(["id", "account"], id, account, title), list)
        #expect(
            try fixture.rows("SELECT id, account, title FROM Note ORDER BY id")
                == ["10|ann|a", "20|ann|b"])
        #expect(try linked == ["b|b", "a|b"])
    }

    @Test func `map sets a new identity, and what else is to be set`() throws {
        let options = MigrationOptions.step { context in
            try context.map("Note") { old, new in
                #expect(try new["id"] == old["id"])
                #expect(try new["account"] == .null)
                try new.set("account", "ann \(try old.value("id", as: Int.self) ?? 0)")
            }
            try context.map("Note") { old, new in
                #expect(try new["account"] != .null)
                try new.set("title", "\(try old.value("title", as: String.self) ?? "")!")
            }
        }
        try fixture.migrate(withAccount, list, options: options)
        #expect(
            try fixture.rows("SELECT id, account, title FROM Note ORDER BY id")
                == ["10|ann 10|a!", "20|ann 20|b!"])
        #expect(try linked == ["b!|b!", "a!|b!"])
    }

    @Test func `map gives each a number that is another one's so far`() throws {
        let options = MigrationOptions.step { context in
            try context.map("Note") { old, new in
                try new.set("code", 30 - (try old.value("id", as: Int.self) ?? 0))
            }
        }
        try fixture.migrate(
            note(["code"], .required("code", .integer), id, title), list, options: options)
        #expect(
            try fixture.rows("SELECT code, id, title FROM Note ORDER BY code")
                == ["10|20|b", "20|10|a"])
        #expect(try linked == ["b|b", "a|b"])
    }

    @Test func `map sets an identity whose type has changed`() throws {
        let after = note(["id"], .required("id", .uuid), title)
        #expect(
            try fixture.refusal(after, list) == [
                "Note: objects without a value in their new identity (2)",
                "Note.id: values that the new type can't hold unchanged (2)",
            ])
        let options = MigrationOptions.step(resolving: [.attribute("Note.id")]) { context in
            try context.map("Note") { _, new in try new.set("id", UUID()) }
        }
        try fixture.migrate(after, list, options: options)
        #expect(try fixture.rows("SELECT count(DISTINCT id) FROM Note") == ["2"])
        #expect(try linked == ["b|b", "a|b"])
    }

    @Test func `map or SQL sets an identity as the server spells it`() {
        #expect(
            remedy(.respelled, of: .attribute("Note.id"))
                == "set it as the server writes it, by map or by SQL at the end of a step that"
                + " resolves it")
    }

    @Test func `a step that gives some an identity gives it all, or names who has none`() throws {
        let options = MigrationOptions.step(resolving: [.entity("Note")]) { context in
            try context.map("Note") { old, new in
                if try old["id"] == .integer(20) { try new.set("account", "ann") }
            }
        }
        let contents = try fixture.contents
        let error = #expect(throws: StoreError.self) {
            try fixture.migrate(withAccount, list, options: options)
        }
        #expect(error?.reason == .unexpectedValue)
        #expect(
            error?.message
                == "a step leaves the Note whose id is 10 without a value in its new identity")
        #expect(try fixture.contents == contents)
        var allowing = options
        allowing.allowedLosses = [.entity("Note")]
        try fixture.migrate(withAccount, list, options: allowing)
        #expect(try linked == ["b|b"])
    }

    @Test func `a step that gives two one identity is refused with their names`() throws {
        let options = MigrationOptions.step(resolving: [.entity("Note")]) { context in
            try context.map("Note") { _, new in try new.set("account", "ann") }
        }
        let error = #expect(throws: StoreError.self) {
            try fixture.migrate(
                note(["account"], id, .required("account"), title), list, options: options)
        }
        #expect(
            error?.message == "a step gives the Note whose id is 10 and the Note whose id is 20"
                + " the same identity")
        #expect(try linked == ["b|b", "a|b"])
    }

    @Test func `a reference without a new identity goes where that is allowed`() throws {
        try fixture.make(
            note(["id"], id, title), list, inserting: ["List": #"[{"id": 2, "top": 30}]"#])
        var options = MigrationOptions.step(resolving: [.entity("Note")]) { context in
            try context.map("Note") { _, new in try new.set("account", "ann") }
        }
        #expect(
            try fixture.refusal(withAccount, list, options: options)
                == ["Note: objects without a value in their new identity (1)"])
        options.allowedLosses = [.entity("Note")]
        try fixture.migrate(withAccount, list, options: options)
        #expect(try linked == ["b|b", "a|b"])
        #expect(try fixture.rows("SELECT count(*) FROM Note") == ["2"])
    }

    @Test func `the identity of a family is set through any of its entities`() throws {
        func family(_ identity: [String], _ added: AttributeDescription...) -> [EntityDescription] {
            [
                EntityDescription(
                    name: "Doc", identity: identity, attributes: [id] + added,
                    mapper: EntityMapper(key: "kind", values: ["memo": "Memo"])),
                EntityDescription(name: "Memo", parent: "Doc", attributes: [.optional("text")]),
            ]
        }
        let fixture = try MigrationFixture()
        let (before, after) = (family(["id"]), family(["code"], .required("code")))
        try fixture.make(
            before[0], before[1],
            inserting: ["Doc": #"[{"id": 1}, {"id": 2, "kind": "memo", "text": "x"}]"#])
        let options = MigrationOptions.step { context in
            try context.map("Doc") { old, new in
                try new.set("code", "d\(try old.value("id", as: Int.self) ?? 0)")
            }
            try context.map("Memo") { old, new in
                #expect(try new["code"] == .text("d2"))
                try new.set("code", try old.value("text", as: String.self) ?? "")
            }
        }
        try fixture.migrate(after[0], after[1], options: options)
        #expect(
            try fixture.rows("SELECT id, \"$entity\", code, text FROM Doc ORDER BY id")
                == ["1|Doc|d1|NULL", "2|Memo|x|x"])
    }

    @Test func `closures run in their order where one of them may set an identity`() throws {
        let fixture = try MigrationFixture()
        let name = AttributeDescription.required("name")
        let (code, author) = (
            AttributeDescription.required("code"), AttributeDescription.required("by", .integer)
        )
        try fixture.make(
            note(["id"], id, code, author), .numbered("User", name),
            inserting: [
                "User": #"[{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bob"}]"#,
                "Note": """
                [{"id": 10, "code": "x", "by": 2}, {"id": 20, "code": "y", "by": 1},
                 {"id": 30, "code": "z", "by": 2}]
                """,
            ])
        let options = MigrationOptions.step { context in
            var names: [SQLValue: String] = [:]
            var counts: [SQLValue: Int] = [:]
            try context.map("User") { old, _ in
                names[try old["id"]] = try old.value("name")
            }
            try context.map("Note") { old, new in
                let user = try old["by"]
                counts[user, default: 0] += 1
                try new.set("author", names[user])
            }
            try context.map("User") { old, new in
                try new.set("count", counts[try old["id"]])
            }
        }
        try fixture.migrate(
            note(["code"], id, code, author, .optional("author")),
            .numbered("User", name, .optional("count", .integer)), options: options)
        #expect(
            try fixture.rows("SELECT code, author FROM Note ORDER BY code")
                == ["x|Bob", "y|Ann", "z|Bob"])
        #expect(
            try fixture.rows("SELECT id, name, count FROM User ORDER BY id")
                == ["1|Ann|1", "2|Bob|2"])
    }

    @Test func `a step that resolves the loss of objects has to keep as many`() throws {
        let entity: Set<ModelPart> = [.entity("Note")]
        #expect(
            try fixture.refusal(withAccount, list, options: .step(resolving: entity) { _ in })
                == ["Note: objects without a value in their new identity (2)"])
        let options = MigrationOptions.step(resolving: entity) { context in
            try context.execute("CREATE TEMP TABLE notes AS SELECT * FROM Note")
            try context.execute("CREATE TEMP TABLE links AS SELECT * FROM \"List.notes\"")
            context.atEnd {
                try context.execute(
                    "INSERT INTO Note (\"$id\", id, account, title)"
                        + " SELECT id, id, 'ann', title FROM temp.notes")
                try context.execute("UPDATE List SET top = 20")
                try context.execute(
                    "INSERT INTO \"List.notes\" (source, target, position)"
                        + " SELECT source, target, position FROM temp.links")
            }
        }
        try fixture.migrate(withAccount, list, options: options)
        #expect(try linked == ["b|b", "a|b"])
    }

    @Test func `objects that lose their identity stay where a step says so`() throws {
        #expect(
            remedy(.identityRemoved, of: .entity("Note"))
                == "keep the identity, or resolve it in a step, by which they stay")
        try fixture.migrate(
            note([], id, title), list, options: .step(resolving: [.entity("Note")]) { _ in })
        #expect(try fixture.rows("SELECT count(*) FROM Note") == ["2"])
        #expect(try linked == ["b|b", "a|b"])
    }

    @Test func `objects that become the same are merged by a step`() throws {
        #expect(
            remedy(.duplicate, of: .entity("Note")) == "merge them in a step that resolves it")
        let code = AttributeDescription.optional("code")
        try fixture.make(
            note(["id"], id, title, code), list,
            inserting: ["Note": #"[{"id": 10, "code": "x"}, {"id": 20, "code": "x"}]"#])
        let options = MigrationOptions.step(resolving: [.entity("Note")]) { context in
            try context.execute(
                "UPDATE Note SET title = (SELECT group_concat(title, '') FROM Note) WHERE id = 20")
        }
        try fixture.migrate(note(["code"], id, title, code), list, options: options)
        #expect(try fixture.rows("SELECT id, title FROM Note") == ["20|ab"])
        #expect(try linked == ["ab|ab"])
    }

    // MARK: Others

    @Test func `objects of an entity that becomes abstract get a sub-entity by SQL`() throws {
        #expect(
            remedy(.abstract, of: .entity("Note"))
                == "make them objects of a sub-entity by SQL at the end of a step that resolves it")
        let parent = EntityDescription(
            name: "Note", isAbstract: true, identity: ["id"], attributes: [id],
            mapper: EntityMapper(key: "kind", values: ["memo": "Memo"]))
        let memo = EntityDescription(name: "Memo", parent: "Note", attributes: [title])
        let resolved: Set<ModelPart> = [.entity("Note")]
        #expect(
            try fixture.refusal(
                parent, memo, list, options: .step(resolving: resolved) { _ in })
                == ["Note: objects of an entity that has none of its own now (2)"])
        let options = MigrationOptions.step(resolving: resolved) { context in
            try context.execute("CREATE TEMP TABLE titles AS SELECT id, title FROM Note")
            context.atEnd {
                try context.execute(
                    "UPDATE Note SET \"$entity\" = 'Memo', title = t.title FROM temp.titles AS t"
                        + " WHERE t.id = Note.id")
            }
        }
        try fixture.migrate(parent, memo, list, options: options)
        #expect(
            try fixture.rows("SELECT count(*) FROM Note WHERE \"$reference\" IS NULL") == ["2"])
        #expect(try linked == ["b|b", "a|b"])
    }

    @Test func `a relationship that is required now is set by SQL at the end`() throws {
        #expect(
            remedy(.empty, of: .relationship("Note.list"))
                == "make it optional, or set it by SQL at the end of a step that resolves it")
        let owned = EntityDescription(
            name: "Note", identity: ["id"], attributes: [id, title],
            relationships: [RelationshipDescription("list", to: "List", key: "list")])
        let options = MigrationOptions.step(resolving: [.relationship("Note.list")]) { context in
            context.atEnd { try context.execute("UPDATE Note SET list = 1") }
        }
        try fixture.migrate(owned, list, options: options)
        #expect(
            try fixture.rows("SELECT count(*) FROM Note WHERE \"$reference\" IS NULL") == ["2"])
        #expect(try linked == ["b|b", "a|b"])
    }
}
