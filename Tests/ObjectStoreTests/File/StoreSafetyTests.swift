import Dispatch
import Foundation
import Testing

@testable import LarderObjectStore

/// Files that can't be a store, or not now: each an error of its own, and the file untouched.
struct StoreSafetyTests {
    private let cards: CardFiles
    private var folder: TemporaryFolder { cards.folder }

    init() throws { cards = try CardFiles() }

    /// Writes bytes, and checks that opening fails with a code and changes none of them.
    private func expect(_ expected: StoreError.Reason, for bytes: Data) throws {
        try bytes.write(to: URL(fileURLWithPath: folder.file("a")))
        #expect(cards.code() == expected)
        #expect(try folder.bytes("a") == bytes)
    }

    // MARK: Damage

    @Test func `a damaged header, page or end is told`() throws {
        try cards.make()
        let sound = try folder.bytes("a")
        var bytes = sound
        bytes.replaceSubrange(0..<16, with: Data(repeating: 0xFF, count: 16))
        try expect(.notADatabase, for: bytes)
        bytes = sound
        bytes.replaceSubrange(100..<4096, with: Data(repeating: 0xFF, count: 3996))
        try expect(.damaged, for: bytes)
        bytes = sound
        bytes.replaceSubrange(
            4096 * 6..<bytes.count, with: Data(repeating: 0xFF, count: bytes.count - 4096 * 6))
        try expect(.damaged, for: bytes)
        try expect(.damaged, for: sound.prefix(sound.count / 2))
        try expect(.notADatabase, for: Data("no database".utf8))
        try sound.write(to: URL(fileURLWithPath: folder.file("a")))
        #expect(cards.code() == nil)
    }

    @Test func `a log that is torn loses no earlier transaction`() throws {
        let store = try Store(at: folder.file("a"), entities: Card.self)
        for suit in ["h", "s"] {
            _ = try store.import(Card.self, from: Data(#"{"suit": "\#(suit)", "value": "1"}"#.utf8))
        }
        try folder.bytes("a").write(to: URL(fileURLWithPath: folder.file("b")))
        let log = try folder.bytes("a-wal")
        try log.dropLast(2_000).write(to: URL(fileURLWithPath: folder.file("b-wal")))
        let torn = try Store(at: folder.file("b"), entities: Card.self)
        #expect(try torn.fetch(Card.all).map(\.suit) == ["h"])
        #expect(try torn.checkIntegrity().isSound)
    }

    // MARK: Other things than files

    @Test(arguments: [":memory:", ""]) func `a name of SQLite's own is no path`(_ path: String) {
        let error = #expect(throws: StoreError.self) { try Store(at: path, entities: Card.self) }
        #expect(error?.reason == .cannotOpen)
        #expect("\(error as Any)".contains("Store.inMemory"))
        #expect(!FileManager.default.fileExists(atPath: ":memory:"))
    }

    // MARK: Locks and room

    @Test func `a lock that another process holds is waited for and then told`() throws {
        try cards.make(count: 1)
        let python = Process()
        python.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        python.arguments = [
            "python3", "-c",
            """
            import sqlite3, sys
            c = sqlite3.connect(sys.argv[1], isolation_level=None)
            c.execute('BEGIN IMMEDIATE')
            print('locked', flush=True)
            sys.stdin.read()
            """, folder.file("a"),
        ]
        let (input, output) = (Pipe(), Pipe())
        python.standardInput = input
        python.standardOutput = output
        python.standardError = FileHandle.nullDevice
        guard (try? python.run()) != nil,
            output.fileHandleForReading.availableData == Data("locked\n".utf8)
        else {
            print("SKIPPED: no python3 with sqlite3 here")
            return
        }
        var configuration = Store.Configuration()
        configuration.busyTimeout = .milliseconds(10)
        let store = try Store(
            at: folder.file("a"), entities: Card.self, configuration: configuration)
        #expect(try store.count(Card.all) == 1)
        let card = Data(#"{"suit": "h", "value": "1"}"#.utf8)
        let error = #expect(throws: StoreError.self) { try store.import(Card.self, from: card) }
        #expect(error?.reason == .busy)
        configuration.migration.waitTimeout = .milliseconds(10)
        let other = try Model(name: "Other", entities: [Card.entityDescription, .numbered("New")])
        let refused = #expect(throws: StoreError.self) {
            try Store(at: folder.file("a"), model: other, configuration: configuration)
        }
        #expect(refused?.reason == .busy)
        try input.fileHandleForWriting.close()
        python.waitUntilExit()
        _ = try store.import(Card.self, from: card)
        #expect(try store.count(Card.all) == 2)
    }

    /// Runs a body on a thread that alone sees a disk of its own; says so where that can't be done.
    private func mounted(
        _ options: String, _ body: @escaping @Sendable (String) throws -> Void
    ) throws {
        let path = folder.file("mount")
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false)
        let outcome = Outcome()
        Thread.detachNewThread {
            outcome.finish(
                Result {
                    guard geteuid() == 0, Self.leaveNamespace(),
                        Self.run("mount", "--make-rprivate", "/"),
                        Self.run("mount", "-t", "tmpfs", "-o", options, "tmpfs", path)
                    else { return print("SKIPPED: nothing can be mounted here") }
                    try body(path)
                })
        }
        try outcome.wait()
    }

    /// Gives the calling thread mounts of its own, on Linux.
    private static func leaveNamespace() -> Bool {
        guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "unshare") else { return false }
        let unshare = unsafeBitCast(symbol, to: (@convention(c) (Int32) -> Int32).self)
        return unshare(0x20000) == 0
    }

    /// What comes of a thread; unchecked because `result` is written before the signal alone.
    private final class Outcome: @unchecked Sendable {
        private let semaphore = DispatchSemaphore(value: 0)
        private var result: Result<Void, any Error> = .success(())

        func finish(_ result: Result<Void, any Error>) {
            self.result = result
            semaphore.signal()
        }

        func wait() throws {
            semaphore.wait()
            try result.get()
        }
    }

    private static func run(_ arguments: String...) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    @Test func `a full disk is told, and what was stored stays`() throws {
        try mounted("size=400k") { path in
            let store = try Store(at: path + "/a", entities: Card.self)
            _ = try store.import(Card.self, from: Data(#"{"suit": "h", "value": "1"}"#.utf8))
            let long = String(repeating: "x", count: 1_000_000)
            let error = #expect(throws: StoreError.self) {
                try store.import(
                    Card.self, from: Data(#"{"suit": "s", "value": "\#(long)"}"#.utf8))
            }
            #expect(error?.reason == .full)
            #expect(try store.fetch(Card.all).map(\.suit) == ["h"])
            #expect(try store.checkIntegrity().isSound)
        }
    }

    @Test func `on a full disk there is room to delete, and then to write`() throws {
        try mounted("size=400k") { path in
            func play(_ times: Int, in store: Store) throws {
                let json = #"{"suit": "h", "value": "1", "times_played": \#(times)}"#
                try store.import(Card.self, from: Data(json.utf8))
            }
            let made = try Store(at: path + "/a", entities: Card.self)
            try play(0, in: made)
            // The log is carried over, so that the file need not grow any more.
            try made.close()
            let store = try Store(at: path + "/a", entities: Card.self)
            // Each of them takes a page of the log, up to the last that the disk has.
            let error = #expect(throws: StoreError.self) {
                for times in 1...2_000 { try play(times, in: store) }
            }
            #expect(error?.reason == .full)
            #expect(try store.delete(Card.all) == 1)
            try play(1, in: store)
            #expect(try store.fetch(Card.all).map(\.timesPlayed) == [1])
            #expect(try store.checkIntegrity().isSound)
        }
    }

    @Test func `a disk that is only to be read is told`() throws {
        try mounted("size=4m") { path in
            try Store(at: path + "/a", entities: Card.self).close()
            #expect(Self.run("mount", "-o", "remount,ro", path))
            for name in ["a", "new"] {
                let error = #expect(throws: StoreError.self) {
                    try Store(at: path + "/" + name, entities: Card.self)
                }
                #expect(error?.reason == .readOnly)
            }
        }
    }
}
