import Foundation
import LarderPromises
import Testing

@testable import LarderObjectStore

/// What a crash or another process leaves at a path.
struct StoreFileTests {
    private let folder: TemporaryFolder
    private let plan: StorePlan

    init() throws {
        folder = try TemporaryFolder()
        plan = try StorePlan(Model(entities: [Card.self]))
    }

    private func open(_ name: String) throws -> Connection {
        try StoreFile(path: folder.file(name)).open(for: plan).connection
    }

    @Test func `opens in WAL mode with foreign keys`() throws {
        let connection = try open("a")
        #expect(try connection.value("PRAGMA journal_mode") == .text("wal"))
        #expect(try connection.value("PRAGMA foreign_keys") == .integer(1))
        #expect(try connection.value("PRAGMA synchronous") == .integer(1))
        #expect(try connection.value("PRAGMA fullfsync") == .integer(0))
        #expect(try connection.value("PRAGMA checkpoint_fullfsync") == .integer(1))
        #expect(try connection.value("PRAGMA application_id") == .integer(Schema.applicationID))
        #expect(try connection.value("PRAGMA user_version") == .integer(Schema.version))
    }

    @Test(.timeLimit(.minutes(60)))
    func `who waits for a folder keeps nobody from making a store in another one`() async throws {
        let other = try TemporaryFolder()
        let (path, plan) = (folder.file("a"), plan)
        let lock = UncheckedBox<FolderLock?>(FolderLock(around: path))
        let begun = DispatchSemaphore(value: 0)
        async let waiting: Void = onOwnThread {
            begun.signal()
            _ = try StoreFile(path: path).open(for: plan)
        }
        try await onOwnThread {
            defer { lock.value = nil }
            begun.wait()
            // It has come to the folder by one of these.
            for number in 0..<20 {
                _ = try StoreFile(path: other.file("\(number)")).open(for: plan)
            }
        }
        try await waiting
    }

    @Test func `transactions wait for the disk where they are to survive a loss of power`() throws {
        var configuration = Store.Configuration()
        configuration.survivesPowerLoss = true
        let file = StoreFile(path: folder.file("a"), configuration: configuration)
        let connection = try file.open(for: plan).connection
        #expect(try connection.value("PRAGMA synchronous") == .integer(2))
        #expect(try connection.value("PRAGMA fullfsync") == .integer(1))
    }

    @Test func `a store whose log was never carried over opens`() throws {
        let connection = try open("a")
        try connection.execute("INSERT INTO Card (suit, value) VALUES ('h', '1')")
        // Copies are what a crash leaves: no -shm, and all in the log.
        for name in ["a", "a-wal"] {
            try FileManager.default.copyItem(
                atPath: folder.file(name), toPath: folder.file("b" + name.dropFirst()))
        }
        #expect(try open("b").value("SELECT count(*) FROM Card") == .integer(1))
        withExtendedLifetime(connection) {}
    }

    @Test func `a making that a crash has cut short is taken back and done again`() throws {
        // A transaction in the oldest journal mode, copied before its end.
        let other = try Connection(
            path: folder.file("a"), creates: true, readOnly: false, busyTimeout: 0)
        try other.execute("PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; VACUUM")
        try other.execute("BEGIN IMMEDIATE; CREATE TABLE t (x); PRAGMA cache_spill = 1")
        try other.execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
            INSERT INTO t SELECT hex(randomblob(500)) FROM n
            """)
        for name in ["a", "a-journal"] {
            try FileManager.default.copyItem(
                atPath: folder.file(name), toPath: folder.file("b" + name.dropFirst()))
        }
        try other.execute("ROLLBACK")
        #expect(try open("b").value("SELECT count(*) FROM Card") == .integer(0))
    }

    @Test func `an identical model of another name opens the store`() throws {
        _ = try open("a")
        let model = try Model(name: "Other", entities: [Card.entityDescription])
        _ = try StoreFile(path: folder.file("a")).open(for: try StorePlan(model))
    }

    @Test func `a store in memory has no file`() throws {
        let connection = try StoreFile(path: nil).open(for: plan).connection
        #expect(try connection.value("SELECT count(*) FROM Card") == .integer(0))
        #expect(try folder.files == [])
    }
}
