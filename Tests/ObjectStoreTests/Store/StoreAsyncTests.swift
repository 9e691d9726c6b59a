import Dispatch
import Foundation
import LarderPromises
import Testing

@testable import LarderObjectStore

/// The calls that do not block: awaited, chained, cancelled.
struct StoreAsyncTests {
    private let library: StoreFixture
    private var store: Store { library.store }

    init() throws { library = try Library.fixture() }

    /// Keeps the writer busy until the semaphore is signalled.
    private func hold() -> (isHeld: Promise<Void>, gate: DispatchSemaphore) {
        let (isHeld, resolver) = Promise<Void>.pending()
        let gate = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [store] in
            try? store.write { _ in
                resolver.fulfill()
                Self.wait(gate)
            }
        }
        return (isHeld, gate)
    }

    /// Blocks a thread that is not one of the tasks'.
    private static func wait(_ semaphore: DispatchSemaphore) {
        if semaphore.wait(timeout: .farAway) == .timedOut { Issue.record("nobody signals") }
    }

    @Test func `writes and reads without a thread of one's own`() async throws {
        let name = try await store.write { try $0.save(Library.old).fetch().name }
        #expect(name == "old")
        let both = try await store.read { try [$0.count(Tag.all), $0.count(Book.all)] }
        #expect(both == [1, 0])
        let json = Data(#"{"name": "json"}"#.utf8)
        #expect(try await store.write { try $0.import(Tag.self, from: json) }.name == "json")
    }

    @Test func `gives promises where nobody awaits`() async throws {
        let store = store
        let names = store.promise.write { try $0.save(Library.old) }
            .then { _ in store.promise.read { try $0.fetch(Tag.all) } }
            .then { tags in tags.map(\.name) }
        #expect(try await names.value == ["old"])
        let counts: Promise<Int> = store.promise.read { try $0.count(Tag.all) }
        #expect(try await counts.value == 1)
        let failing: Promise<Void> = store.promise.write { _ in throw StoreError(.sqlite, "test") }
        await #expect(throws: StoreError.self) { try await failing.value }
    }

    @Test func `a store in memory has them too`() async throws {
        let store = try Store.inMemory(entities: Tag.self)
        try await store.write { try $0.save(Library.old) }
        #expect(try await store.read { try $0.count(Tag.all) } == 1)
    }

    @Test func `an error takes the transaction back`() async throws {
        await #expect(throws: WritingError.self) {
            try await store.write { context in
                try context.save(Library.old)
                try context.update(Tag.all) { $0.name.set("x") }
            }
        }
        #expect(try store.count(Tag.all) == 0)
    }

    @Test func `transactions come in the order they were asked for`() async throws {
        let seen = Guarded<[Int]>([])
        let promises = (0..<50).map { number -> Promise<Void> in
            store.promise.write { _ in seen.withLock { $0.append(number) } }
        }
        for promise in promises { try await promise.value }
        #expect(seen.withLock(\.self) == Array(0..<50))
    }

    // MARK: Documents

    private static let json = Data(#"[{"name": "json"}]"#.utf8)

    @Test func `documents are written in the order they were asked for`() async throws {
        let promises = (0..<50).map { number in
            store.promise.write {
                try $0.import(
                    Tag.self, from: Data(#"{"name": "a", "color": "\#(number)"}"#.utf8))
            }
        }
        for promise in promises { _ = try await promise.value }
        #expect(try store.fetch(Tag.all).map(\.color) == ["49"])
    }

    @Test func `a document that can't be parsed lets the next one through`() async throws {
        let failing: Promise<[Tag]> = store.promise.write { try $0.import(from: Data("[".utf8)) }
        let next: Promise<[Tag]> = store.promise.write { try $0.import(from: Self.json) }
        await #expect(throws: JSONError.self) { try await failing.value }
        #expect(try await next.value.map(\.name) == ["json"])
    }

    // MARK: What the end of a call calls

    /// Calls that block until they have had their turn.
    private static let calls: KeyValuePairs<String, @Sendable (Store) throws -> Void> = [
        "write": { try $0.write { _ in } },
        "save": { _ = try $0.save(Library.old) },
        "insert": { _ = try $0.import([Tag].self, from: json) },
        "delete": { _ = try $0.delete(Tag.all) },
        "fetch": { _ = try $0.fetch(Tag.all) },
        "read": { try $0.read { _ = try $0.count(Tag.all) } },
        "vacuum": { try $0.vacuum() },
        "checkIntegrity": { _ = try $0.checkIntegrity() },
        "promise": { try ($0.promise.write { _ in } as Promise<Void>).wait() },
        "close": { try $0.close() },
    ]

    @Test(arguments: calls.map(\.key), [true, false])
    func `may block while another call waits`(_ name: String, inMemory: Bool) async throws {
        let call = try #require(Self.calls.first { $0.key == name }?.value)
        let store =
            inMemory ? try Store.inMemory(model: library.store.model) : library.store
        let gate = DispatchSemaphore(value: 0)
        let first: Promise<Void> = store.promise.write { _ in Self.wait(gate) }
        let second: Promise<Void> = store.promise.write { _ in }
        let third: Promise<[Tag]> = store.promise.write { try $0.import(from: Self.json) }
        let ended = first.then(on: .immediate) { try call(store) }
        gate.signal()
        try await ended.value
        try await second.value
        _ = try? await third.value
    }

    // MARK: Cancelling

    @Test func `a call that is cancelled while it waits never runs`() async throws {
        let (isHeld, gate) = hold()
        try await isHeld.value
        let task = Task { [store] in
            try await store.write { _ = try $0.save(Library.old) }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let promise: Promise<Void> = store.promise.write { _ = try $0.save(Library.old) }
        promise.cancel()
        await #expect(throws: CancellationError.self) { try await promise.value }
        gate.signal()
        try await store.write { _ in }
        #expect(try store.count(Tag.all) == 0)
    }

    @Test func `a transaction that is cancelled while it runs leaves nothing`() async throws {
        let (isRunning, running) = Promise<Void>.pending()
        let isCancelled = DispatchSemaphore(value: 0)
        let promise: Promise<Void> = store.promise.write { context in
            try context.save(Library.old)
            running.fulfill()
            Self.wait(isCancelled)
        }
        try await isRunning.value
        promise.cancel()
        isCancelled.signal()
        await #expect(throws: CancellationError.self) { try await promise.value }
        try await store.write { _ in }
        #expect(try store.count(Tag.all) == 0)
    }

    @Test func `what a cancelled body does next is an error, which it can't hide`() async throws {
        let (isRunning, running) = Promise<Void>.pending()
        let isCancelled = DispatchSemaphore(value: 0)
        let caught = Guarded(0)
        let promise: Promise<Void> = store.promise.write { context in
            running.fulfill()
            Self.wait(isCancelled)
            for _ in 0..<3 {
                do { try context.save(Library.old) } catch { caught.withLock { $0 += 1 } }
            }
        }
        try await isRunning.value
        promise.cancel()
        isCancelled.signal()
        try await store.write { _ in }
        #expect(caught.withLock(\.self) == 3)
        #expect(try store.count(Tag.all) == 0)
    }

    @Test func `a statement that runs is stopped, and the connection goes on to others`()
        async throws
    {
        let path = library.path
        let endless =
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
        try await onOwnThread {
            let connection = try Connection(
                path: path, creates: false, readOnly: true, busyTimeout: 0)
            let interruption = Interruption()
            let isRunning = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                Self.wait(isRunning)
                interruption.cancel()
            }
            #expect(throws: CancellationError.self) {
                try interruption.run(on: connection) {
                    isRunning.signal()
                    _ = try connection.value(endless)
                }
            }
            #expect(try connection.value("SELECT 1") == .integer(1))
            #expect(throws: CancellationError.self) { try interruption.run(on: connection) {} }
            let value = try Interruption().run(on: connection) {
                try connection.value("SELECT 2")
            }
            #expect(value == .integer(2))
        }
    }

    @Test func `a statement that begins after it was cancelled is stopped too`() throws {
        let connection = try Connection.inMemory()
        let interruption = Interruption()
        let long = """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000000)
            SELECT count(*) FROM n
            """
        #expect(throws: CancellationError.self) {
            try interruption.run(on: connection) {
                // Nothing runs, so that SQLite's own interruption comes too early.
                interruption.cancel()
                _ = try connection.value(long)
            }
        }
        #expect(try connection.value(long) == .integer(1_000_000))
    }

    // MARK: Calls into oneself

    @Test func `a body that waits for its own store gets an error instead of waiting for ever`()
        async throws
    {
        var configuration = Store.Configuration()
        configuration.busyTimeout = .milliseconds(50)
        let store = try Store.inMemory(entities: Tag.self, configuration: configuration)
        let reasons = try await onOwnThread {
            try store.write { context in
                let reasons = [
                    Self.reason { try (store.promise.write { _ in } as Promise<Void>).wait() },
                    Self.reason {
                        _ = try store.promise.write { try $0.import([Tag].self, from: Self.json) }
                            .wait()
                    },
                    try Self.reasonOfTask { try await store.write { _ in } },
                    try Self.reasonOfTask { try Self.writeHere(store) },
                ]
                _ = try context.count(Tag.all)
                return reasons
            }
        }
        #expect(reasons == [.reentrant, .reentrant, .reentrant, .reentrant])
    }

    @Test func `a call that a transaction starts and does not wait for outlasts those before it`()
        async throws
    {
        var configuration = Store.Configuration()
        configuration.busyTimeout = .milliseconds(50)
        let store = try Store.inMemory(entities: Tag.self, configuration: configuration)
        let started = Guarded<Promise<Void>?>(nil)
        let parsed = Guarded<Promise<[Tag]>?>(nil)
        let read = Guarded<Promise<Int>?>(nil)
        let gate = DispatchSemaphore(value: 0)
        let first: Promise<Void> = store.promise.write { _ in
            Self.wait(gate)
            started.withLock { $0 = store.promise.write { _ = try $0.save(Library.old) } }
            parsed.withLock {
                $0 = store.promise.write { try $0.import([Tag].self, from: Self.json) }
            }
            read.withLock { $0 = store.promise.read { try $0.count(Tag.all) } }
        }
        // It lasts for longer than the others' time: its own call, which came after them, is given up.
        let second = store.promise.write { _ in
            Self.reason { try (store.promise.write { _ in } as Promise<Void>).wait() }
        }
        gate.signal()
        try await first.value
        #expect(try await second.value == .reentrant)
        try await #require(started.withLock(\.self)).value
        _ = try await #require(parsed.withLock(\.self)).value
        _ = try await #require(read.withLock(\.self)).value
        #expect(try store.contains(Tag.where { $0.name == "old" }))
    }

    private static func reason(of body: () throws -> Void) -> StoreError.Reason? {
        do { try body() } catch { return (error as? StoreError)?.reason }
        return nil
    }

    /// What a task ends with that the calling thread waits for.
    private static func reasonOfTask(
        _ body: @escaping @Sendable () async throws -> Void
    ) throws -> StoreError.Reason? {
        let done = DispatchSemaphore(value: 0)
        let reason = Guarded<StoreError.Reason?>(nil)
        Task {
            do { try await body() } catch {
                reason.withLock { $0 = (error as? StoreError)?.reason }
            }
            done.signal()
        }
        wait(done)
        return reason.withLock(\.self)
    }

    private static func writeHere(_ store: Store) throws { try store.write { _ in } }

    @Test func `a task that outlives its transaction may write`() async throws {
        let store = store
        let task = try await store.write { _ in
            Task { try await store.write { _ = try $0.save(Library.old) } }
        }
        try await task.value
        #expect(try store.count(Tag.all) == 1)
    }
}
