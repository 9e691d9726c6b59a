import Dispatch
import Foundation
import LarderPromises
import Testing

@testable import LarderObjectStore

@Suite struct OpenTransactionTests {
    @Test func `what waits for its end goes on then, though others have the store for long`() throws
    {
        let store = try Self.store(busyTimeout: .seconds(600))
        let calls = Guarded<[StoreError.Code?]>([])
        let transaction = try store.write { _ in
            let transaction = try #require(store.openTransaction)
            store.whenEnded(transaction) { error in calls.withLock { $0.append(error?.code) } }
            #expect(calls.withLock(\.count) == 0)
            return transaction
        }
        #expect(calls.withLock(\.self) == [nil])
        try store.write { _ in
            store.whenEnded(transaction) { error in calls.withLock { $0.append(error?.code) } }
        }
        #expect(calls.withLock(\.self) == [nil, nil])
    }

    @Test func `where it goes on, what waits for its end is told so, once`() async throws {
        let store = try Self.store(busyTimeout: .milliseconds(10))
        let calls = Guarded<[StoreError.Code?]>([])
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let isTold = DispatchSemaphore(value: 0)
                _ = try? store.write { _ in
                    guard let transaction = store.openTransaction else { return }
                    store.whenEnded(transaction) { error in
                        calls.withLock { $0.append(error?.code) }
                        isTold.signal()
                    }
                    isTold.wait()
                }
                continuation.resume()
            }
        }
        #expect(calls.withLock(\.self) == [.reentrant])
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
