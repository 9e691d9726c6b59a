import Testing

@testable import LarderObjectStore

/// What falls out of an array whose policy is to replace goes as any deleted object goes.
struct MapperDeletionTests {
    private func fixture(deny: Bool = false) throws -> StoreFixture {
        try StoreFixture(
            .numbered(
                "User",
                relationships: [
                    RelationshipDescription(
                        "posts", to: "Post", isToMany: true, key: "posts", inverse: "user",
                        policy: .replace)
                ]),
            .numbered(
                "Post",
                relationships: [
                    RelationshipDescription(
                        "user", to: "User", isOptional: true, key: "user", inverse: "posts"),
                    RelationshipDescription(
                        "comments", to: "Comment", isToMany: true, key: "comments",
                        inverse: "post", deleteRule: deny ? .deny : .cascade),
                    RelationshipDescription(
                        "stars", to: "Star", isToMany: true, key: "stars", inverse: "post"),
                ]),
            .numbered(
                "Comment",
                relationships: [
                    RelationshipDescription(
                        "post", to: "Post", isOptional: true, key: "post", inverse: "comments")
                ]),
            .numbered(
                "Star",
                relationships: [
                    RelationshipDescription(
                        "post", to: "Post", isOptional: true, key: "post", inverse: "stars")
                ]))
    }

    private let json = """
        {"id": 1, "posts": [
          {"id": 1, "comments": [{"id": 1}, {"id": 2}], "stars": [{"id": 1}]}, {"id": 2}]}
        """

    @Test func `with what its delete rules take along`() throws {
        let fixture = try fixture()
        try fixture.insert("User", json)
        let report = try fixture.insert("User", #"{"id": 1, "posts": [{"id": 3}]}"#)
        #expect(report["Post"] == .init(1, deleted: 2))
        #expect(report["Comment"] == .init(deleted: 2))
        #expect(report["Star"] == .init(0, 1))
        #expect(try fixture.rows("SELECT id FROM Post") == ["3"])
        #expect(try fixture.rows("SELECT count(*) FROM Comment") == ["0"])
        #expect(try fixture.rows("SELECT post FROM Star") == ["NULL"])
        let indexes = try fixture.rows("SELECT name FROM sqlite_schema WHERE type = 'index'")
        #expect(indexes.contains("Star.post") && indexes.contains("Comment.post"))
    }

    @Test func `unless a rule denies it`() throws {
        let fixture = try fixture(deny: true)
        try fixture.insert("User", json)
        let error = fixture.mappingError("User", #"{"id": 1, "posts": [{"id": 3}]}"#)
        #expect(
            error?.reason
                == .notDeletable(
                    WritingError(entity: "Post", attribute: "comments", reason: .denied(count: 2))))
        #expect(error?.path == "$.posts")
        #expect(try fixture.rows("SELECT id FROM Post") == ["1", "2"])
        let report = try fixture.insert("User", #"{"id": 1, "posts": [1, {"id": 3}]}"#)
        #expect(report["Post"] == .init(1, deleted: 1))
    }

    @Test func `what can't be without it may find another in the document`() throws {
        let fixture = try StoreFixture(
            .numbered(
                "List",
                relationships: [
                    RelationshipDescription(
                        "items", to: "Item", isToMany: true, key: "items", policy: .replace),
                    RelationshipDescription("orders", to: "Order", isToMany: true, key: "orders"),
                ]),
            .numbered("Item"),
            .numbered(
                "Order", relationships: [RelationshipDescription("item", to: "Item", key: "item")]))
        try fixture.insert(
            "List", #"{"id": 1, "items": [1, 2], "orders": [{"id": 9, "item": 1}]}"#)
        try fixture.insert(
            "List",
            #"[{"id": 1, "items": [2]}, {"id": 2, "orders": [{"id": 9, "item": 2}]}]"#)
        #expect(try fixture.rows("SELECT item FROM \"Order\"") == ["2"])
        #expect(try fixture.rows("SELECT id FROM Item") == ["2"])
    }

    @Test func `nothing is required of what has gone, nor of a reference that comes after it`()
        throws
    {
        let fixture = try StoreFixture(
            .numbered(
                "User", .required("name"),
                relationships: [
                    RelationshipDescription("friend", to: "User", isOptional: true, key: "friend"),
                    RelationshipDescription(
                        "owner", to: "User", isOptional: true, key: "owner", inverse: "things"),
                    RelationshipDescription(
                        "things", to: "User", isToMany: true, key: "things", inverse: "owner",
                        policy: .replace),
                    RelationshipDescription("last", to: "User", isToMany: true, key: "last"),
                ]))
        // The user 0, who must have a name, is made, linked by 3 and falls out of its list.
        try fixture.insert(
            "User",
            """
            [{"id": 3, "name": "C", "things": [],
              "friend": {"id": 3, "name": "C", "friend": {"id": 0}, "things": [0]}},
             {"id": 1, "name": "A", "last": [0]}]
            """)
        #expect(
            try fixture.rows("SELECT id, name FROM User ORDER BY id") == ["0|NULL", "1|A", "3|C"])
    }

    @Test func `an array that deletes its owner and what it holds links nothing anew`() throws {
        let fixture = try StoreFixture(
            .numbered(
                "Comment", .optional("part"),
                relationships: [
                    RelationshipDescription(
                        "top", to: "Comment", isOptional: true, key: "top", inverse: "answers"),
                    RelationshipDescription(
                        "copy", to: "Comment", isOptional: true, key: "copy", deleteRule: .cascade),
                    RelationshipDescription(
                        "answers", to: "Comment", isToMany: true, key: "answers", inverse: "top",
                        policy: .replace),
                ]))
        try fixture.insert(
            "Comment", #"{"id": 2, "top": {"id": 2, "answers": [{"id": 0, "part": "x"}]}}"#)
        let report = try fixture.insert(
            "Comment",
            #"{"id": 2, "copy": {"id": 0, "part": "x"}, "answers": [{"id": 0, "part": "x"}]}"#)
        #expect(try fixture.rows("SELECT id, top, copy FROM Comment") == [])
        #expect(report["Comment"] == .init(0, 1, 1, unlinked: 1, deleted: 2))
    }

    @Test func `what is deleted and comes anew inside its own array is linked anew`() throws {
        let owner = EntityDescription(
            name: "Owner", identity: ["name"], attributes: [.required("name")],
            relationships: [
                RelationshipDescription(
                    "items", to: "Item", isToMany: true, key: "items", inverse: "owner",
                    policy: .replace)
            ])
        let item = EntityDescription(
            name: "Item", identity: ["id"], attributes: [.required("id", .integer)],
            relationships: [
                RelationshipDescription(
                    "owner", to: "Owner", isOptional: true, key: "owner", inverse: "items")
            ])
        let fixture = try StoreFixture(Model(name: "Test", entities: [owner, item]))
        try fixture.insert("Item", #"{"id": 2, "owner": {"name": "a"}}"#)
        let report = try fixture.insert(
            "Owner", #"{"name": "a", "items": [{"owner": {"name": "a", "items": []}, "id": 2}]}"#)
        #expect(report["Item"].deleted == 1)
        #expect(report["Owner"].linked == 1)
        #expect(report["Owner"].unlinked == 1)
        #expect(try fixture.rows("SELECT id, owner IS NULL FROM Item") == ["2|0"])
    }

    private func nested() throws -> StoreFixture {
        func replacing(_ name: String) -> RelationshipDescription {
            RelationshipDescription(
                name, to: "Comment", isToMany: true, isOrdered: true, key: name, policy: .replace)
        }
        return try StoreFixture(
            .numbered("Thread", relationships: [replacing("comments")]),
            .numbered(
                "Comment", .optional("text"),
                relationships: [
                    RelationshipDescription(
                        "top", to: "Comment", isOptional: true, key: "top"),
                    RelationshipDescription(
                        "other", to: "Comment", isOptional: true, key: "other"),
                    replacing("answers"),
                ]))
    }

    @Test(arguments: [
        // A comment moves up a level.
        (
            #"{"id": 1, "comments": [{"id": 2, "text": "y"}, {"id": 1, "answers": []}]}"#,
            "$.comments[1]"
        ),
        (
            #"{"id": 1, "comments": [2, {"id": 1, "answers": [{"id": 2}, {"id": 1, "answers": []}]}]}"#,
            "$.comments[1].answers[1]"
        ),
        (
            #"{"id": 1, "comments": [{"id": 3, "top": {"id": 2}, "other": {"id": 1, "answers": []}}]}"#,
            "$.comments[0].top"
        ),
        (
            #"{"id": 1, "comments": [{"id": 2, "answers": [{"id": 1, "answers": []}]}]}"#,
            "$.comments[0].answers"
        ),
    ])
    func `what the document leads to from around the array can't go`(
        _ json: String, _ path: String
    ) throws {
        let fixture = try nested()
        try fixture.insert(
            "Thread", #"{"id": 1, "comments": [{"id": 1, "answers": [{"id": 2, "text": "x"}]}]}"#)
        let error = fixture.mappingError("Thread", json)
        #expect(error?.reason == .leadsToDeleted)
        #expect(error?.path == path)
        #expect(try fixture.rows("SELECT id, text FROM Comment") == ["1|NULL", "2|x"])
        // A transaction goes on where the error is caught.
        try fixture.store.write { context in
            #expect(throws: MappingError.self) {
                try context.import("Thread", from: JSONDocument(json).root)
            }
            try context.import("Comment", from: JSONDocument(#"{"id": 5}"#).root)
        }
        #expect(try fixture.rows("SELECT id FROM Comment") == ["1", "2", "5"])
    }

    @Test func `what comes after the array comes anew`() throws {
        let fixture = try nested()
        try fixture.insert(
            "Thread", #"{"id": 1, "comments": [{"id": 1, "answers": [{"id": 2, "text": "x"}]}]}"#)
        try fixture.insert(
            "Thread", #"{"id": 1, "comments": [{"id": 1, "answers": []}, {"id": 2, "top": 2}]}"#)
        #expect(
            try fixture.rows("SELECT id, text, top FROM Comment") == ["1|NULL|NULL", "2|NULL|2"])
        #expect(
            try fixture.rows(#"SELECT target FROM "Thread.comments" ORDER BY position"#)
                == ["1", "2"])
    }
}
