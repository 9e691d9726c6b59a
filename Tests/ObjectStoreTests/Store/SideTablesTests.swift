import Foundation
import Testing

@testable import LarderObjectStore

/// Tables beside those of the objects, and what leaves them alone.
struct SideTablesTests {
    private let fixture: MigrationFixture

    init() throws { fixture = try MigrationFixture() }

    private func open(_ entities: EntityDescription...) throws -> Store {
        try Store(at: fixture.path, model: Model(name: "Test", entities: entities))
    }

    private static let table = "\"$side.shelf\""

    private func fill(_ store: Store) throws {
        try store.writeBeside { tables in
            try tables.run("CREATE TABLE \(Self.table) (id INTEGER PRIMARY KEY, text TEXT) STRICT")
            try tables.run("CREATE INDEX \"$side.shelf.text\" ON \(Self.table) (text)")
            #expect(
                try tables.run(
                    "INSERT INTO \(Self.table) VALUES (1, ?), (2, ?)", [.text("a"), .null])
                    == 2)
        }
    }

    private let kept: [[SQLValue]] = [[.integer(1), .text("a")], [.integer(2), .null]]

    private func rows(_ store: Store) throws -> [[SQLValue]] {
        try store.readBeside { try $0.rows("SELECT * FROM \(Self.table) ORDER BY id") }
    }

    @Test func `what is written is read, also by another process's store`() throws {
        let store = try open(.numbered("Note", .required("text")))
        #expect(try !store.readBeside { try $0.has("$side.shelf") })
        try fill(store)
        #expect(try store.readBeside { try $0.has("$side.shelf") })
        #expect(try rows(store) == kept)
        #expect(try rows(open(.numbered("Note", .required("text")))) == kept)
        #expect(try store.checkIntegrity().isSound)
    }

    @Test func `what a body throws takes back what it wrote`() throws {
        let store = try open(.numbered("Note", .required("text")))
        try fill(store)
        #expect(throws: CancellationError.self) {
            try store.writeBeside { tables in
                try tables.run("DELETE FROM \(Self.table)")
                throw CancellationError()
            }
        }
        #expect(try rows(store) == kept)
    }

    @Test func `a migration leaves them as they are, whatever it makes anew`() throws {
        try fixture.make(
            .numbered("Note", .required("text")),
            inserting: ["Note": #"[{"id": 1, "text": "a"}]"#])
        try fill(open(.numbered("Note", .required("text"))))
        // Adds a column, makes a table anew, adds and drops one.
        try fixture.migrate(.numbered("Note", .required("text"), .optional("about")))
        var title = AttributeDescription.optional("about")
        title.isIndexed = true
        try fixture.migrate(.numbered("Note", .optional("text"), title), .numbered("Tag"))
        try fixture.migrate(.numbered("Note", .optional("text"), title))
        let store = try open(.numbered("Note", .optional("text"), title))
        #expect(try rows(store) == kept)
        #expect(
            try fixture.rows("SELECT count(*) FROM sqlite_schema WHERE name LIKE '$side%'") == ["2"]
        )
    }

    @Test func `reading them by a store of another model is an error`() throws {
        let store = try open(.numbered("Note", .required("text")))
        try fill(store)
        #expect(try rows(store) == kept)
        try fixture.migrate(.numbered("Note", .required("text"), .optional("about")))
        let error = #expect(throws: StoreError.self) { try rows(store) }
        #expect(error?.reason == .modelChanged)
    }

    @Test func `a copy has them, and so has the store of a seed`() throws {
        let store = try open(.numbered("Note", .required("text")))
        try fill(store)
        let copy = URL(filePath: fixture.folder.file("copy"))
        try store.backUp(to: copy)
        let model = store.model
        #expect(try rows(Store(at: copy.path(), model: model)) == kept)
        var configuration = Store.Configuration()
        configuration.seed = copy
        let seeded = try Store(
            at: fixture.folder.file("seeded"), model: model, configuration: configuration)
        #expect(try rows(seeded) == kept)
    }

    @Test func `a rebuilt store has none, and its objects`() throws {
        try fixture.make(
            .numbered("Note", .required("text")),
            inserting: ["Note": #"[{"id": 1, "text": "a"}]"#])
        let model = try Model(name: "Test", entities: [.numbered("Note", .required("text"))])
        try fill(open(.numbered("Note", .required("text"))))
        let (store, report) = try Store.rebuild(at: fixture.path, model: model)
        #expect(report.saved["Note"] == 1)
        #expect(try !store.readBeside { try $0.has("$side.shelf") })
    }

    @Test func `what can be had again has no room in the last part of a file`() throws {
        var configuration = Store.Configuration()
        configuration.maximumSize = 400_000
        let store = try Store.inMemory(
            model: Model(name: "Test", entities: [.numbered("Note", .required("text"))]),
            configuration: configuration)
        func hasRoom(for count: Int) throws -> Bool {
            try store.writeBeside { try $0.hasRoom(for: count) }
        }
        #expect(try hasRoom(for: 300_000) && !hasRoom(for: 400_000))
        let text = String(repeating: "a", count: 300_000)
        try store.import("Note", from: "{\"id\": 1, \"text\": \"\(text)\"}")
        #expect(try hasRoom(for: 1_000) && !hasRoom(for: 100_000))
        let room = try store.writeBeside { try $0.room() }
        #expect(try hasRoom(for: room) && !hasRoom(for: room + 1))
        let other = try open(.numbered("Note"))
        #expect(try other.writeBeside { try $0.hasRoom(for: .max) })
    }

    @Test func `no entity can have such a name`() {
        #expect(throws: ModelError.self) {
            try Model(name: "Test", entities: [.numbered("$side.shelf")])
        }
    }
}
