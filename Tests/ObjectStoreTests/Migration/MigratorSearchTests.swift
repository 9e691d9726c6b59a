import Testing

@testable import LarderObjectStore

/// What becomes of full-text indexes when a store gets another model.
struct MigratorSearchTests {
    private let fixture: MigrationFixture

    init() throws { fixture = try MigrationFixture() }

    private func entity(
        _ name: String = "A", searchable: Set<String>,
        more: [AttributeDescription] = [], renamedFrom: String? = nil
    ) -> EntityDescription {
        EntityDescription(
            name: name, identity: ["id"],
            attributes: [
                AttributeDescription("id", .integer, key: "id"),
                AttributeDescription(
                    "title", .string, isOptional: true, key: "title",
                    isSearchable: searchable.contains("title")),
                AttributeDescription(
                    "text", .string, isOptional: true, key: "text",
                    isSearchable: searchable.contains("text")),
            ] + more, renamedFrom: renamedFrom)
    }

    private let json = #"[{"id": 1, "title": "one", "text": "two"}, {"id": 2, "title": "two"}]"#

    /// The rows in which the index finds a word.
    private func found(_ word: String, in entity: String = "A") throws -> [String] {
        let name = "\(entity).$search".sqlName
        let connection = try fixture.connection
        try connection.execute("INSERT INTO \(name) (\(name), rank) VALUES ('integrity-check', 1)")
        return try fixture.rows(
            "SELECT rowid FROM \(name) WHERE \(name) MATCH '\(word)' ORDER BY rowid")
    }

    @Test func `an attribute that becomes searchable is indexed`() throws {
        try fixture.make(entity(searchable: []), inserting: ["A": json])
        try fixture.migrate(entity(searchable: ["title"]))
        #expect(try found("two") == ["2"])
        try fixture.migrate(entity(searchable: ["title", "text"]))
        #expect(try found("two") == ["1", "2"])
        try fixture.migrate(entity(searchable: ["text"]))
        #expect(try found("two") == ["1"])
    }

    @Test func `an index of another attribute is made anew`() throws {
        try fixture.make(entity(searchable: ["title"]), inserting: ["A": json])
        try fixture.migrate(entity(searchable: ["text"]))
        #expect(try found("two") == ["1"])
        #expect(try found("one") == [])
        try fixture.migrate(entity(searchable: ["title"]))
        #expect(try found("two") == ["2"])
    }

    @Test func `attributes that change places are found where they are`() throws {
        let both = entity(searchable: ["title", "text"])
        var turned = both
        turned.attributes.reverse()
        #expect(both == turned)
        let (first, second) = (
            try StorePlan(Model(name: "M", entities: [both])),
            try StorePlan(Model(name: "M", entities: [turned]))
        )
        #expect(first.searches.map(\.attributes) == second.searches.map(\.attributes))
    }

    @Test func `without searchable attributes nothing of the index stays`() throws {
        try fixture.make(entity(searchable: ["title", "text"]), inserting: ["A": json])
        try fixture.migrate(entity(searchable: []))
        #expect(
            try fixture.rows("SELECT name FROM sqlite_schema WHERE name LIKE 'A$%' ORDER BY 1")
                == [])
        try fixture.migrate(entity(searchable: ["text"]))
        #expect(try found("two") == ["1"])
    }

    @Test func `an index follows the name of its entity`() throws {
        try fixture.make(entity(searchable: ["title"]), inserting: ["A": json])
        try fixture.migrate(entity("B", searchable: ["title"], renamedFrom: "A"))
        #expect(try found("two", in: "B") == ["2"])
        try fixture.make(
            entity("B", searchable: ["title"], renamedFrom: "A"),
            inserting: ["B": #"[{"id": 2, "title": "three"}, {"id": 3, "title": "two"}]"#])
        #expect(try found("two", in: "B") == ["3"])
    }

    @Test func `a table that is made anew is indexed anew`() throws {
        try fixture.make(
            entity(searchable: ["title"]), inserting: ["A": json])
        let required = AttributeDescription("size", .integer, key: "size", default: .integer(3))
        try fixture.migrate(entity(searchable: ["title"], more: [required]))
        #expect(try found("one") == ["1"])
        let changed = AttributeDescription("size", .string, key: "size", isSearchable: true)
        try fixture.migrate(entity(searchable: ["title"], more: [changed]))
        #expect(try found("3") == ["1", "2"])
    }

    @Test func `an index whose table is left alone is left alone too`() throws {
        try fixture.make(entity(searchable: ["title"]), inserting: ["A": json])
        let before = try fixture.rows(#"SELECT hex(block) FROM "A.$search_data" ORDER BY id"#)
        try fixture.migrate(
            entity(searchable: ["title"]),
            EntityDescription(
                name: "New",
                attributes: [
                    AttributeDescription("x", .string, key: "x")
                ]))
        #expect(try fixture.rows(#"SELECT hex(block) FROM "A.$search_data" ORDER BY id"#) == before)
        #expect(try found("two") == ["2"])
    }

    @Test func `what an app's steps change is indexed`() throws {
        try fixture.make(entity(searchable: ["title"]), inserting: ["A": json])
        var options = MigrationOptions()
        options.version = 1
        options.steps = [
            Migration(from: 0, to: 1) { context in
                try context.execute("UPDATE A SET title = 'early' WHERE id = 1")
                try context.map("A") { old, new in
                    if try old["id"] == .integer(2) { try new.set("title", "mapped" as String?) }
                }
                context.atEnd {
                    try context.execute("INSERT INTO A (id, title) VALUES (3, 'late')")
                }
            }
        ]
        try fixture.migrate(entity(searchable: ["title"]), options: options)
        #expect(try found("early") == ["1"])
        #expect(try found("mapped") == ["2"])
        #expect(try found("late") == ["3"])
        #expect(try found("one OR two") == [])
        #expect(try fixture.rows(#"SELECT count(*) FROM "A.$unindexed""#) == ["0"])
    }

    @Test(arguments: [
        ("UPDATE A SET title = 'three ' || title", ["1", "2"]), ("DELETE FROM A WHERE id = 1", []),
        ("INSERT INTO A (id, title) VALUES (3, 'three')", ["3"]),
    ])
    func `SQL at the end of a step can change what becomes searchable`(
        _ sql: String, _ expected: [String]
    ) throws {
        try fixture.make(entity(searchable: []), inserting: ["A": json])
        var options = MigrationOptions()
        options.version = 1
        options.steps = [
            Migration(from: 0, to: 1) { context in
                context.atEnd { try context.execute(sql) }
            }
        ]
        try fixture.migrate(entity(searchable: ["title"]), options: options)
        #expect(try found("three") == expected)
    }

    @Test func `a migration that is refused leaves the index`() throws {
        try fixture.make(entity(searchable: ["title"]), inserting: ["A": json])
        #expect(
            try fixture.refusal(
                EntityDescription(
                    name: "A", identity: ["id"],
                    attributes: [AttributeDescription("id", .integer, key: "id")])) != [])
        #expect(try found("two") == ["2"])
    }
}
