import Foundation
import LarderPromises
import Testing

@testable import LarderObjectStore

/// Stores whose file another store brings to another model.
struct ModelWatchTests {
    private let folder: TemporaryFolder
    private let before = EntityDescription.numbered("Note", .optional("text"))
    private let after = EntityDescription.numbered(
        "Note", .optional("text"), .optional("extra"))
    private let old: Store

    init() throws {
        folder = try TemporaryFolder()
        old = try Store(
            at: folder.file("a"), model: Model(name: "Test", entities: [before]))
        try old.insert("Note", #"[{"id": 1, "text": "a"}]"#)
    }

    /// Opens the file with another model.
    private func migrate(version: Int = 0, _ entity: EntityDescription) throws -> Store {
        var configuration = Store.Configuration()
        configuration.migration.version = version
        return try Store(
            at: folder.file("a"), model: Model(name: "Test", entities: [entity]),
            configuration: configuration)
    }

    private func code(_ body: () throws -> Void) -> StoreError.Reason? {
        do {
            try body()
            return nil
        } catch {
            return (error as? StoreError)?.reason
        }
    }

    @Test func `each call into a store of the old model is an error`() throws {
        // Connections and statements are there before.
        #expect(try old.fetch(DynamicQuery("Note")).count == 1)
        let new = try migrate(after)
        for _ in 0..<2 {
            #expect(code { try old.insert("Note", #"{"id": 2, "text": "b"}"#) } == .modelChanged)
            #expect(code { try old.write { _ in } } == .modelChanged)
            #expect(code { _ = try old.fetch(DynamicQuery("Note")) } == .modelChanged)
            #expect(code { _ = try old.count(DynamicQuery("Note")) } == .modelChanged)
            #expect(code { try old.read { _ in } } == .modelChanged)
        }
        #expect(try new.fetch(DynamicQuery("Note")).count == 1)
        try new.insert("Note", #"{"id": 2, "text": "b", "extra": "c"}"#)
    }

    @Test func `looking after a file of another model is an error too`() throws {
        try old.insert("Note", #"{"id": 3}"#)
        _ = try migrate(after)
        for _ in 0..<2 {
            #expect(code { _ = try old.checkIntegrity(.quick) } == .modelChanged)
            #expect(code { _ = try old.checkIntegrity() } == .modelChanged)
            #expect(code { try old.backUp(to: URL(filePath: folder.file("b"))) } == .modelChanged)
            #expect(code { try old.vacuum() } == .modelChanged)
        }
    }

    @Test func `a check between whose questions another model comes finds nothing wrong`() throws {
        let path = folder.file("c")
        let isDue = Guarded(false)
        let plain = AttributeDescription("level", .integer, isOptional: true, key: "level")
        let next = try Model(
            name: "Test", entities: [.numbered("Note", plain, .optional("extra"))])
        var level = plain
        level.allowedValues = .those("even") { value in
            let comesNow = isDue.withLock { isDue in
                defer { isDue = false }
                return isDue
            }
            guard comesNow else { return true }
            #expect(throws: Never.self) { try Store(at: path, model: next) }
            return false
        }
        let store = try Store(
            at: path, model: Model(name: "Test", entities: [.numbered("Note", level)]))
        try store.insert("Note", #"{"id": 1, "level": 2}"#)
        #expect(try store.checkIntegrity().isSound)
        isDue.withLock { $0 = true }
        #expect(code { _ = try store.checkIntegrity() } == .modelChanged)
    }

    @Test func `no other model comes while it looks at what can be searched for`() throws {
        let other = try folder.open("a")
        try old.withWriterAlone { _ in
            #expect(code { try other.execute("BEGIN IMMEDIATE") } == .busy)
        }
        _ = try migrate(after)
        #expect(code { try old.withWriterAlone { _ in } } == .modelChanged)
    }

    @Test func `a store that has read nothing yet gets it too`() throws {
        _ = try migrate(after)
        #expect(code { _ = try old.fetch(DynamicQuery("Note")) } == .modelChanged)
    }

    @Test func `a reading that began before goes on`() throws {
        try old.read { snapshot in
            #expect(try snapshot.count(DynamicQuery("Note")) == 1)
            _ = try migrate(after)
            #expect(try snapshot.count(DynamicQuery("Note")) == 1)
        }
        #expect(code { _ = try old.count(DynamicQuery("Note")) } == .modelChanged)
    }

    @Test func `a change that leaves the tables as they are counts`() throws {
        var other = before
        other.attributes[1].key = "words"
        _ = try migrate(other)
        #expect(code { _ = try old.count(DynamicQuery("Note")) } == .modelChanged)
        #expect(code { try old.write { _ in } } == .modelChanged)
    }

    @Test func `so does another version of the app's model`() throws {
        _ = try migrate(version: 1, before)
        #expect(code { try old.write { _ in } } == .modelChanged)
    }

    @Test func `so does another layout of the tables, once`() throws {
        // As an app of an earlier version has it open.
        try folder.open("a").execute("PRAGMA user_version = 2")
        let new = try migrate(before)
        #expect(code { try old.write { _ in } } == .modelChanged)
        #expect(code { _ = try old.fetch(DynamicQuery("Note")) } == .modelChanged)
        for store in [new, try migrate(before), new] {
            #expect(code { try store.write { _ in } } == nil)
            #expect(try store.fetch(DynamicQuery("Note")).count == 1)
        }
    }

    @Test func `a model that another store brings while a store is opened counts`() throws {
        let plan = try StorePlan(Model(name: "Test", entities: [before]))
        let (connection, model) = try StoreFile(path: folder.file("a")).open(for: plan)
        // The store that is being opened does not watch its file yet.
        _ = try migrate(after)
        let watch = ModelWatch(model, path: folder.file("a"))
        #expect(code { try watch.check(connection) } == .modelChanged)
    }

    @Test func `a version that another store brings while a store is opened is refused`() throws {
        let plan = try StorePlan(Model(name: "Test", entities: [before]))
        // The store that is being opened has found the file to be of its version before.
        _ = try migrate(version: 1, before)
        let file = StoreFile(path: folder.file("a"))
        let connection = try file.connect(readOnly: false)
        let migration = StoreMigration(plan: plan, file: file)
        #expect(code { _ = try migration.run(on: connection) } == .newerStore)
    }

    @Test func `an error stays what it is where the model can't be told`() throws {
        let plan = try StorePlan(Model(name: "Test", entities: [before]))
        let (connection, model) = try StoreFile(path: folder.file("a")).open(for: plan)
        let watch = ModelWatch(model, path: folder.file("a"))
        try old.run("DELETE FROM \"$store\"")
        #expect(code { try watch.check(connection) } == .damaged)
        #expect(
            code { try watch.checking(connection) { throw StoreError(.busy, "test") } } == .busy)
    }

    @Test func `other changes of the tables are none of the model`() throws {
        let other = try migrate(before)
        try other.vacuum()
        try other.run("CREATE INDEX extra ON Note (text)")
        #expect(try old.fetch(DynamicQuery("Note")).count == 1)
        try old.insert("Note", #"{"id": 2, "text": "b"}"#)
        #expect(try old.read { try $0.count(DynamicQuery("Note")) } == 2)
    }

    @Test func `who observes is told`() throws {
        let counts = LiveRecorder(
            old.observe { try $0.count(DynamicQuery("Note")) }, of: old)
        #expect(counts.take() == [1])
        let new = try migrate(after)
        try new.insert("Note", #"{"id": 2, "text": "b"}"#)
        old.startCheckingForeignCommits()
        try? old.write { _ in }
        #expect(counts.take() == [])
        #expect(counts.errorReasons == [.modelChanged])
    }
}
