import Foundation
import Testing

@testable import LarderObjectStore

/// Copies of a store, made while it is used.
struct StoreBackupTests {
    private let folder: TemporaryFolder
    private let store: Store

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(at: folder.file("a"), entities: Card.self)
        try Self.fill(store, 0..<500)
    }

    private static func fill(_ store: Store, _ range: Range<Int>) throws {
        let cards = range.map {
            #"{"suit": "s\#($0)", "value": "\#(String(repeating: "x", count: 200))"}"#
        }
        _ = try store.import(
            Many<Card>.self, from: Data("[\(cards.joined(separator: ", "))]".utf8))
    }

    private func url(_ name: String) -> URL { URL(fileURLWithPath: folder.file(name)) }

    private struct Stop: Error {}

    @Test func `a backup is a store of its own`() throws {
        try store.backUp(to: url("b"))
        #expect(try folder.files == ["a", "a-shm", "a-wal", "b"])
        #expect(try TemporaryFolder.mode(folder.file("b")) == 0o600)
        let copy = try Store(at: folder.file("b"), entities: Card.self)
        #expect(try copy.count(Card.all) == 500)
        try Self.fill(copy, 500..<501)
        #expect(try store.count(Card.all) == 500)
    }

    @Test func `writing goes on during a backup, which is of one moment`() throws {
        var parts: [BackupProgress] = []
        try Self.fill(store, 500..<10_000)
        try store.backUp(to: url("b")) { progress in
            try Self.fill(store, (10_000 + parts.count)..<(10_001 + parts.count))
            parts.append(progress)
        }
        #expect(parts.count > 1)
        #expect(parts.last?.completed == parts.last?.total)
        #expect(try Store(at: folder.file("b"), entities: Card.self).count(Card.all) == 10_000)
        #expect(try store.count(Card.all) == 10_000 + parts.count)
    }

    @Test func `a backup takes the place of an older one`() throws {
        try store.backUp(to: url("b"))
        try Self.fill(store, 500..<600)
        try store.backUp(to: url("b"))
        #expect(try Store(at: folder.file("b"), entities: Card.self).count(Card.all) == 600)
    }

    @Test func `a backup that is given up leaves what was there`() throws {
        try store.backUp(to: url("b"))
        let before = try Data(contentsOf: url("b"))
        #expect(throws: Stop.self) { try store.backUp(to: url("b")) { _ in throw Stop() } }
        #expect(try Data(contentsOf: url("b")) == before)
        #expect(try folder.files == ["a", "a-shm", "a-wal", "b"])
    }

    @Test func `a cancelled task makes no backup`() async throws {
        let task = Task { [store, url = url("b")] in
            withUnsafeCurrentTask { $0?.cancel() }
            try store.backUp(to: url)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try !folder.files.contains("b"))
    }

    @Test func `places that a backup can't go to`() throws {
        #expect(throws: StoreError.self) { try store.backUp(to: url("a")) }
        #expect(throws: StoreError.self) { try store.backUp(to: url("none/b")) }
        let used = try Store(at: folder.file("used"), entities: Card.self)
        try Self.fill(used, 0..<1)
        let error = #expect(throws: StoreError.self) { try store.backUp(to: url("used")) }
        #expect(error?.path == folder.file("used"))
        #expect(try used.count(Card.all) == 1)
    }

    @Test func `a store in memory is backed up to a file`() throws {
        let store = try Store.inMemory(entities: Card.self)
        try Self.fill(store, 0..<10)
        try store.backUp(to: url("b"))
        #expect(try Store(at: folder.file("b"), entities: Card.self).count(Card.all) == 10)
    }
}
