import Testing

@testable import LarderObjectStore

/// What a step may hand over, and when.
struct MigrationContextTests {
    private let fixture: MigrationFixture
    private let user = EntityDescription.numbered("User", .required("name"))

    init() throws {
        fixture = try MigrationFixture()
        try fixture.make(
            user, inserting: ["User": #"[{"id": 1, "name": "Ann Lee"}, {"id": 2, "name": "Bo"}]"#])
    }

    @Test func `map is for a step's body, not for closures`() throws {
        let bodies: [@Sendable (MigrationContext) throws -> Void] = [
            { context in
                context.atEnd {
                    try context.map("User") { _, new in try new.set("name", "x") }
                }
            },
            { context in
                try context.map("User") { _, _ in
                    try context.map("User") { _, new in try new.set("name", "x") }
                }
            },
        ]
        let contents = try fixture.contents
        for body in bodies {
            let error = #expect(throws: StoreError.self) {
                try fixture.migrate(user, options: .step(body))
            }
            #expect(error?.message.hasPrefix("map is for a step's body") == true)
            #expect(try fixture.contents == contents)
        }
    }

    @Test func `what is handed to atEnd within a closure runs too`() throws {
        let step = MigrationOptions.step { context in
            context.atEnd {
                context.atEnd { try context.execute("UPDATE User SET name = name || 3") }
                try context.execute("UPDATE User SET name = name || 1")
            }
            try context.map("User") { old, _ in
                guard try old["id"] == .integer(1) else { return }
                context.atEnd { try context.execute("UPDATE User SET name = name || 2") }
            }
        }
        try fixture.migrate(user, options: step)
        #expect(
            try fixture.rows("SELECT name FROM User ORDER BY id")
                == ["Ann Lee123", "Bo123"])
    }

    @Test func `a step's temporary table has a name of its own`() throws {
        let bodies: [@Sendable (MigrationContext) throws -> Void] = [
            { try $0.execute("CREATE TEMP TABLE user AS SELECT * FROM main.User") },
            { context in
                context.atEnd { try context.execute("CREATE TEMP VIEW User AS SELECT 1") }
            },
        ]
        let contents = try fixture.contents
        for body in bodies {
            let error = #expect(throws: StoreError.self) {
                try fixture.migrate(user, options: .step(body))
            }
            #expect(error?.message.hasPrefix("a step has made a temporary ") == true)
            #expect(try fixture.contents == contents)
        }
    }

    /// What has the file open keeps its log.
    @Test func `closures that use their context keep no file open`() throws {
        let step = MigrationOptions.step { context in
            try context.map("User") { _, _ in _ = try context.rows("SELECT 1") }
            context.atEnd { try context.execute("UPDATE User SET name = lower(name)") }
        }
        try fixture.migrate(user, options: step)
        #expect(try fixture.folder.files == ["store"])
        #expect(try fixture.rows("SELECT name FROM User ORDER BY id") == ["ann lee", "bo"])
    }

    @Test func `those of a refused migration neither`() throws {
        let step = MigrationOptions.step { context in
            context.atEnd { try context.execute("UPDATE User SET id = id") }
        }
        #expect(try fixture.refusal(.numbered("User"), options: step).count == 1)
        #expect(try fixture.folder.files == ["store"])
        let store = try Store(at: fixture.path, model: Model(name: "Test", entities: [user]))
        let root = try JSONDocument(#"[{"id": 3, "name": "Cy"}]"#).root
        try store.write { _ = try $0.mapElements(of: root, as: "User") }
        try store.close()
        #expect(try fixture.folder.files == ["store"])
    }
}
