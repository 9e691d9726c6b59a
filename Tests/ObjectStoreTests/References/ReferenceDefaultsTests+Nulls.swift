import Testing

@testable import LarderObjectStore

@Entity
private struct Person {
    @Identity var id: Int
    var note: String? = "none"
}

@Entity(parent: Person.self)
private struct Member {
    @Inherited var id: Int
}

@Entity
private struct Seat {
    @Identity var id: Int
    var member: One<Member>?
}

/// What is said to be empty is so: no default takes its place when a reference becomes an object.
extension ReferenceDefaultsTests {
    private static let emptied = AttributeDescription(
        "note", .string, isOptional: true, key: "note", default: .string("none"))

    /// What one document says of a user, and the note in the end.
    @Test(
        arguments: [false, true],
        [
            (#"[{"id": 8, "login": "b", "note": null}, {"id": 8, "mail": "m"}]"#, "NULL"),
            (#"[{"id": 8, "login": "b"}, {"id": 8, "mail": "m", "note": null}]"#, "NULL"),
            // The last one says by itself all that is required.
            (
                #"[{"id": 8, "mail": "m", "note": null}, {"id": 8, "login": "b", "mail": "m"}]"#,
                "NULL"
            ),
            (
                #"""
                [{"id": 8, "login": "b", "note": null}, {"id": 8, "note": "n"},
                 {"id": 8, "mail": "m"}]
                """#, "n"
            ),
            (
                #"""
                [{"id": 8, "login": "b", "note": "n"}, {"id": 8, "note": null},
                 {"id": 8, "mail": "m"}]
                """#, "NULL"
            ),
            (#"[{"id": 8, "login": "b"}, {"id": 8, "mail": "m"}]"#, "none"),
            // What has been an object is one by its own values.
            (
                #"""
                [{"id": 8, "note": null}, {"id": 8, "login": "b", "mail": "m"},
                 {"id": 8, "login": "b", "mail": "m", "note": "n"},
                 {"id": 8, "login": "c", "mail": "m"}]
                """#, "n"
            ),
        ])
    func `null in one place of a document, the rest in another`(
        _ isFamily: Bool, _ said: (json: String, note: String)
    ) throws {
        let (id, note) = (AttributeDescription.required("id", .integer), Self.emptied)
        let rest = [AttributeDescription.required("login"), .required("mail")]
        let entities =
            isFamily
            ? [
                EntityDescription(name: "Account", identity: ["id"], attributes: [id, note]),
                EntityDescription(name: "User", parent: "Account", attributes: rest),
            ] : [EntityDescription(name: "User", identity: ["id"], attributes: [id, note] + rest)]
        let fixture = try StoreFixture(Model(name: "Test", entities: entities))
        try fixture.insert("User", said.json)
        let table = isFamily ? "Account" : "User"
        #expect(try fixture.rows("SELECT note FROM \(table)") == [said.note])
    }

    @Test func `null in a reference that the document's end makes an object`() throws {
        let fixture = try StoreFixture(
            .numbered(
                "Issue",
                relationships: [
                    RelationshipDescription(
                        "comments", to: "Comment", isToMany: true, key: "comments",
                        inverse: "issue")
                ]),
            EntityDescription(
                name: "Comment", identity: ["id"],
                attributes: [.required("id", .integer), Self.emptied],
                relationships: [
                    RelationshipDescription("issue", to: "Issue", key: nil, inverse: "comments"),
                    RelationshipDescription("reply", to: "Comment", isOptional: true, key: "reply"),
                ]))
        try fixture.insert(
            "Issue",
            """
            [{"id": 1, "comments": [{"id": 5, "note": null, "reply": {"id": 6, "note": null}}, 6]},
             {"id": 2, "comments": [{"id": 7, "reply": {"id": 8}}, 8]}]
            """)
        #expect(
            try fixture.rows(#"SELECT id, note, "$reference" FROM Comment ORDER BY id"#)
                == ["5|NULL|NULL", "6|NULL|NULL", "7|none|NULL", "8|none|NULL"])
    }

    @Test func `nil in an object of code, though there is a reference to a sub-entity`() throws {
        let fixture = try StoreFixture(entities: Person.self, Member.self, Seat.self)
        try fixture.store.save(Seat(id: 1, member: One(id: 1)))
        let query = #"SELECT "$entity", note, "$reference" FROM Person"#
        #expect(try fixture.rows(query) == ["Member|NULL|1"])
        try fixture.store.save(Person(id: 1, note: nil))
        #expect(try fixture.rows(query) == ["Member|NULL|NULL"])
    }
}
