import Dispatch
import Foundation
import LarderPromises
import Testing

@testable import LarderObjectStore

@Suite struct OpenTransactionTests {
    @Test func `what waits for its end goes on then, though others have the store for long`() throws
    {
        let store = try Self.store(busyTimeout: .seconds(600))
        let calls = Guarded<[StoreError.Reason?]>([])
        let transaction = try store.write { _ in
            let transaction = try #require(store.openTransaction)
            store.whenEnded(transaction) { error in calls.withLock { $0.append(error?.reason) } }
            #expect(calls.withLock(\.count) == 0)
            return transaction
        }
        #expect(calls.withLock(\.self) == [nil])
        try store.write { _ in
            store.whenEnded(transaction) { error in calls.withLock { $0.append(error?.reason) } }
        }
        #expect(calls.withLock(\.self) == [nil, nil])
    }

    @Test func `where it goes on, what waits for its end is told so, once`() async throws {
        let store = try Self.store(busyTimeout: .milliseconds(10))
        let calls = Guarded<[StoreError.Reason?]>([])
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let isTold = DispatchSemaphore(value: 0)
                _ = try? store.write { _ in
                    guard let transaction = store.openTransaction else { return }
                    store.whenEnded(transaction) { error in
                        calls.withLock { $0.append(error?.reason) }
                        isTold.signal()
                    }
                    isTold.wait()
                }
                continuation.resume()
            }
        }
        #expect(calls.withLock(\.self) == [.reentrant])
    }

    /// A timer that fires when it is told to.
    private final class Patience: Sendable {
        private let due = Guarded<[@Sendable () -> Void]>([])
        private let pauses = Guarded<[DispatchTimeInterval]>([])

        var count: Int { due.withLock(\.count) }
        /// The times that it has been set to.
        var times: [DispatchTimeInterval] { pauses.withLock(\.self) }

        func writer(_ patience: DispatchTimeInterval = .seconds(5)) throws -> Writer {
            let plan = try StorePlan(Model(entities: [Tag.self]))
            let connection = try StoreFile(path: nil).open(for: plan).connection
            return Writer(connection: connection, plan: plan, patience: patience) { time, body in
                self.pauses.withLock { $0.append(time) }
                self.due.withLock { $0.append(body) }
            }
        }

        func end() {
            let bodies = due.withLock { bodies in
                defer { bodies = [] }
                return bodies
            }
            for body in bodies { body() }
        }
    }

    @Test func `one that reads or writes does not wait for what it has started`() throws {
        let patience = Patience()
        let writer = try patience.writer()
        let calls = Guarded<[StoreError.Reason?]>([])
        try writer.run { connection, _ in
            let transaction = try #require(writer.openTransaction)
            writer.whenEnded(transaction) { error in calls.withLock { $0.append(error?.reason) } }
            for statement in ["SELECT 1", "PRAGMA user_version"] {
                _ = try connection.value(statement)
                patience.end()
            }
            try connection.execute("BEGIN; COMMIT")
            patience.end()
            #expect(calls.withLock(\.self).isEmpty)
            patience.end()
            #expect(calls.withLock(\.self) == [.reentrant])
        }
        #expect(calls.withLock(\.self) == [.reentrant])
    }

    @Test func `where nobody waits, one that is at work is not looked at all the time`() throws {
        let patience = Patience()
        let writer = try patience.writer(.milliseconds(0))
        try writer.run { connection, _ in
            let transaction = try #require(writer.openTransaction)
            writer.whenEnded(transaction) { _ in }
            _ = try connection.value("SELECT 1")
            patience.end()
        }
        #expect(patience.times == [.milliseconds(0), .milliseconds(10)])
    }

    @Test func `one that is inside of a statement for long does not wait, either`() throws {
        let patience = Patience()
        let writer = try patience.writer()
        let calls = Guarded<[StoreError.Reason?]>([])
        try writer.run { connection, _ in
            let transaction = try #require(writer.openTransaction)
            #expect(!transaction.hasWorked(since: transaction.reading))
            connection.meter.counting {
                #expect(transaction.hasWorked(since: transaction.reading))
                writer.whenEnded(transaction) { error in calls.withLock { $0.append(error?.reason) }
                }
                for _ in 0..<3 { patience.end() }
            }
            #expect(calls.withLock(\.self).isEmpty)
        }
        #expect(calls.withLock(\.self) == [nil])
    }

    @Test func `a writer is let go of though patience has not ended`() throws {
        let patience = Patience()
        var writer: Writer? = try patience.writer()
        weak let left = writer
        try writer?.run { [weak writer] _, _ in
            let transaction = try #require(writer?.openTransaction)
            writer?.whenEnded(transaction) { _ in }
        }
        writer = nil
        #expect(patience.count == 1)
        #expect(left == nil)
    }

    @Test func `it is open inside another store's, too`() throws {
        let (store, other) = (try Self.store(), try Self.store())
        #expect(store.openTransaction == nil)
        try store.write { _ in
            let own = store.openTransaction
            try other.write { _ in
                #expect(own != nil && store.openTransaction === own)
                #expect(other.openTransaction != nil && other.openTransaction !== own)
            }
        }
        #expect(store.openTransaction == nil)
    }

    private static func store(busyTimeout: Duration = .seconds(5)) throws -> Store {
        var configuration = Store.Configuration()
        configuration.busyTimeout = busyTimeout
        return try Store.inMemory(entities: Tag.self, configuration: configuration)
    }

    @Test func `what has been called is let go of, however long it could have waited`() throws {
        final class Payload: Sendable {}
        let store = try Self.store(busyTimeout: .seconds(600))
        weak var left: Payload?
        try store.write { _ in
            let payload = Payload()
            left = payload
            let transaction = try #require(store.openTransaction)
            store.whenEnded(transaction) { [payload] _ in withExtendedLifetime(payload) {} }
        }
        #expect(left == nil)
    }
}
