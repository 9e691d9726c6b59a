import Testing

@testable import LarderObjectStore

/// Relationships of families, and to them, that get another owner or another destination.
struct MigratorFamilyLinksTests {
    private let fixture: MigrationFixture

    init() throws { fixture = try MigrationFixture() }

    private static func many(
        _ name: String, _ destination: String, inverse: String? = nil, ordered: Bool = false
    ) -> RelationshipDescription {
        RelationshipDescription(
            name, to: destination, isToMany: true, isOrdered: ordered, key: name, inverse: inverse)
    }

    private static func one(
        _ name: String, _ destination: String, inverse: String? = nil, optional: Bool = true
    ) -> RelationshipDescription {
        RelationshipDescription(
            name, to: destination, isOptional: optional, key: name, inverse: inverse)
    }

    private static func root(
        _ name: String, _ kinds: [String: String], _ relationships: RelationshipDescription...
    ) -> EntityDescription {
        EntityDescription(
            name: name, identity: ["id"], attributes: [.required("id", .integer)],
            relationships: relationships, mapper: EntityMapper(key: "kind", values: kinds))
    }

    private static func sub(
        _ name: String, of parent: String, _ relationships: RelationshipDescription...
    ) -> EntityDescription {
        EntityDescription(name: name, parent: parent, relationships: relationships)
    }

    private var losing: MigrationOptions {
        var options = MigrationOptions()
        options.allowedLosses = .all
        return options
    }

    @Test func `links are told of that led to a parent of where they would lead`() throws {
        let media = Self.root("Media", ["photo": "Photo", "gif": "Gif"])
        let photo = Self.sub("Photo", of: "Media")
        func post(_ destination: String) -> EntityDescription {
            .numbered(
                "Post",
                relationships: [Self.many("pictures", destination), Self.one("cover", destination)])
        }
        try fixture.make(
            media, photo, Self.sub("Gif", of: "Photo"), post("Media"),
            inserting: [
                "Media": #"[{"id": 1, "kind": "photo"}, {"id": 2, "kind": "photo"}]"#,
                "Post": #"[{"id": 1, "pictures": [1, 2], "cover": 1}]"#,
            ])
        let losses = try fixture.refusal(
            media, photo, Self.sub("Gif", of: "Media"), post("Photo"))
        #expect(
            losses.sorted() == [
                "Post.cover: links to objects of another entity (1)",
                "Post.pictures: links to objects of another entity (2)",
            ])
    }

    @Test func `links are told of where their relationship moves down and leads elsewhere`() throws
    {
        let (photo, post) = (
            EntityDescription.numbered("Photo"), EntityDescription.numbered("Post")
        )
        let kinds = ["person": "Person", "bot": "Bot"]
        let bot = Self.sub("Bot", of: "Account")
        try fixture.make(
            Self.root("Account", kinds, Self.many("favourites", "Photo")),
            Self.sub("Person", of: "Account"), bot, photo, post,
            inserting: [
                "Account":
                    #"[{"id": 1, "kind": "person", "favourites": [1, 2]}, {"id": 2, "kind": "bot"}]"#
            ])
        #expect(
            try fixture.refusal(
                Self.root("Account", kinds),
                Self.sub("Person", of: "Account", Self.many("favourites", "Post")), bot, photo, post
            )
                == ["Account.favourites: the relationship is removed with its links (2)"])
    }

    /// A person's issues and what it has read, which were those of all accounts.
    @Test(arguments: [true, false])
    func `a relationship that narrows with its inverse keeps the links to what is left`(
        _ isOptional: Bool
    ) throws {
        let kinds = ["person": "Person", "bot": "Bot"]
        let bot = Self.sub("Bot", of: "Account")
        let (issues, read) = (
            Self.many("issues", "Issue", inverse: "assignee"),
            Self.many("read", "Issue", inverse: "readers")
        )
        func issue(_ destination: String) -> EntityDescription {
            .numbered(
                "Issue",
                relationships: [
                    Self.one("assignee", destination, inverse: "issues", optional: isOptional),
                    Self.many("readers", destination, inverse: "read", ordered: true),
                ])
        }
        try fixture.make(
            Self.root("Account", kinds, issues, read), Self.sub("Person", of: "Account"), bot,
            issue("Account"),
            inserting: [
                "Account": #"""
                [{"id": 1, "kind": "person"}, {"id": 2, "kind": "bot"}, {"id": 3, "kind": "person"}]
                """#,
                "Issue": #"""
                [
                    {"id": 1, "assignee": 1, "readers": [3, 2, 1]},
                    {"id": 2, "assignee": 2, "readers": [2]}
                ]
                """#,
            ])
        let (account, person) = (
            Self.root("Account", kinds), Self.sub("Person", of: "Account", issues, read)
        )
        let losses = try fixture.refusal(account, person, bot, issue("Person"))
        let required = "Issue.assignee: objects without what is required now (1)"
        #expect(
            losses.sorted() == [
                "Account.issues: the relationship is removed with its links (1)",
                "Account.read: the relationship is removed with its links (2)",
            ] + (isOptional ? [] : [required]))
        try fixture.migrate(account, person, bot, issue("Person"), options: losing)
        #expect(
            try fixture.rows("SELECT id, assignee, \"$reference\" FROM Issue")
                == ["1|1|NULL", isOptional ? "2|NULL|NULL" : "2|NULL|1"])
        let store = try Store(
            at: fixture.path,
            model: Model(name: "Test", entities: [account, person, bot, issue("Person")]))
        let readers = try store.fetch(DynamicQuery("Issue")).first?.many("readers")
        #expect(readers?.map { $0["id"] } == [.integer(3), .integer(1)])
    }
}
