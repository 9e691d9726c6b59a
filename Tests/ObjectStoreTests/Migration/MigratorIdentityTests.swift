import Foundation
import LarderPromises
import Testing

@testable import LarderObjectStore

/// Identities that change, and links to the objects that have them.
struct MigratorIdentityTests {
    private let fixture: MigrationFixture

    init() throws { fixture = try MigrationFixture() }

    private static func note(
        _ identity: [String], _ attributes: AttributeDescription...
    ) -> EntityDescription {
        EntityDescription(name: "Note", identity: identity, attributes: attributes)
    }

    private static let list = EntityDescription.numbered(
        "List",
        relationships: [
            RelationshipDescription("top", to: "Note", isOptional: true, key: "top"),
            RelationshipDescription(
                "notes", to: "Note", isToMany: true, isOrdered: true, key: "notes"),
        ])

    private let id = AttributeDescription.required("id", .integer)
    private let code = AttributeDescription.required("code")
    private let lists = #"""
        [{"id": 1, "top": {"id": 20, "code": "b"},
          "notes": [{"id": 20, "code": "b"}, {"id": 10, "code": "a"}]}]
        """#

    private var linked: [String] {
        get throws {
            try fixture.rows(
                """
                SELECT n.code, t.code FROM "List.notes" AS l JOIN Note AS n ON l.target = n.id
                JOIN List ON l.source = List.id JOIN Note AS t ON t.id = List.top
                ORDER BY l.position
                """)
        }
    }

    @Test func `rows keep their links when another attribute identifies them`() throws {
        try fixture.make(Self.note(["code"], id, code), Self.list, inserting: ["List": lists])
        try fixture.migrate(Self.note(["id"], id, code), Self.list)
        #expect(try linked == ["b|b", "a|b"])
        #expect(try fixture.rows("SELECT id, code FROM Note") == ["10|a", "20|b"])
        try fixture.migrate(Self.note(["code"], id, code), Self.list)
        #expect(try linked == ["b|b", "a|b"])
    }

    @Test func `an identity that changes its type keeps links`() throws {
        try fixture.make(Self.note(["id"], id, code), Self.list, inserting: ["List": lists])
        try fixture.migrate(Self.note(["id"], .required("id"), code), Self.list)
        #expect(try fixture.rows("SELECT id, code FROM Note ORDER BY id") == ["10|a", "20|b"])
        try fixture.migrate(Self.note(["id"], id, code), Self.list)
        #expect(try linked == ["b|b", "a|b"])
    }

    private static let respelled =
        "Note.id: identities as text in the store's spelling, such as a UUID in upper case,"
        + " by which what a server spells otherwise is another object"

    /// Two notes as a server writes them, and one that is known by a reference only.
    private let served = #"""
        [{"id": 1, "top": {"id": "6ba7b810-9dad-11d1-80b4-00c04fd430c8", "code": "a"},
          "notes": [{"id": "6ba7b810-9dad-11d1-80b4-00c04fd430c8", "code": "a"},
                    {"id": "6ba7b811-9dad-11d1-80b4-00c04fd430c8", "code": "b"},
                    "6ba7b812-9dad-11d1-80b4-00c04fd430c8"]}]
        """#

    @Test func `UUIDs that become text are refused in the store's spelling`() throws {
        try fixture.make(
            Self.note(["id"], .required("id", .uuid), code), Self.list,
            inserting: ["List": served])
        let after = Self.note(["id"], .required("id"), code)
        #expect(try fixture.refusal(after, Self.list) == ["\(Self.respelled) (3)"])
        var options = MigrationOptions()
        options.allowedLosses = [.attribute("Note.id")]
        try fixture.migrate(after, Self.list, options: options)
        #expect(
            try fixture.rows("SELECT id FROM Note ORDER BY id LIMIT 1")
                == ["6BA7B810-9DAD-11D1-80B4-00C04FD430C8"])
    }

    @Test func `set as the server writes them they are found by its next response`() throws {
        let steps: [(rows: Int, body: @Sendable (MigrationContext) throws -> Void)] = [
            (
                3,
                { context in
                    context.atEnd { try context.execute("UPDATE Note SET id = lower(id)") }
                }
            ),
            // What is known by a reference only comes to no closure, and is another one then.
            (
                4,
                { context in
                    try context.map("Note") { old, new in
                        let id = try old.value("id", as: UUID.self)
                        try new.set("id", id?.uuidString.lowercased() ?? "")
                    }
                }
            ),
        ]
        let after = Self.note(["id"], .required("id"), code)
        for step in steps {
            let fixture = try MigrationFixture()
            try fixture.make(
                Self.note(["id"], .required("id", .uuid), code), Self.list,
                inserting: ["List": served])
            var configuration = Store.Configuration()
            configuration.migration = .step(resolving: [.attribute("Note.id")], step.body)
            let store = try Store(
                at: fixture.path, model: Model(name: "Test", entities: [after, Self.list]),
                configuration: configuration)
            _ = try store.import("List", from: Data(served.utf8))
            #expect(try store.count(DynamicQuery("Note")) == 2)
            #expect(try fixture.rows("SELECT count(*) FROM Note") == ["\(step.rows)"])
            #expect(
                try fixture.rows("SELECT code FROM List JOIN Note ON Note.rowid = top") == ["a"])
        }
    }

    @Test(
        arguments: [
            (.url, #""https://e.x/é""#), (.decimal, "1.10"), (.double, "5"),
        ] as [(AttributeType, String)])
    func `URLs and fractions that become text are refused as well`(
        _ type: AttributeType, _ json: String
    ) throws {
        try fixture.make(
            Self.note(["id"], .required("id", type), .optional("other", type)),
            inserting: ["Note": #"[{"id": \#(json), "other": \#(json)}]"#])
        #expect(
            try fixture.refusal(Self.note(["id"], .required("id"), .optional("other")))
                == ["\(Self.respelled) (1)"])
    }

    @Test func `a URL of ASCII alone may become text`() throws {
        try fixture.make(
            Self.note(["id"], .required("id", .url)),
            inserting: ["Note": #"[{"id": "https://e.x/a?b=c"}]"#])
        try fixture.migrate(Self.note(["id"], .required("id")))
        #expect(try fixture.rows("SELECT id FROM Note") == ["https://e.x/a?b=c"])
    }

    @Test func `the smallest and the largest identity are like any other`() throws {
        let ids = [Int64.min, 5, .max]
        let notes = ids.map { #"{"id": \#($0), "code": "\#($0)", "size": 7}"# }
            .joined(separator: ", ")
        let size = AttributeDescription.optional("size", .integer)
        try fixture.make(
            Self.note(["id"], id, code, size), Self.list,
            inserting: [
                "List": #"[{"id": 1, "top": {"id": 5, "code": "5"}, "notes": [\#(notes)]}]"#
            ])
        var options = MigrationOptions()
        options.version = 1
        let seen = Guarded<[SQLValue]>([])
        options.steps = [
            Migration(from: 0, to: 1) { context in
                try context.map("Note") { old, new in
                    let id = try old["id"]
                    seen.withLock { $0.append(id) }
                    try new.set("mark", "seen")
                }
            }
        ]
        try fixture.migrate(
            Self.note(["id"], id, code, .optional("size"), .optional("mark")), Self.list,
            options: options)
        #expect(seen.withLock(\.self) == ids.map(SQLValue.integer))
        #expect(
            try fixture.rows("SELECT id, size, mark FROM Note ORDER BY id")
                == ids.map { "\($0)|7|seen" })
        #expect(try linked == ids.map { "\($0)|5" })
    }

    @Test func `objects that become one keep the last, and all links lead to it`() throws {
        let json = #"""
            [{"id": 1, "top": {"id": 20, "code": "a"},
              "notes": [{"id": 20, "code": "a"}, {"id": 30, "code": "b"}, {"id": 10, "code": "a"}]}]
            """#
        try fixture.make(Self.note(["id"], id, code), Self.list, inserting: ["List": json])
        let after = Self.note(["code"], id, code)
        #expect(
            try fixture.refusal(after, Self.list)
                == ["Note: objects that are the same under the new identity (1)"])
        var options = MigrationOptions()
        options.allowedLosses = [.entity("Note")]
        try fixture.migrate(after, Self.list, options: options)
        #expect(try fixture.rows("SELECT id, code FROM Note ORDER BY id") == ["20|a", "30|b"])
        #expect(try linked == ["a|a", "b|a"])
    }

    @Test func `an identity that goes is a loss`() throws {
        try fixture.make(Self.note(["id"], id, code), Self.list, inserting: ["List": lists])
        let after = Self.note([], id, code)
        #expect(
            try fixture.refusal(after, Self.list)
                == ["Note: objects that nothing identifies any more (2)"])
        var options = MigrationOptions()
        options.allowedLosses = .all
        try fixture.migrate(after, Self.list, options: options)
        #expect(try linked == ["b|b", "a|b"])
    }

    @Test func `objects get an identity where they have one`() throws {
        try fixture.make(
            Self.note([], id, .optional("code")),
            inserting: ["Note": #"[{"id": 3, "code": "c"}, {"id": 3, "code": "d"}]"#])
        #expect(
            try fixture.refusal(Self.note(["id"], id, .optional("code")))
                == ["Note: objects that are the same under the new identity (1)"])
        try fixture.migrate(Self.note(["id", "code"], id, .optional("code")))
        #expect(try fixture.rows("SELECT id, code FROM Note") == ["3|c", "3|d"])
    }

    @Test func `objects without what identifies them from now on`() throws {
        try fixture.make(
            Self.note(["code"], .optional("id", .integer), code),
            inserting: ["Note": #"[{"id": 3, "code": "c"}, {"code": "d"}]"#])
        #expect(
            try fixture.refusal(Self.note(["id"], id, code))
                == ["Note: objects without a value in their new identity (1)"])
        var options = MigrationOptions()
        options.allowedLosses = .all
        try fixture.migrate(Self.note(["id"], id, code), options: options)
        #expect(try fixture.rows("SELECT id, code FROM Note") == ["3|c"])
    }

    @Test(arguments: [AttributeType.string, .integer])
    func `they go whatever their identity is, and what must have them becomes a reference`(
        _ type: AttributeType
    ) throws {
        let post = EntityDescription.numbered(
            "Post", relationships: [RelationshipDescription("note", to: "Note", key: "note")])
        try fixture.make(
            Self.note(["id"], id, .optional("code")), post, Self.list,
            inserting: [
                "Note": #"[{"id": 3, "code": "7"}, {"id": 4}]"#,
                "Post": #"[{"id": 1, "note": 3}, {"id": 2, "note": 4}]"#,
                "List": #"[{"id": 1, "top": 4, "notes": [4, 3]}]"#,
            ])
        let after = Self.note(["code"], id, .required("code", type))
        #expect(
            try fixture.refusal(after, post, Self.list) == [
                "Note: objects without a value in their new identity (1)",
                "Post.note: objects without what is required now (1)",
            ])
        var options = MigrationOptions()
        options.allowedLosses = .all
        try fixture.migrate(after, post, Self.list, options: options)
        #expect(try fixture.rows("SELECT id, code FROM Note") == ["3|7"])
        #expect(
            try fixture.rows("SELECT id, note IS NULL, \"$reference\" FROM Post ORDER BY id")
                == ["1|0|NULL", "2|1|1"])
        #expect(try fixture.rows("SELECT top FROM List") == ["NULL"])
        #expect(try fixture.rows("SELECT count(*) FROM \"List.notes\"") == ["1"])
    }

    private func place(_ identity: [String]) -> EntityDescription {
        Self.note(
            identity, .optional("code"), .optional("part"), .optional("language"), .required("name")
        )
    }

    @Test func `identities that are empty in part are told apart by the rest`() throws {
        try fixture.make(
            place(["code", "part", "language"]),
            inserting: [
                "Note": #"""
                [{"code": "a", "language": "de", "name": "eins"},
                 {"code": "a", "language": "en", "name": "one"},
                 {"code": "a", "part": "p", "language": "de", "name": "zwei"},
                 {"name": "x"}, {"name": "y"}]
                """#
            ])
        let after = place(["code", "part"])
        #expect(
            try fixture.refusal(after)
                == ["Note: objects that are the same under the new identity (1)"])
        var options = MigrationOptions()
        options.allowedLosses = .all
        try fixture.migrate(after, options: options)
        #expect(
            try fixture.rows("SELECT code, part, name FROM Note ORDER BY name")
                == ["a|NULL|one", "NULL|NULL|x", "NULL|NULL|y", "a|p|zwei"])
    }

    @Test func `objects that had no identity can be the same under a longer one`() throws {
        try fixture.make(
            place(["code"]),
            inserting: ["Note": #"[{"part": "p", "name": "x"}, {"part": "p", "name": "y"}]"#])
        #expect(
            try fixture.refusal(place(["code", "part"]))
                == ["Note: objects that are the same under the new identity (1)"])
    }

    @Test func `objects that get a default as their identity can be the same`() throws {
        try fixture.make(
            place(["code"]),
            inserting: ["Note": #"[{"name": "x"}, {"name": "y"}, {"code": "a", "name": "z"}]"#])
        var code = AttributeDescription.required("code")
        code.defaultValue = .string("a")
        let after = Self.note(
            ["code"], code, .optional("part"), .optional("language"), .required("name"))
        #expect(
            try fixture.refusal(after)
                == ["Note: objects that are the same under the new identity (2)"])
    }

    @Test func `an object stays before a reference that becomes one with it`() throws {
        let list = EntityDescription.numbered(
            "List",
            relationships: [
                RelationshipDescription(
                    "top", to: "Note", isOptional: true, key: "top", isPartial: true)
            ])
        func note(_ identity: [String]) -> EntityDescription {
            Self.note(identity, .required("code"), .required("part"), .required("name"))
        }
        try fixture.make(
            note(["code", "part"]), list,
            inserting: [
                "Note": #"[{"code": "a", "part": "p", "name": "real"}]"#,
                "List": #"[{"id": 1, "top": {"code": "a", "part": "q"}}]"#,
            ])
        #expect(try fixture.rows("SELECT count(*) FROM Note") == ["2"])
        try fixture.migrate(note(["code"]), list)
        #expect(
            try fixture.rows(
                "SELECT code, part, name, n.\"$reference\" FROM List"
                    + " JOIN Note AS n ON top = n.\"$id\"") == ["a|p|real|NULL"])
        #expect(try fixture.rows("SELECT count(*) FROM Note") == ["1"])
    }

    @Test func `a longer identity merges nothing`() throws {
        try fixture.make(
            Self.note(["code"], .optional("id", .integer), code),
            inserting: ["Note": #"[{"id": 3, "code": "c"}, {"code": "d"}]"#])
        try fixture.migrate(
            Self.note(["code", "id"], .optional("id", .integer), code))
        #expect(try fixture.rows("SELECT id, code FROM Note") == ["3|c", "NULL|d"])
    }
}
