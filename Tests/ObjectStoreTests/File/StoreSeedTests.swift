import Foundation
import Testing

@testable import LarderObjectStore

/// Stores that are shipped with an app.
struct StoreSeedTests {
    private let folder: TemporaryFolder
    private var configuration = Store.Configuration()

    init() throws {
        folder = try TemporaryFolder()
        configuration.seed = URL(fileURLWithPath: folder.file("seed"))
    }

    private func makeSeed(_ entities: any Entity.Type...) throws {
        let store = try Store(at: folder.file("seed"), model: Model(entities: entities))
        try Self.insert("h", into: store)
        try store.vacuum()
        try store.close()
    }

    private static func insert(_ suit: String, into store: Store) throws {
        _ = try store.write {
            try $0.map(JSONDocument(#"{"suit": "\#(suit)", "value": "1"}"#).root, as: "Card")
        }
    }

    private func open(_ name: String = "a", _ entities: any Entity.Type...) throws -> Store {
        try Store(
            at: folder.file(name), model: Model(entities: entities), configuration: configuration)
    }

    @Test func `a seed is copied in a cancelled task, too`() async throws {
        try makeSeed(Card.self)
        let (path, configuration) = (folder.file("a"), configuration)
        let count = try await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            let store = try Store(
                at: path, model: Model(entities: [Card.self]), configuration: configuration)
            return try store.count(Card.all)
        }.value
        #expect(count == 1)
        #expect(try Set(folder.files).isSubset(of: ["seed", "a", "a-wal", "a-shm"]))
    }

    @Test func `a seed is copied once`() throws {
        try makeSeed(Card.self)
        let seed = try Data(contentsOf: URL(fileURLWithPath: folder.file("seed")))
        var store = try open("a", Card.self)
        #expect(try store.fetch(Card.all).map(\.suit) == ["h"])
        #expect(try TemporaryFolder.mode(folder.file("a")) == 0o600)
        try Self.insert("s", into: store)
        try store.close()
        store = try open("a", Card.self)
        #expect(try store.count(Card.all) == 2)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("seed"))) == seed)
        try store.close()
        #expect(try !folder.files.contains { $0.contains(".seed-") })
    }

    @Test func `what a seed has in its log is part of it`() throws {
        let store = try Store(at: folder.file("seed"), entities: Card.self)
        try Self.insert("h", into: store)
        #expect(try folder.files.contains("seed-wal"))
        #expect(try open("a", Card.self).count(Card.all) == 1)
        withExtendedLifetime(store) {}
    }

    @Test func `a seed is found by a link, with its log`() throws {
        let store = try Store(at: folder.file("seed"), entities: Card.self)
        try Self.insert("h", into: store)
        #expect(symlink(folder.file("seed"), folder.file("link")) == 0)
        var configuration = configuration
        configuration.seed = URL(fileURLWithPath: folder.file("link"))
        let planted = try Store(
            at: folder.file("a"), entities: Card.self, configuration: configuration)
        #expect(try planted.count(Card.all) == 1)
        withExtendedLifetime(store) {}
    }

    /// Leaves a seed as a process does that was killed, without the index of its log.
    private func makeSeedWithLog(in folder: TemporaryFolder) throws {
        let store = try Store(at: folder.file("made"), entities: Card.self)
        try Self.insert("h", into: store)
        for companion in ["", "-wal"] {
            try folder.bytes("made" + companion)
                .write(to: URL(fileURLWithPath: folder.file("seed %41#?" + companion)))
        }
        try store.close()
        unlink(folder.file("made"))
    }

    /// Makes a seed, and the configuration of who begins with it.
    private func seeded(withLog hasLog: Bool) throws -> Store.Configuration {
        guard hasLog else {
            try makeSeed(Card.self)
            return configuration
        }
        try makeSeedWithLog(in: folder)
        var configuration = configuration
        configuration.seed = URL(fileURLWithPath: folder.file("seed %41#?"))
        return configuration
    }

    @Test(arguments: [false, true])
    func `nothing is made or changed beside a seed`(_ hasLog: Bool) throws {
        let configuration = try seeded(withLog: hasLog)
        let files = try folder.files
        let bytes = try files.map(folder.bytes)
        let other = try TemporaryFolder()
        let store = try Store(
            at: other.file("a"), entities: Card.self, configuration: configuration)
        #expect(try store.fetch(Card.all).map(\.suit) == ["h"])
        #expect(try folder.files == files)
        #expect(try files.map(folder.bytes) == bytes)
    }

    @Test(arguments: [false, true])
    func `a seed may be where nothing can be made`(_ hasLog: Bool) throws {
        let configuration = try seeded(withLog: hasLog)
        for name in try folder.files { chmod(folder.file(name), 0o444) }
        let other = try TemporaryFolder()
        chmod(other.path, 0o777)
        chmod(folder.path, 0o555)
        defer { chmod(folder.path, 0o755) }
        let suits = try OtherUser.run {
            try Store(at: other.file("a"), entities: Card.self, configuration: configuration)
                .fetch(Card.all).map(\.suit)
        }
        if let suits { #expect(suits == ["h"]) }
    }

    @Test func `a seed with another model is migrated`() throws {
        try makeSeed(Card.self)
        var card = Card.entityDescription
        card.attributes.append(.optional("note"))
        let store = try Store(
            at: folder.file("a"), model: Model(name: "B", entities: [card]),
            configuration: configuration)
        withExtendedLifetime(store) {}
        #expect(try folder.open("a").number("SELECT count(*) FROM Card WHERE note IS NULL") == 1)
    }

    @Test func `a seed that is read-only will do`() throws {
        try makeSeed(Card.self)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o444], ofItemAtPath: folder.file("seed"))
        let store = try open("a", Card.self)
        try Self.insert("s", into: store)
        #expect(try TemporaryFolder.mode(folder.file("a")) == 0o600)
    }

    @Test func `what is no store is no seed`() throws {
        try Data("nothing".utf8).write(to: URL(fileURLWithPath: folder.file("seed")))
        var error = #expect(throws: StoreError.self) { try open("a", Card.self) }
        #expect(error?.reason == .notADatabase)
        #expect(error?.path == folder.file("seed"))
        configuration.seed.map { try? FileManager.default.removeItem(at: $0) }
        try folder.open("seed").execute("CREATE TABLE t (x)")
        error = #expect(throws: StoreError.self) { try open("a", Card.self) }
        #expect(error?.reason == .notAStore)
        #expect(try folder.files == ["seed"])
    }

    @Test func `a seed that is not there is an error until there is a store`() throws {
        let error = #expect(throws: StoreError.self) { try open("a", Card.self) }
        #expect(error?.reason == .cannotOpen)
        #expect(error?.path == folder.file("seed"))
        #expect(try folder.files == [])
        _ = try Store(at: folder.file("a"), entities: Card.self)
        _ = try open("a", Card.self)
    }

    @Test func `many may plant a seed at once`() async throws {
        try makeSeed(Card.self)
        let path = folder.file("a")
        try await withThrowingTaskGroup(of: Void.self) { [configuration] group in
            for number in 0..<6 {
                group.addTask {
                    let store = try Store(
                        at: path, entities: Card.self, configuration: configuration)
                    try Self.insert("\(number)", into: store)
                }
            }
            try await group.waitForAll()
        }
        #expect(try open("a", Card.self).count(Card.all) == 7)
    }

    @Test func `a seed that is no store is no damaged store`() throws {
        try Data("nothing".utf8).write(to: URL(fileURLWithPath: folder.file("seed")))
        var configuration = configuration
        configuration.damagePolicy = .rebuild { _ in Issue.record("nothing was rebuilt") }
        #expect(throws: StoreError.self) {
            try Store(at: folder.file("a"), entities: Card.self, configuration: configuration)
        }
    }
}
