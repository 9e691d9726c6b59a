import Foundation
import Testing

@testable import LarderObjectStore

/// Copies of a store, made while it is used.
struct StoreBackupTests {
    private let cards: CardFiles
    private let store: Store
    private var folder: TemporaryFolder { cards.folder }

    init() throws {
        cards = try CardFiles()
        store = try cards.store(500)
    }

    private struct Stop: Error {}

    @Test func `a backup is a store of its own`() throws {
        try store.backUp(to: cards.url("b"))
        #expect(try folder.files == ["a", "a-shm", "a-wal", "b"])
        #expect(try TemporaryFolder.mode(folder.file("b")) == 0o600)
        let copy = try Store(at: folder.file("b"), entities: Card.self)
        #expect(try copy.count(Card.all) == 500)
        try CardFiles.fill(copy, 500..<501)
        #expect(try store.count(Card.all) == 500)
    }

    @Test func `writing goes on during a backup, which is of one moment`() throws {
        var parts: [BackupProgress] = []
        try CardFiles.fill(store, 500..<10_000)
        try store.backUp(to: cards.url("b")) { progress in
            try CardFiles.fill(store, (10_000 + parts.count)..<(10_001 + parts.count))
            parts.append(progress)
        }
        #expect(parts.count > 1)
        #expect(parts.last?.completed == parts.last?.total)
        #expect(try Store(at: folder.file("b"), entities: Card.self).count(Card.all) == 10_000)
        #expect(try store.count(Card.all) == 10_000 + parts.count)
    }

    @Test func `a backup takes the place of an older one`() throws {
        try store.backUp(to: cards.url("b"))
        try CardFiles.fill(store, 500..<600)
        try store.backUp(to: cards.url("b"))
        #expect(try Store(at: folder.file("b"), entities: Card.self).count(Card.all) == 600)
    }

    @Test func `a backup that is given up leaves what was there`() throws {
        try store.backUp(to: cards.url("b"))
        let before = try Data(contentsOf: cards.url("b"))
        #expect(throws: Stop.self) { try store.backUp(to: cards.url("b")) { _ in throw Stop() } }
        #expect(try Data(contentsOf: cards.url("b")) == before)
        #expect(try folder.files == ["a", "a-shm", "a-wal", "b"])
    }

    @Test func `a cancelled task makes no backup`() async throws {
        let task = Task { [store, url = cards.url("b")] in
            withUnsafeCurrentTask { $0?.cancel() }
            try store.backUp(to: url)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try !folder.files.contains("b"))
    }

    @Test func `places that a backup can't go to`() throws {
        #expect(throws: StoreError.self) { try store.backUp(to: cards.url("a")) }
        #expect(throws: StoreError.self) { try store.backUp(to: cards.url("none/b")) }
        let used = try Store(at: folder.file("used"), entities: Card.self)
        try CardFiles.fill(used, 0..<1)
        let error = #expect(throws: StoreError.self) { try store.backUp(to: cards.url("used")) }
        #expect(error?.path == folder.file("used"))
        #expect(try used.count(Card.all) == 1)
    }

    @Test func `a store in memory is backed up to a file`() throws {
        let store = try Store.inMemory(entities: Card.self)
        try CardFiles.fill(store, 0..<10)
        try store.backUp(to: cards.url("b"))
        #expect(try Store(at: folder.file("b"), entities: Card.self).count(Card.all) == 10)
    }
}
