import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// Several caches of one file, in one process.
@Suite struct CacheLedgerTests {
    /// Whose each cache is: one store's, or one each of two stores that have the file open.
    enum Sharing: CaseIterable {
        case store, file
    }

    private let store: Store

    init() throws {
        store = try Store.temporary(entities: User.self, Article.self, Tag.self)
    }

    private func clients(
        _ sharing: Sharing,
        _ answer: @escaping @Sendable (TransportRequest) async throws -> TransportResponse
    ) throws -> (CacheSetting, CacheSetting) {
        let path = try #require(store.path)
        let other = sharing == .store ? store : try Store(at: path, model: store.model)
        return (try CacheSetting(in: store, answer), try CacheSetting(in: other, answer))
    }

    @Test func `a file has one, by whichever path, and each cache in memory its own`() throws {
        let path = try #require(store.path)
        let ledger = CacheLedger.of(store)
        #expect(ResponseCache(in: store).ledger === ledger)
        #expect(CacheLedger.of(try Store(at: path, model: store.model)) === ledger)
        let link = URL(filePath: path).deletingLastPathComponent().path() + "/./"
        let name = URL(filePath: path).lastPathComponent
        #expect(CacheLedger.of(try Store(at: link + name, model: store.model)) === ledger)
        let another = try Store.temporary(entities: User.self, Article.self, Tag.self)
        #expect(CacheLedger.of(another) !== ledger)
        let inMemory = try TestClient.store()
        #expect(ResponseCache(in: inMemory).ledger !== ResponseCache(in: inMemory).ledger)
    }

    @Test(arguments: Sharing.allCases)
    func `what one asked for before another's change is not kept after it`(
        _ sharing: Sharing
    ) async throws {
        let (isAsked, isFree) = (Gate(), Gate())
        let count = Guarded(0)
        let (own, other) = try clients(sharing) { request in
            guard request.head.method == .get else { return .json("1") }
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 1 {
                isAsked.open()
                try await isFree.wait()
            }
            return .json("\(number)", headerFields: [.cacheControl: "max-age=60"])
        }
        let old = other.client.enqueue(Resource("x"), as: String.self)
        try await isAsked.wait()
        try await own.client.enqueue(.put("x")).value
        isFree.open()
        #expect(try await old.value == "1")
        try await other.cache.settled().value
        #expect(try await own.get().value == "2")
        #expect(try await other.get().source == .cache)
    }

    @Test(arguments: Sharing.allCases)
    func `what one could not remove answers nobody, and goes once it can as another asks`(
        _ sharing: Sharing
    ) async throws {
        let (own, other) = try clients(sharing, CacheSetting.counting())
        for path in ["x", "y"] {
            #expect(try await own.get(path).source == .network)
            #expect(try await other.get(path).source == .cache)
        }
        try store.writeBeside { tables in
            _ = try tables.run(
                """
                CREATE TRIGGER "\(ResponseTable.name).lock" BEFORE DELETE ON "\(ResponseTable.name)"
                BEGIN SELECT RAISE(ABORT, 'locked'); END
                """)
        }
        try await own.client.enqueue(.put("x")).value
        try await own.cache.settled().value
        #expect(try await other.get().source == .network)
        // Of others nothing is lost.
        #expect(try await other.get("y").source == .cache)
        try store.writeBeside { _ = try $0.run("DROP TRIGGER \"\(ResponseTable.name).lock\"") }
        #expect(try await other.get().source == .network)
        for setting in [own, other] { #expect(try await setting.get().source == .cache) }
    }

    @Test func `what could not be removed answers nobody who opens the file anew`() async throws {
        let (file, answer) = (try ReopenedFile(), CacheSetting.counting())
        try await file.open { store in
            let setting = try CacheSetting(in: store, answer)
            for source in [ResponseSource.network, .cache] {
                #expect(try await setting.get().source == source)
            }
            try store.writeBeside { tables in
                _ = try tables.run(
                    """
                    CREATE TRIGGER "\(ResponseTable.name).lock" BEFORE DELETE ON "\(ResponseTable.name)"
                    BEGIN SELECT RAISE(ABORT, 'locked'); END
                    """)
            }
            await #expect(throws: (any Error).self) { try await setting.cache.flush().value }
        }
        try await file.open { store in
            let setting = try CacheSetting(in: store, answer)
            #expect(try await setting.get().value == "2")
            try store.writeBeside { _ = try $0.run("DROP TRIGGER \"\(ResponseTable.name).lock\"") }
            #expect(try await setting.get().value == "3")
            #expect(try await setting.get().source == .cache)
        }
    }
}
