import Foundation
import Testing

@testable import LarderObjectStore

/// Migration as part of opening: copies before it, and several that open at once.
struct StoreMigrationTests {
    private let fixture: MigrationFixture
    private let before = EntityDescription.numbered("Note", .required("text"))
    private let after = EntityDescription.numbered("Note", .required("text"), .optional("more"))

    init() throws {
        fixture = try MigrationFixture()
        try fixture.make(before, inserting: ["Note": #"[{"id": 1, "text": "a"}]"#])
    }

    @Test func `a copy is made beside the store, once`() throws {
        var options = MigrationOptions()
        options.backup = .beside
        for _ in 0..<2 { try fixture.migrate(after, options: options) }
        let copies = try fixture.folder.files.filter { $0.hasPrefix("store.backup-") }
        #expect(copies.count == 1)
        let path = fixture.folder.file(try #require(copies.first))
        #expect(try TemporaryFolder.mode(path) == 0o600)
        let model = try Model(name: "Test", entities: [before])
        let copy = try Store(at: path, model: model)
        #expect(try copy.checkIntegrity().isSound)
    }

    @Test func `a migration that fails leaves no copy beside the store`() throws {
        var options = MigrationOptions()
        options.backup = .beside
        let files = try fixture.folder.files
        for _ in 0..<2 {
            #expect(throws: MigrationError.self) {
                try fixture.migrate(EntityDescription.numbered("Note"), options: options)
            }
        }
        #expect(try fixture.folder.files == files)
    }

    @Test func `a copy goes where the app says`() throws {
        var options = MigrationOptions()
        options.backup = .file(URL(fileURLWithPath: fixture.folder.file("copy")))
        try fixture.migrate(after, options: options)
        #expect(try fixture.folder.open("copy").number("SELECT count(*) FROM Note") == 1)
    }

    @Test func `without a copy there is no migration`() throws {
        var options = MigrationOptions()
        options.backup = .file(URL(fileURLWithPath: fixture.folder.file("none/copy")))
        #expect(throws: StoreError.self) { try fixture.migrate(after, options: options) }
        try fixture.check(Model(name: "Test", entities: [before]))
    }

    @Test func `of many that open at once one migrates`() async throws {
        let path = fixture.path
        let model = try Model(name: "Test", entities: [after])
        let count = Count()
        var configuration = Store.Configuration()
        configuration.migration.version = 1
        configuration.migration.steps = [Migration(from: 0, to: 1) { _ in count.increment() }]
        try await withThrowingTaskGroup(of: Void.self) { [configuration] group in
            for _ in 0..<6 {
                group.addTask {
                    _ = try Store(at: path, model: model, configuration: configuration)
                }
            }
            try await group.waitForAll()
        }
        #expect(count.value == 1)
        try fixture.check(model)
    }

    @Test func `files stay private`() throws {
        try fixture.migrate(after)
        for name in try fixture.folder.files {
            #expect(try TemporaryFolder.mode(fixture.folder.file(name)) == 0o600)
        }
    }

    @Test func `tables of an older layout are brought up to date`() throws {
        try fixture.connection.execute(
            "PRAGMA user_version = 0; CREATE INDEX old ON Note (text); DROP TABLE \"$numbers\"")
        try fixture.migrate(before)
        #expect(try fixture.connection.value("PRAGMA user_version") == .integer(Schema.version))
    }

    /// Counts from any thread.
    private final class Count: @unchecked Sendable {
        // Unchecked because `number` is only touched under the lock.
        private let lock = NSLock()
        private var number = 0

        func increment() { lock.withLock { number += 1 } }
        var value: Int { lock.withLock { number } }
    }
}
