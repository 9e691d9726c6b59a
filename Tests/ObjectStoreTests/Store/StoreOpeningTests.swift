import Foundation
import Testing

@testable import LarderObjectStore

/// Opening files: new ones, stores, and everything else there may be at a path.
struct StoreOpeningTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(_ name: String, _ types: any Entity.Type...) throws -> Store {
        try Store(at: folder.file(name), model: Model(entities: types))
    }

    private func refusal(_ name: String, _ types: any Entity.Type...) -> StoreError? {
        #expect(throws: StoreError.self) {
            try Store(at: folder.file(name), model: Model(entities: types))
        }
    }

    private func database(_ name: String, _ sql: String) throws {
        let connection = try Connection(
            path: folder.file(name), creates: true, readOnly: false, busyTimeout: 0)
        try connection.execute(sql)
    }

    private func bytes(_ name: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: folder.file(name)))
    }

    private func mode(_ name: String) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(name))
        return (attributes[.posixPermissions] as? NSNumber)?.intValue
    }

    // MARK: Stores

    @Test func `a new store is empty and has a table for each entity`() throws {
        let store = try open("a", Card.self)
        #expect(try store.count(Card.all) == 0)
        #expect(store.path == folder.file("a"))
        #expect(store.model == (try Model(entities: [Card.self])))
    }

    @Test func `a store holds its objects from one opening to the next`() throws {
        try open("a", Card.self).import(
            Card.self, from: Data(#"{"suit": "h", "value": "1"}"#.utf8))
        let store = try open("a", Card.self)
        #expect(try store.fetch(Card.all).map(\.suit) == ["h"])
        let report = try store.write { context in
            try context.import(
                Card.self, from: JSONDocument(#"{"suit": "h", "value": "1"}"#).root)
            return context.report
        }
        #expect(report["Card"] == .init(0, 0, 1))
    }

    @Test func `a file may be named by its URL`() throws {
        let (name, card) = ("a%20 ä", Data(#"{"suit": "h", "value": "1"}"#.utf8))
        let file = URL(filePath: folder.file(name))
        try Store(at: file, entities: Card.self).import(Card.self, from: card)
        #expect(try open(name, Card.self).count(Card.all) == 1)
        let store = try Store(at: file, model: Model(entities: Card.self))
        #expect(store.path == file.path(percentEncoded: false))
    }

    @Test(arguments: ["https://h/a.sqlite", "a.sqlite"])
    func `a URL of something else than a file is refused`(_ text: String) throws {
        let url = try #require(URL(string: text))
        let error = #expect(throws: StoreError.self) { try Store(at: url, entities: Card.self) }
        #expect(error?.reason == .cannotOpen && error?.path == nil)
    }

    @Test func `a store may have no entities, and get some later`() throws {
        #expect(try Store.inMemory().checkIntegrity().isSound)
        #expect(try open("a").deleteAll() == 0)
        #expect(try open("a").checkIntegrity().isSound)
        try open("a", Card.self).import(
            Card.self, from: Data(#"{"suit": "h", "value": "1"}"#.utf8))
        // It does not lose them again.
        #expect(throws: MigrationError.self) { try open("a") }
        #expect(try open("a", Card.self).count(Card.all) == 1)
    }

    @Test func `the order of entities and properties does not matter`() throws {
        var card = Card.entityDescription
        do {
            let store = try Store(
                at: folder.file("a"), model: Model(name: "A", entities: [card, .numbered("Note")]))
            try store.import(Card.self, from: Data(#"{"suit": "h", "value": "1"}"#.utf8))
        }
        let version = "PRAGMA schema_version"
        let before = try folder.open("a", creates: false).value(version)
        card.attributes.reverse()
        let store = try Store(
            at: folder.file("a"), model: Model(name: "B", entities: [.numbered("Note"), card]))
        #expect(try store.count(Card.all) == 1)
        #expect(try folder.open("a", creates: false).value(version) == before)
    }

    @Test func `an empty file becomes a store`() throws {
        #expect(FileManager.default.createFile(atPath: folder.file("a"), contents: nil))
        #expect(try open("a", Card.self).count(Card.all) == 0)
    }

    @Test func `its files belong to their owner alone`() throws {
        let store = try open("a", Card.self)
        try store.import(Card.self, from: Data(#"{"suit": "h", "value": "1"}"#.utf8))
        _ = try store.count(Card.all)
        #expect(try folder.files == ["a", "a-shm", "a-wal"])
        for name in try folder.files { #expect(try mode(name) == 0o600) }
    }

    @Test func `many threads may open a new store at once`() async throws {
        let path = folder.file("a")
        let model = try Model(entities: Card.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    let store = try Store(at: path, model: model)
                    try store.import(
                        Card.self, from: Data(#"{"suit": "s", "value": "\#(thread)"}"#.utf8))
                }
            }
            try await group.waitForAll()
        }
        #expect(try open("a", Card.self).count(Card.all) == 8)
    }

    // MARK: What is refused

    @Test func `another model that would lose objects is refused`() throws {
        let path = folder.file("a")
        let before = try Model(name: "Test", entities: [.numbered("Same"), .numbered("Gone")])
        let store = try Store(at: path, model: before)
        _ = try store.write { try $0.map(JSONDocument("1").root, as: "Gone") }
        let after = try Model(name: "Test", entities: [.numbered("Same"), .numbered("New")])
        let error = #expect(throws: MigrationError.self) { try Store(at: path, model: after) }
        #expect(error?.losses.map(\.part) == [.entity("Gone")])
        #expect(error?.path == path)
        _ = try Store(at: path, model: before)
    }

    @Test(arguments: ["DELETE", "WAL"])
    func `a database of something else is refused and untouched`(_ mode: String) throws {
        try database(
            "a", "PRAGMA journal_mode = \(mode); CREATE TABLE t (x); INSERT INTO t VALUES (1)")
        let before = try bytes("a")
        #expect(refusal("a", Card.self)?.reason == .notAStore)
        #expect(try bytes("a") == before)
    }

    @Test func `what another program has in its log stays there`() throws {
        let other = try Connection(
            path: folder.file("a"), creates: true, readOnly: false, busyTimeout: 0)
        try other.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (1)")
        // Copies are what a crash of that program would leave.
        for name in ["a", "a-wal"] {
            try FileManager.default.copyItem(
                atPath: folder.file(name), toPath: folder.file("b" + name.dropFirst()))
        }
        let before = try [bytes("b"), bytes("b-wal")]
        #expect(refusal("b", Card.self)?.reason == .notAStore)
        #expect(try [bytes("b"), bytes("b-wal")] == before)
        withExtendedLifetime(other) {}
    }

    @Test func `an empty database of another application is refused`() throws {
        try database("a", "PRAGMA application_id = 42; PRAGMA user_version = 7; VACUUM")
        let before = try bytes("a")
        #expect(refusal("a", Card.self)?.reason == .notAStore)
        #expect(try bytes("a") == before)
    }

    @Test func `a store of a newer version is refused and untouched`() throws {
        _ = try open("a", Card.self)
        try database("a", "PRAGMA user_version = \(Schema.version + 1)")
        let before = try bytes("a")
        #expect(refusal("a", Card.self)?.reason == .newerStore)
        #expect(try bytes("a") == before)
    }

    @Test(arguments: ["x", "This is no database. " + String(repeating: "x", count: 5000)])
    func `what is not a database is refused and untouched`(_ text: String) throws {
        #expect(
            FileManager.default.createFile(atPath: folder.file("a"), contents: Data(text.utf8)))
        #expect(refusal("a", Card.self)?.reason == .notADatabase)
        #expect(try bytes("a") == Data(text.utf8))
        #expect(try folder.files == ["a"])
    }

    @Test func `a damaged store is an error`() throws {
        _ = try open("a", Card.self)
        var damaged = try bytes("a")
        for index in 100..<damaged.count { damaged[index] = 0xFF }
        try damaged.write(to: URL(fileURLWithPath: folder.file("a")))
        let error = try #require(refusal("a", Card.self))
        #expect(error.reason == .damaged)
        #expect(try bytes("a") == damaged)
    }

    @Test func `a store without its model is an error`() throws {
        _ = try open("a", Card.self)
        try database("a", "DELETE FROM \"$store\"")
        #expect(refusal("a", Card.self)?.reason == .damaged)
    }

    @Test func `a directory and a missing folder can't be opened`() throws {
        try FileManager.default.createDirectory(
            atPath: folder.file("d"), withIntermediateDirectories: false)
        let directory = try #require(refusal("d", Card.self))
        #expect(directory.reason == .notAFile)
        #expect(directory.path == folder.file("d"))
        #expect(refusal("none/a", Card.self)?.reason == .cannotOpen)
        #expect(try folder.files == ["d"])
    }

    @Test func `a model that does not fit is an error before anything is made`() throws {
        #expect(throws: ModelError.self) { try open("a", Hero.self) }
        #expect(try folder.files == [])
    }

    @Test func `a store that somebody else is writing opens`() throws {
        let store = try open("a", Card.self)
        try store.write { context in
            try context.import(Card.self, from: JSONDocument(#"{"suit": "h", "value": "1"}"#).root)
            #expect(try open("a", Card.self).count(Card.all) == 0)
        }
        #expect(try open("a", Card.self).count(Card.all) == 1)
    }
}
