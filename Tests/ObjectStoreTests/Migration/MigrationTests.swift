import Foundation
import Testing

@testable import LarderObjectStore

/// Steps that an app takes itself.
struct MigrationTests {
    private let fixture: MigrationFixture
    private let before = EntityDescription.numbered("User", .required("name"))
    private let after = EntityDescription.numbered("User", .required("first"), .required("last"))

    init() throws {
        fixture = try MigrationFixture()
        try fixture.make(
            before,
            inserting: ["User": #"[{"id": 1, "name": "Ann Lee"}, {"id": 2, "name": "Bo"}, 3]"#])
    }

    private struct Failure: Error {}

    private func options(_ version: Int, _ steps: Migration...) -> MigrationOptions {
        var options = MigrationOptions()
        options.version = version
        options.steps = steps
        return options
    }

    private let split = Migration(from: 0, to: 1, resolving: [.attribute("User.name")]) { context in
        try context.map("User") { old, new in
            guard let words = try old.value("name", as: String.self)?.split(separator: " ") else {
                return
            }
            try new.set("first", String(words[0]))
            try new.set("last", String(words.last ?? ""))
        }
    }

    @Test func `a step moves values to where they belong`() throws {
        try fixture.migrate(after, options: options(1, split))
        #expect(
            try fixture.rows("SELECT id, first, last FROM User")
                == ["1|Ann|Lee", "2|Bo|Bo", "3|NULL|NULL"])
    }

    @Test func `what a step leaves empty is still refused`() throws {
        let step = Migration(from: 0, to: 1, resolving: [.attribute("User.name")]) { context in
            try context.map("User") { old, new in
                if try old["id"] == .integer(1) { try new.set("first", "x") }
                try new.set("last", "y")
            }
        }
        #expect(
            try fixture.refusal(after, options: options(1, step))
                == ["User.first: objects without what is required now (1)"])
    }

    @Test func `a step that throws leaves the store as it was`() throws {
        let contents = try fixture.contents
        for failing in [
            Migration(from: 0, to: 1) { context in
                try context.execute("DELETE FROM User")
                throw Failure()
            },
            Migration(from: 0, to: 1, resolving: [.attribute("User.name")]) { context in
                try context.map("User") { old, new in
                    try new.set("first", "x")
                    if try old["id"] == .integer(2) { throw Failure() }
                }
            },
            Migration(from: 0, to: 1) { context in context.atEnd { throw Failure() } },
        ] {
            var options = options(1, failing)
            options.allowedLosses = .all
            #expect(throws: Failure.self) { try fixture.migrate(after, options: options) }
            #expect(try fixture.contents == contents)
        }
        _ = try fixture.migrate(before)
    }

    @Test func `steps see the old tables, and the new ones atEnd`() throws {
        let step = Migration(from: 0, to: 1, resolving: [.attribute("User.name")]) { context in
            #expect(
                try context.rows("SELECT name FROM User WHERE id = ?", .integer(2)) == [
                    [.text("Bo")]
                ])
            try context.execute("UPDATE User SET name = ? WHERE id = 2", .text("Bo Ek"))
            try context.map("User") { old, new in
                try new.set("first", old.value("name", as: String.self) ?? "none")
                try new.set("last", "")
            }
            context.atEnd {
                try context.execute("UPDATE User SET last = upper(first)")
            }
        }
        try fixture.migrate(after, options: options(1, step))
        #expect(
            try fixture.rows("SELECT id, first, last FROM User")
                == ["1|Ann Lee|ANN LEE", "2|Bo Ek|BO EK", "3|NULL|NULL"])
    }

    @Test func `steps run once, in the order of their versions, from the store's version on`()
        throws
    {
        let log = Log()
        let steps = [
            Migration(from: 2, to: 3) { _ in log.append("2-3") },
            Migration(from: 0, to: 1) { _ in log.append("0-1") },
            Migration(from: 1, to: 2) { _ in log.append("1-2") },
        ]
        for version in [1, 1, 3, 3] {
            var options = MigrationOptions()
            options.version = version
            options.steps = steps
            try fixture.migrate(before, options: options)
        }
        #expect(log.all == ["0-1", "1-2", "2-3"])
    }

    @Test func `of steps that overlap those are taken that lead furthest`() throws {
        let versions = [(0, 1), (0, 2), (1, 2), (1, 2), (3, 4), (3, 6)]
        for (target, taken) in [
            (1, ["0-1"]), (2, ["0-2"]), (4, ["0-2", "3-4"]), (6, ["0-2", "3-6"]),
        ] {
            let fixture = try MigrationFixture()
            try fixture.make(before)
            let log = Log()
            var options = MigrationOptions()
            options.version = target
            options.steps = versions.map { from, to in
                Migration(from: from, to: to) { _ in log.append("\(from)-\(to)") }
            }
            try fixture.migrate(before, options: options)
            #expect(log.all == taken)
        }
    }

    @Test func `a new store takes no steps`() throws {
        let log = Log()
        var configuration = Store.Configuration()
        configuration.migration = options(1, Migration(from: 0, to: 1) { _ in log.append("x") })
        let path = fixture.folder.file("new")
        let model = try Model(name: "Test", entities: [before])
        _ = try Store(at: path, model: model, configuration: configuration)
        _ = try Store(at: path, model: model, configuration: configuration)
        #expect(log.all == [])
    }

    @Test func `an older app leaves a store of a newer version alone`() throws {
        try fixture.migrate(before, options: options(2))
        let bytes = try Data(contentsOf: URL(fileURLWithPath: fixture.path))
        let error = #expect(throws: StoreError.self) {
            try fixture.migrate(after, options: options(1))
        }
        #expect(error?.reason == .newerStore)
        #expect(error?.message == "the store has version 2 of the app's model, the app 1")
        #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.path)) == bytes)
    }

    @Test(arguments: [
        "COMMIT", "ROLLBACK", "PRAGMA foreign_keys = ON", "ATTACH 'x' AS x", "SAVEPOINT a",
    ])
    func `a step can't reach beyond its transaction`(_ sql: String) throws {
        let step = Migration(from: 0, to: 1) { context in try context.execute(sql) }
        #expect(throws: StoreError.self) { try fixture.migrate(before, options: options(1, step)) }
    }

    @Test func `a step's SQL is one statement, with a value for each parameter`() throws {
        let bodies: [@Sendable (MigrationContext) throws -> Void] = [
            { try $0.execute("DELETE FROM User WHERE id = 2; DELETE FROM User") },
            { try $0.execute("DELETE FROM User WHERE id = 2; nonsense") },
            { try $0.execute("DELETE FROM User\u{0} WHERE id = 2") },
            { try $0.execute("UPDATE User SET name = ? WHERE id > ?", .text("x")) },
            { try $0.execute("UPDATE User SET name = ?", .text("x"), .integer(2)) },
            { _ = try $0.rows("SELECT 1; DELETE FROM User") },
            { _ = try $0.rows("SELECT name FROM User WHERE id = ?") },
            { context in context.atEnd { try context.execute("DELETE FROM User; SELECT 1") } },
        ]
        let contents = try fixture.contents
        for body in bodies {
            let error = #expect(throws: StoreError.self) {
                try fixture.migrate(before, options: options(1, Migration(from: 0, to: 1, body)))
            }
            #expect(error?.reason == .sqlite)
            #expect(try fixture.contents == contents)
        }
    }

    @Test func `a semicolon and a comment may stand behind a step's statement`() throws {
        let step = Migration(from: 0, to: 1) { context in
            try context.execute("UPDATE User SET name = ?1 || ?1 WHERE id = 2;", .text("b"))
            try context.execute("-- one\nUPDATE User SET name = 'a' WHERE id = 1; ; -- done")
            let rows = try context.rows("SELECT name FROM User WHERE id = 2 /* it */;\n")
            #expect(rows == [[.text("bb")]])
        }
        try fixture.migrate(before, options: options(1, step))
        #expect(
            try fixture.rows("SELECT name FROM User WHERE id < 3 ORDER BY id") == ["a", "bb"])
    }

    @Test func `a step names what is there`() throws {
        typealias Body = @Sendable (MigrationContext) throws -> Void
        let bodies: [(StoreError.Reason, Body)] = [
            (.unknownEntity, { @Sendable in try $0.map("Nobody") { _, _ in } }),
            (
                .unexpectedValue,
                { @Sendable in try $0.map("User") { old, _ in _ = try old["nothing"] } }
            ),
            (
                .unexpectedValue,
                { @Sendable in try $0.map("User") { _, new in try new.set("nothing", 1) } }
            ),
            (
                .unexpectedValue,
                { @Sendable in try $0.map("User") { _, new in try new.set("name", 1) } }
            ),
            (
                .unexpectedValue,
                { @Sendable in try $0.map("User") { _, new in try new.set("id", 1) } }
            ),
            (.sqlite, { @Sendable in try $0.execute("DELETE FROM Nobody") }),
        ]
        for (code, body) in bodies {
            let error = #expect(throws: StoreError.self) {
                try fixture.migrate(before, options: options(1, Migration(from: 0, to: 1, body)))
            }
            #expect(error?.reason == code)
        }
    }

    @Test func `a step leaves nothing empty that must have a value`() throws {
        let user = EntityDescription.numbered("User", .required("name"), .optional("size", .double))
        let bodies: [@Sendable (inout MigrationObject) throws -> Void] = [
            { try $0.set("name", String?.none) }, { try $0.set("size", Double.nan) },
        ]
        for body in bodies {
            let fixture = try MigrationFixture()
            try fixture.make(user, inserting: ["User": #"[{"id": 1, "name": "Ann", "size": 1}]"#])
            let step = Migration(from: 0, to: 1) { context in
                try context.map("User") { _, new in try body(&new) }
            }
            let error = #expect(throws: StoreError.self) {
                try fixture.migrate(user, options: options(1, step))
            }
            #expect(error?.reason == .unexpectedValue)
            #expect(try fixture.rows("SELECT name, size FROM User") == ["Ann|1.0"])
        }
        let emptying = Migration(from: 0, to: 1) { context in
            try context.map("User") { _, new in try new.set("name", String?.none) }
        }
        try fixture.migrate(.numbered("User", .optional("name")), options: options(1, emptying))
        #expect(try fixture.rows("SELECT name FROM User WHERE id < 3") == ["NULL", "NULL"])
    }

    @Test func `a step is not handed what is known by a reference only`() throws {
        let step = Migration(from: 0, to: 1) { context in
            try context.map("User") { old, new in
                #expect(try old["name"] != .null)
                try new.set("slug", "x")
            }
        }
        try fixture.migrate(
            .numbered("User", .required("name"), .required("slug")), options: options(1, step))
        #expect(
            try fixture.rows("SELECT id, name, slug, \"$reference\" FROM User")
                == ["1|Ann Lee|x|NULL", "2|Bo|x|NULL", "3|NULL|NULL|1"])
    }

    /// Where a type changes, the table is made anew anyway.
    @Test(arguments: [false, true], [1, 2])
    func `each closure gets the attributes as they were`(_ isMadeAnew: Bool, _ stepCount: Int)
        throws
    {
        let fixture = try MigrationFixture()
        func entities(_ size: AttributeType, _ added: AttributeDescription...)
            -> [EntityDescription]
        {
            [
                EntityDescription(
                    name: "Doc", identity: ["id"],
                    attributes: [
                        .required("id", .integer), .optional("title"), .optional("size", size),
                    ] + added, mapper: EntityMapper(key: "kind", values: ["memo": "Memo"])),
                EntityDescription(name: "Memo", parent: "Doc"),
            ]
        }
        let old = entities(.string)
        try fixture.make(
            old[0], old[1],
            inserting: [
                "Doc": #"[{"id": 1, "title": "a"}, {"id": 2, "kind": "memo", "title": "b"}]"#
            ]
        )
        let steps = [
            Migration(from: 0, to: 1) { context in
                try context.map("Doc") { _, new in try new.set("title", "x") }
            },
            Migration(from: stepCount - 1, to: stepCount) { context in
                try context.map("Memo") { old, new in
                    #expect(try new["title"] == .text("x"))
                    try new.set("sub", old.value("title", as: String.self))
                }
            },
        ]
        var options = options(stepCount)
        options.steps = steps
        let new = entities(isMadeAnew ? .integer : .string, .optional("sub"))
        try fixture.migrate(new[0], new[1], options: options)
        #expect(
            try fixture.rows("SELECT id, title, sub FROM Doc") == ["1|x|NULL", "2|x|b"])
    }

    @Test func `links that a step breaks are refused`() throws {
        let fixture = try MigrationFixture()
        let note = EntityDescription.numbered(
            "Note",
            relationships: [RelationshipDescription("user", to: "User", key: "user")])
        try fixture.make(before, note, inserting: ["Note": #"[{"id": 1, "user": 5}]"#])
        let step = Migration(from: 0, to: 1) { try $0.execute("DELETE FROM User") }
        let error = #expect(throws: StoreError.self) {
            try fixture.migrate(before, note, options: options(1, step))
        }
        #expect(error?.reason == .constraint)
        #expect(error?.message.hasSuffix(", the first in Note") == true)
        #expect(try fixture.rows("SELECT count(*) FROM User") == ["1"])
    }

    /// What steps have written down.
    private final class Log: @unchecked Sendable {
        // Unchecked because `values` is only touched under the lock.
        private let lock = NSLock()
        private var values: [String] = []

        func append(_ value: String) { lock.withLock { values.append(value) } }
        var all: [String] { lock.withLock { values } }
    }
}
