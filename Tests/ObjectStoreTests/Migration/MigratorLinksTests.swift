import Testing

@testable import LarderObjectStore

/// Relationships that come, go, and are kept in another way.
struct MigratorLinksTests {
    private let fixture: MigrationFixture

    init() throws { fixture = try MigrationFixture() }

    private static func many(
        _ name: String, _ destination: String, inverse: String? = nil, ordered: Bool = false,
        from earlier: String? = nil
    ) -> RelationshipDescription {
        RelationshipDescription(
            name, to: destination, isToMany: true, isOrdered: ordered, key: name, inverse: inverse,
            renamedFrom: earlier)
    }

    private static func one(
        _ name: String, _ destination: String, inverse: String? = nil, optional: Bool = true,
        from earlier: String? = nil
    ) -> RelationshipDescription {
        RelationshipDescription(
            name, to: destination, isOptional: optional, key: name, inverse: inverse,
            renamedFrom: earlier)
    }

    private static func issue(_ relationships: RelationshipDescription...) -> EntityDescription {
        .numbered("Issue", relationships: relationships)
    }

    private static func tag(_ relationships: RelationshipDescription...) -> EntityDescription {
        .numbered("Tag", relationships: relationships)
    }

    private let tagged = #"[{"id": 1, "tags": [3, 1, 2]}, {"id": 2, "tags": [1]}]"#
    private let assigned = #"[{"id": 1, "tag": 7}, {"id": 2, "tag": 8}, {"id": 3, "tag": 7}]"#

    @Test func `new relationships are empty`() throws {
        try fixture.make(Self.issue(), Self.tag(), inserting: ["Issue": #"[{"id": 1}]"#])
        try fixture.migrate(
            Self.issue(Self.one("tag", "Tag"), Self.many("tags", "Tag", ordered: true)), Self.tag())
        #expect(try fixture.rows("SELECT id, tag FROM Issue") == ["1|NULL"])
    }

    @Test func `a new order comes after what has none`() throws {
        try fixture.make(
            Self.issue(Self.many("tags", "Tag")), Self.tag(), inserting: ["Issue": tagged])
        try fixture.migrate(Self.issue(Self.many("tags", "Tag", ordered: true)), Self.tag())
        #expect(
            try fixture.rows("SELECT * FROM \"Issue.tags\" ORDER BY 1, 2")
                == ["1|1|NULL", "1|2|NULL", "1|3|NULL", "2|1|NULL"])
    }

    @Test func `an order that goes is a loss`() throws {
        try fixture.make(
            Self.issue(Self.many("tags", "Tag", ordered: true)), Self.tag(),
            inserting: ["Issue": tagged])
        let after = Self.issue(Self.many("tags", "Tag"))
        #expect(
            try fixture.refusal(after, Self.tag())
                == ["Issue.tags: places in the order of links (3)"])
        var options = MigrationOptions()
        options.allowedLosses = [.relationship("Issue.tags")]
        try fixture.migrate(after, Self.tag(), options: options)
        #expect(try fixture.rows("SELECT count(*) FROM \"Issue.tags\"") == ["4"])
    }

    @Test func `renamed ends keep their links and order`() throws {
        try fixture.make(
            Self.issue(Self.many("tags", "Tag", ordered: true)), Self.tag(),
            inserting: ["Issue": tagged])
        var bug = EntityDescription.numbered(
            "Bug", relationships: [Self.many("labels", "Label", ordered: true, from: "tags")])
        bug.renamedFrom = "Issue"
        var label = EntityDescription.numbered("Label")
        label.renamedFrom = "Tag"
        try fixture.migrate(bug, label)
        #expect(
            try fixture.rows("SELECT target FROM \"Bug.labels\" WHERE source = 1 ORDER BY position")
                == ["3", "1", "2"])
    }

    @Test func `a renamed to-one relationship keeps its links`() throws {
        try fixture.make(
            Self.issue(Self.one("tag", "Tag")), Self.tag(), inserting: ["Issue": assigned])
        var label = EntityDescription.numbered("Label")
        label.renamedFrom = "Tag"
        try fixture.migrate(Self.issue(Self.one("label", "Label", from: "tag")), label)
        #expect(try fixture.rows("SELECT id, label FROM Issue") == ["1|7", "2|8", "3|7"])
    }

    @Test func `an inverse joins links that are there`() throws {
        try fixture.make(
            Self.issue(Self.many("tags", "Tag", ordered: true)), Self.tag(),
            inserting: ["Issue": tagged])
        try fixture.migrate(
            Self.issue(Self.many("tags", "Tag", inverse: "issues", ordered: true)),
            Self.tag(Self.many("issues", "Issue", inverse: "tags", ordered: true)))
        #expect(
            try fixture.rows("SELECT source, target FROM \"Issue.tags\" ORDER BY source, position")
                == ["1|3", "1|1", "1|2", "2|1"])
    }

    @Test func `two relationships become inverse to each other`() throws {
        try fixture.make(
            Self.issue(Self.many("tags", "Tag")), Self.tag(Self.many("issues", "Issue")),
            inserting: ["Issue": tagged, "Tag": #"[{"id": 1, "issues": [1, 9]}]"#])
        try fixture.migrate(
            Self.issue(Self.many("tags", "Tag", inverse: "issues")),
            Self.tag(Self.many("issues", "Issue", inverse: "tags")))
        #expect(
            try fixture.rows("SELECT source, target FROM \"Issue.tags\" ORDER BY 1, 2")
                == ["1|1", "1|2", "1|3", "2|1", "9|1"])
    }

    @Test func `relationships that were inverse go their own ways`() throws {
        try fixture.make(
            Self.issue(Self.many("tags", "Tag", inverse: "issues")),
            Self.tag(Self.many("issues", "Issue", inverse: "tags")), inserting: ["Issue": tagged])
        try fixture.migrate(
            Self.issue(Self.many("tags", "Tag")), Self.tag(Self.many("issues", "Issue")))
        #expect(
            try fixture.rows("SELECT source, target FROM \"Tag.issues\" ORDER BY 1, 2")
                == ["1|1", "1|2", "2|1", "3|1"])
        #expect(try fixture.rows("SELECT count(*) FROM \"Issue.tags\"") == ["4"])
    }

    @Test func `one side may go while the other keeps the links`() throws {
        try fixture.make(
            Self.issue(Self.many("tags", "Tag", inverse: "issues")),
            Self.tag(Self.many("issues", "Issue", inverse: "tags")), inserting: ["Issue": tagged])
        try fixture.migrate(Self.issue(), Self.tag(Self.many("issues", "Issue")))
        #expect(
            try fixture.rows("SELECT source, target FROM \"Tag.issues\" ORDER BY 1, 2")
                == ["1|1", "1|2", "2|1", "3|1"])
    }

    @Test func `a to-one relationship becomes to-many`() throws {
        try fixture.make(
            Self.issue(Self.one("tag", "Tag")), Self.tag(), inserting: ["Issue": assigned])
        try fixture.migrate(Self.issue(Self.many("tags", "Tag", from: "tag")), Self.tag())
        #expect(
            try fixture.rows("SELECT source, target FROM \"Issue.tags\"") == ["1|7", "2|8", "3|7"])
    }

    @Test func `a to-many relationship becomes to-one where each has one`() throws {
        let before = Self.issue(Self.many("tags", "Tag"))
        try fixture.make(
            before, Self.tag(), inserting: ["Issue": #"[{"id": 1, "tags": [5]}, {"id": 2}]"#])
        let after = Self.issue(Self.one("tag", "Tag", from: "tags"))
        try fixture.migrate(after, Self.tag())
        #expect(try fixture.rows("SELECT id, tag FROM Issue") == ["1|5", "2|NULL"])
    }

    @Test func `links beyond the first are a loss`() throws {
        try fixture.make(
            Self.issue(Self.many("tags", "Tag")), Self.tag(), inserting: ["Issue": tagged])
        let after = Self.issue(Self.one("tag", "Tag", from: "tags"))
        #expect(try fixture.refusal(after, Self.tag()) == ["Issue.tag: links beyond the first (2)"])
        var options = MigrationOptions()
        options.allowedLosses = .all
        try fixture.migrate(after, Self.tag(), options: options)
        #expect(try fixture.rows("SELECT id, tag FROM Issue") == ["1|3", "2|1"])
    }

    @Test func `links move from a table to the other side's column and back`() throws {
        let apart = (Self.issue(), Self.tag(Self.many("issues", "Issue")))
        let joined = (
            Self.issue(Self.one("tag", "Tag", inverse: "issues")),
            Self.tag(Self.many("issues", "Issue", inverse: "tag"))
        )
        try fixture.make(
            apart.0, apart.1,
            inserting: ["Tag": #"[{"id": 7, "issues": [1, 3]}, {"id": 8, "issues": [2]}]"#])
        try fixture.migrate(joined.0, joined.1)
        #expect(try fixture.rows("SELECT id, tag FROM Issue ORDER BY id") == ["1|7", "2|8", "3|7"])
        try fixture.migrate(apart.0, apart.1)
        #expect(
            try fixture.rows("SELECT source, target FROM \"Tag.issues\"") == ["7|1", "7|3", "8|2"])
    }

    @Test func `a relationship that becomes its own inverse has each link in both directions`()
        throws
    {
        try fixture.make(
            Self.issue(Self.many("related", "Issue")),
            inserting: ["Issue": #"[{"id": 1, "related": [2]}]"#])
        try fixture.migrate(Self.issue(Self.many("related", "Issue", inverse: "related")))
        #expect(
            try fixture.rows("SELECT source, target FROM \"Issue.related\"") == ["1|2", "2|1"])
    }

    @Test func `links that no relationship goes on with are a loss`() throws {
        try fixture.make(
            Self.issue(Self.many("tags", "Tag"), Self.one("tag", "Tag")), Self.tag(),
            inserting: ["Issue": #"[{"id": 1, "tag": 7, "tags": [1, 2]}]"#])
        #expect(
            try fixture.refusal(Self.issue(), Self.tag()) == [
                "Issue.tag: the relationship is removed with its links (1)",
                "Issue.tags: the relationship is removed with its links (2)",
            ])
        var options = MigrationOptions()
        options.allowedLosses = [.entity("Tag")]
        try fixture.migrate(Self.issue(), options: options)
        #expect(try fixture.rows("SELECT id FROM Issue") == ["1"])
    }

    @Test func `links to another entity than before are a loss`() throws {
        try fixture.make(
            Self.issue(Self.one("tag", "Tag")), Self.tag(), .numbered("Label"),
            inserting: ["Issue": assigned])
        let after = Self.issue(Self.one("tag", "Label"))
        #expect(
            try fixture.refusal(after, Self.tag(), .numbered("Label"))
                == ["Issue.tag: links to objects of another entity (3)"])
        var options = MigrationOptions()
        options.allowedLosses = [.relationship("Issue.tag")]
        try fixture.migrate(after, Self.tag(), .numbered("Label"), options: options)
        #expect(try fixture.rows("SELECT id, tag FROM Issue") == ["1|NULL", "2|NULL", "3|NULL"])
    }

    @Test func `a relationship that must lead somewhere from now on`() throws {
        try fixture.make(
            Self.issue(Self.one("tag", "Tag")), Self.tag(),
            inserting: ["Issue": #"[{"id": 1, "tag": 7}, {"id": 2}]"#])
        let after = Self.issue(Self.one("tag", "Tag", optional: false))
        #expect(
            try fixture.refusal(after, Self.tag())
                == ["Issue.tag: objects without what is required now (1)"])
        var options = MigrationOptions()
        options.allowedLosses = [.relationship("Issue.tag")]
        try fixture.migrate(after, Self.tag(), options: options)
        #expect(try fixture.rows("SELECT id, tag FROM Issue") == ["1|7", "2|NULL"])
    }
}
