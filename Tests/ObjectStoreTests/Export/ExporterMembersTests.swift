import Foundation
import Testing

@testable import LarderObjectStore

/// Key paths that share their first steps, with each other and with relationships.
@Suite struct ExporterMembersTests {
    private static let user = EntityDescription.numbered(
        "User", .optional("login"), .optional("site"))

    private static let issue = EntityDescription.numbered(
        "Issue", AttributeDescription("login", .string, isOptional: true, key: "user.login"),
        AttributeDescription("kind", .string, isOptional: true, key: "user.meta.kind"),
        relationships: [
            RelationshipDescription("user", to: "User", isOptional: true, key: "user"),
            RelationshipDescription(
                "others", to: "Issue", isToMany: true, isOrdered: true, key: "user.others"),
        ])

    private func export(
        _ json: String, _ relationships: ExportedRelationships, _ entities: EntityDescription...
    ) throws -> String {
        let fixture = try StoreFixture(Model(name: "Test", entities: entities))
        let name = entities[0].name
        try fixture.insert(name, json)
        return try fixture.store.read { snapshot in
            let json = try snapshot.json(
                QueryDescription(entity: name), relationships: relationships)
            return String(decoding: json, as: UTF8.self)
        }
    }

    @Test func `attributes of one object stand together`() throws {
        let place = EntityDescription.numbered(
            "Place", AttributeDescription("city", .string, key: "address.city"),
            .optional("note"),
            AttributeDescription("north", .double, isOptional: true, key: "address.at.north"),
            AttributeDescription("east", .double, isOptional: true, key: "address.at.east"),
            AttributeDescription("inner", .string, key: nil, default: .string("kept to itself")))
        #expect(
            try export(#"{"id":1,"address":{"at":{"east":2.5},"city":"Ulm"}}"#, .nested, place)
                == #"[{"id":1,"address":{"city":"Ulm","at":{"north":null,"east":2.5}},"note":null}]"#
        )
    }

    @Test func `what is not mapped is neither read nor written`() throws {
        let shy = EntityDescription.numbered(
            "Shy", AttributeDescription("note", .string, isOptional: true, key: nil),
            relationships: [
                RelationshipDescription("next", to: "Shy", isOptional: true, key: nil),
                RelationshipDescription("others", to: "Shy", isToMany: true, key: nil),
            ])
        let fixture = try StoreFixture(shy)
        try fixture.insert(
            "Shy", #"{"id":1,"note":"n","next":{"id":2},"others":[{"id":3}],"nil":4}"#)
        #expect(try fixture.rows("SELECT id, note, next FROM Shy") == ["1|NULL|NULL"])
        let json = try fixture.store.read {
            try $0.json(QueryDescription(entity: "Shy"), relationships: .nested)
        }
        #expect(String(decoding: json, as: UTF8.self) == #"[{"id":1}]"#)
    }

    @Test func `two attributes at one key path are one value`() throws {
        let twins = EntityDescription.numbered(
            "Twins", AttributeDescription("a", .string, key: "x"),
            AttributeDescription("b", .string, key: "x"))
        #expect(try export(#"{"id":1,"x":"v"}"#, .nested, twins) == #"[{"id":1,"x":"v"}]"#)
    }

    @Test func `keys are written as JSON has them`() throws {
        let odd = EntityDescription.numbered(
            "Odd", AttributeDescription("a", .string, key: "a \"b\"\\\n.ü"))
        #expect(
            try export(#"{"id":1,"a \"b\"\\\n":{"ü":"v"}}"#, .nested, odd)
                == #"[{"id":1,"a \"b\"\\\n":{"ü":"v"}}]"#)
    }

    @Test(
        arguments: [
            (
                ExportedRelationships.nested,
                #","user":{"id":5,"login":"ann","site":null,"meta":{"kind":null},"others":[]}"#
            ),
            (.identities, #","user":{"id":5,"login":"ann","meta":{"kind":null},"others":[]}"#),
            (.omitted, ""),
        ])
    func `a linked object has the members that stand beside it`(
        relationships: ExportedRelationships, user: String
    ) throws {
        let json = try export(
            #"{"id":1,"user":{"id":5,"login":"ann"}}"#, relationships, Self.issue, Self.user)
        #expect(json == #"[{"id":1\#(user)}]"#)
    }

    @Test func `nothing linked and nothing beside it is null`() throws {
        #expect(
            try export(#"{"id":1,"user":null}"#, .nested, Self.issue, Self.user)
                == #"[{"id":1,"user":null}]"#)
    }

    @Test func `what stands beside nothing makes up no object`() throws {
        let fixture = try StoreFixture(Self.issue, Self.user)
        try fixture.insert("Issue", #"{"id":1,"user":{"id":5,"login":"ann"}}"#)
        try fixture.store.write { context in
            _ = try context.delete(DynamicQuery("User"))
        }
        let json = try fixture.store.json(DynamicQuery("Issue"))
        #expect(String(decoding: json, as: UTF8.self) == #"[{"id":1,"user":null}]"#)
        let report = try fixture.insert("Issue", JSONDocument(json).root)
        #expect(report.total == .init(0, 0, 1))
        #expect(try fixture.rows("SELECT login FROM Issue") == ["ann"])
    }

    /// Users, whose names their issues know too.
    private static func users(isPartial: Bool = false) -> [EntityDescription] {
        [
            .numbered(
                "User", .optional("login"),
                relationships: [
                    RelationshipDescription(
                        "issues", to: "Issue", isToMany: true, key: "issues", inverse: "user")
                ]),
            .numbered(
                "Issue",
                AttributeDescription("userLogin", .string, isOptional: true, key: "user.login"),
                AttributeDescription("avatar", .string, isOptional: true, key: "user.avatar"),
                relationships: [
                    RelationshipDescription(
                        "user", to: "User", isOptional: true, key: "user", inverse: "issues",
                        isPartial: isPartial)
                ]),
        ]
    }

    /// What is imported, an issue between users, and then written: users whole, issues with identities.
    struct Story {
        var before: [String] = []
        let issue: String
        var after: [String] = []
        let users: String
        let issues: String
    }

    @Test(
        arguments: [
            // The issue knows no name.
            Story(
                before: [#"{"id":7,"login":"ann"}"#], issue: #"{"id":1,"user":7}"#,
                users: #"[{"id":7,"login":"ann","issues":[{"id":1}]}]"#,
                issues: #"[{"id":1,"user":7}]"#),
            // It knows the user's.
            Story(
                issue: #"{"id":1,"user":{"id":7,"login":"ann"}}"#,
                users: #"[{"id":7,"login":"ann","issues":"#
                    + #"[{"id":1,"user":{"id":7,"login":"ann","avatar":null}}]}]"#,
                issues: #"[{"id":1,"user":{"id":7,"login":"ann","avatar":null}}]"#),
            // It knows an older one, and what the user does not have.
            Story(
                issue: #"{"id":1,"user":{"id":7,"login":"ann","avatar":"a"}}"#,
                after: [#"{"id":7,"login":"bob"}"#],
                users: #"[{"id":7,"login":"bob","issues":"#
                    + #"[{"id":1,"user":{"id":7,"avatar":"a"}}]}]"#,
                issues: #"[{"id":1,"user":{"id":7,"avatar":"a"}}]"#),
            // The user has not arrived.
            Story(issue: #"{"id":1,"user":7}"#, users: "[]", issues: #"[{"id":1,"user":7}]"#),
        ])
    func `beside an identity stands nothing that the linked object does not say`(
        story: Story
    ) throws {
        let fixture = try StoreFixture(Model(name: "Test", entities: Self.users()))
        for user in story.before { try fixture.insert("User", user) }
        try fixture.insert("Issue", story.issue)
        for user in story.after { try fixture.insert("User", user) }
        let users = try fixture.store.json(DynamicQuery("User"))
        #expect(String(decoding: users, as: UTF8.self) == story.users)
        let issues = try fixture.store.json(DynamicQuery("Issue"), relationships: .identities)
        #expect(String(decoding: issues, as: UTF8.self) == story.issues)
        #expect(try fixture.insert("User", JSONDocument(users).root).total.changes == 0)
        #expect(try fixture.insert("Issue", JSONDocument(issues).root).total.changes == 0)
    }

    @Test(arguments: [(false, "7"), (true, #"{"id":7,"avatar":"a"}"#)])
    func `what stands beside a reference makes no object of it`(
        isPartial: Bool, user: String
    ) throws {
        let model = try Model(name: "Test", entities: Self.users(isPartial: isPartial))
        let fixture = try StoreFixture(model)
        try fixture.insert("Issue", #"{"id":1,"user":7}"#)
        try fixture.store.write { context in
            try context.connection.execute("UPDATE Issue SET userLogin = 'ann', avatar = 'a'")
        }
        let json = try fixture.store.json(DynamicQuery("Issue"))
        #expect(String(decoding: json, as: UTF8.self) == #"[{"id":1,"user":\#(user)}]"#)
        #expect(try fixture.insert("Issue", JSONDocument(json).root).total.changes == 0)
        #expect(try fixture.store.count(DynamicQuery("User").references()) == 1)
    }

    @Test func `keys inside one object are told apart`() throws {
        let user = EntityDescription.numbered(
            "User", AttributeDescription("size", .integer, isOptional: true, key: "meta.size"))
        let json = try export(
            #"{"id":1,"user":{"id":5,"meta":{"size":2,"kind":"k"}}}"#, .identities, Self.issue,
            user)
        #expect(json == #"[{"id":1,"user":{"id":5,"login":null,"meta":{"kind":"k"},"others":[]}}]"#)
    }

    @Test func `the way back is named where something stands beside it`() throws {
        let user = EntityDescription.numbered(
            "User",
            relationships: [
                RelationshipDescription(
                    "issues", to: "Issue", isToMany: true, key: "issues", inverse: "user")
            ])
        let issue = EntityDescription.numbered(
            "Issue", AttributeDescription("login", .string, key: "user.login"),
            relationships: [
                RelationshipDescription(
                    "user", to: "User", isOptional: true, key: "user", inverse: "issues")
            ])
        let json = try export(
            #"{"id":5,"issues":[{"id":1,"user":{"id":5,"login":"ann"}}]}"#, .nested, user, issue)
        #expect(json == #"[{"id":5,"issues":[{"id":1,"user":{"id":5,"login":"ann"}}]}]"#)
    }

    @Test(
        arguments: [
            (#"{"x":{"y":2,"z":3}}"#, #"{"x":{"y":2,"z":3}}"#),
            (#"{"x":{"z":3}}"#, #"{"x":{"z":3,"y":null}}"#),
            (#"{"x":{}}"#, #"{"x":{"y":null}}"#), (#"{"x":null}"#, #"{"x":null}"#),
            (#"{"x":7}"#, #"{"x":7}"#), (#"{"x":[1]}"#, #"{"x":[1]}"#),
        ])
    func `JSON that was kept has what was read from it`(json: String, expected: String) throws {
        let entity = EntityDescription(
            name: "Bag",
            attributes: [
                .optional("x", .json),
                AttributeDescription("y", .integer, isOptional: true, key: "x.y"),
            ])
        let fixture = try StoreFixture(entity)
        try fixture.store.write { context in
            let value = json.dropFirst(5).dropLast()
            try context.connection.execute(
                "INSERT INTO Bag (x) VALUES (nullif('\(value)', 'null'))")
        }
        let written = try fixture.store.read {
            try $0.json(QueryDescription(entity: "Bag"), relationships: .nested)
        }
        #expect(String(decoding: written, as: UTF8.self) == "[\(expected)]")
    }
}
