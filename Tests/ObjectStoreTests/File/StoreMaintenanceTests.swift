import Foundation
import Testing

@testable import LarderObjectStore

/// Backups, checks, sizes and other upkeep.
struct StoreMaintenanceTests {
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

    // MARK: Backups

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

    // MARK: Upkeep

    @Test func `vacuuming gives room back`() throws {
        try Self.fill(store, 500..<5_000)
        let connection = try folder.open("a", creates: false, busyTimeout: 5_000)
        try connection.execute("DELETE FROM Card WHERE suit <> 's1'")
        let before = try store.size
        try store.vacuum()
        #expect(try store.size < before / 10)
        #expect(try store.fetch(Card.all).map(\.suit) == ["s1"])
        try Self.fill(store, 0..<1)
    }

    @Test func `the size is that of the file and its log`() throws {
        let files = try ["a", "a-wal"].reduce(0) { try $0 + Data(contentsOf: url($1)).count }
        #expect(try store.size == files)
        let memory = try Store.inMemory(entities: Card.self)
        let empty = try memory.size
        try Self.fill(memory, 0..<500)
        #expect(try memory.size > empty)
    }

    @Test func `a store grows no larger than it may`() throws {
        var configuration = Store.Configuration()
        configuration.maximumSize = 200_000
        let small = try Store(
            at: folder.file("small"), entities: Card.self, configuration: configuration)
        try Self.fill(small, 0..<100)
        let error = #expect(throws: StoreError.self) { try Self.fill(small, 100..<2_000) }
        #expect(error?.reason == .full)
        #expect(try small.count(Card.all) == 100)
        try Self.fill(small, 100..<110)
    }

    @Test func `maintenance of a closed store is an error`() throws {
        try store.close()
        #expect(throws: StoreError.self) { try store.backUp(to: url("b")) }
        #expect(throws: StoreError.self) { try store.checkIntegrity() }
        #expect(throws: StoreError.self) { try store.vacuum() }
    }

    // MARK: Checks

    @Test(arguments: [IntegrityReport.Depth.quick, .full])
    func `a sound store has no problems`(_ depth: IntegrityReport.Depth) throws {
        #expect(try store.checkIntegrity(depth).isSound)
        #expect(try store.checkIntegrity(depth).description == "ok")
    }

    @Test func `links that lead nowhere are found`() throws {
        let store = try Store(
            at: folder.file("b"),
            model: Model(
                name: "Test",
                entities: [
                    .numbered(
                        "A",
                        relationships: [
                            RelationshipDescription("b", to: "B", isOptional: true, key: "b")
                        ]),
                    .numbered("B"),
                ]))
        try folder.open("b").execute(
            "PRAGMA foreign_keys = OFF; INSERT INTO A (id, b) VALUES (1, 7)")
        let report = try store.checkIntegrity(.quick)
        #expect(report.problems == [.brokenLink(from: "A", to: "B")])
        #expect(report.description == "A leads to an object of B that is not there")
    }

    @Test func `objects that can't be are found by a full check`() throws {
        var level = AttributeDescription("level", .integer, isOptional: true, key: "level")
        level.allowedValues = .integers(0...9)
        let store = try Store(
            at: folder.file("c"),
            model: Model(name: "Test", entities: [.numbered("A", .required("name"), level)]))
        #expect(try store.checkIntegrity().isSound)
        try folder.open("c").execute(
            "INSERT INTO A (id, name, level) VALUES (1, NULL, 1), (2, 'x', 12), (3, 'y', NULL)")
        #expect(try store.checkIntegrity(.quick).isSound)
        let report = try store.checkIntegrity()
        #expect(
            report.problems == [
                .incomplete(entity: "A", property: "name", count: 1),
                .unfit(entity: "A", attribute: "level", count: 1),
            ])
        #expect(
            report.description == """
                A.name is empty in objects that must have it (1)
                A.level holds what its type does not take (1)
                """)
    }

    @Test func `damaged pages are found`() throws {
        try store.vacuum()
        try store.close()
        var bytes = try Data(contentsOf: url("a"))
        for index in 4096 * 5..<4096 * 9 { bytes[index] = 0xA5 }
        try bytes.write(to: url("a"))
        let damaged = try Store(at: folder.file("a"), entities: Card.self)
        let report = try damaged.checkIntegrity()
        #expect(!report.isSound)
    }

    @Test func `damage where the model is kept is reported, too`() throws {
        let store = try Store(at: folder.file("d"), entities: Card.self)
        let other = try folder.open("d")
        _ = try other.allRows("PRAGMA wal_checkpoint(TRUNCATE)")
        let page = try other.number("SELECT rootpage FROM sqlite_schema WHERE name = '$store'")
        let size = try other.number("PRAGMA page_size")
        let file = try FileHandle(forWritingTo: url("d"))
        try file.seek(toOffset: UInt64((page - 1) * size))
        try file.write(contentsOf: Data(repeating: 0xA5, count: size))
        try file.close()
        #expect(try !store.checkIntegrity().isSound)
    }

    @Test func `a page that can't be read is no damage`() {
        let unread = "Tree 5 page 5: unable to get the page. error code=266"
        #expect(IntegrityReport.failure(in: unread)?.reason == .fileAccess)
        let damaged = "Tree 5 page 5: unable to get the page. error code=11"
        #expect(IntegrityReport.failure(in: damaged) == nil)
        #expect(IntegrityReport.failure(in: "Rowid 5 out of order") == nil)
    }

    // MARK: Temporary stores

    @Test func `a temporary store goes with its last user`() throws {
        var temporary: Store? = try Store.temporary(entities: Card.self)
        let path = try #require(temporary?.path)
        try temporary.map { try Self.fill($0, 0..<3) }
        #expect(try temporary?.count(Card.all) == 3)
        #expect(try TemporaryFolder.mode(path) == 0o600)
        #expect(try TemporaryFolder.mode((path as NSString).deletingLastPathComponent) == 0o700)
        temporary = nil
        #expect(
            !FileManager.default.fileExists(atPath: (path as NSString).deletingLastPathComponent))
    }

    @Test func `temporary stores know nothing of each other`() throws {
        let stores = try (0..<2).map { _ in try Store.temporary(entities: Card.self) }
        try Self.fill(stores[0], 0..<3)
        #expect(try stores.map { try $0.count(Card.all) } == [3, 0])
    }
}
