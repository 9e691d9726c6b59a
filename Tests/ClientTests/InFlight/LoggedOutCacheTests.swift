import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// What a cache has, once somebody has logged out.
@Suite struct LoggedOutCacheTests {
    private struct Locked: Error {}

    /// Keeps responses in memory, and empties that late, or not at all.
    private final class Shelf: MemoryBacked {
        let memory = MemoryResponses(limit: 1 << 20, responseLimit: 1 << 20)
        let isLocked = Guarded(false)
        let isHeld = Guarded(false)
        let (isFlushing, goOn) = (Gate(), Gate())

        var isEmpty: Bool { memory.size == 0 }

        func removeAll(from origin: String?) throws {
            if isHeld.withLock(\.self) {
                isFlushing.open()
                try goOn.block()
            }
            if isLocked.withLock(\.self) { throw Locked() }
            memory.removeAll(from: origin)
        }
    }

    private static func client(
        _ shelf: Shelf, _ interceptors: [any Interceptor] = [], clock: ManualClock? = nil
    ) throws -> Client {
        let answer = TransportResponse.json(
            #"[{"id": 1, "login": "ann"}]"#, headerFields: [.cacheControl: "max-age=600"])
        return try TestClient.client(over: StubTransport(answer)) {
            ($0.cache, $0.interceptors) = (ResponseCache(provider: shelf), interceptors)
            $0.importClock = clock
        }
    }

    private static func ask(
        _ client: Client, by policy: CachePolicy = .clientDefault
    ) async throws -> ResponseSource {
        let response: Response<[User]> = try await client.caching(policy)
            .enqueue(Resource("x")).value
        _ = try await client.configuration.cache?.settled().value
        return response.source
    }

    /// A process that ends before starts as who was logged in.
    @Test(arguments: [false, true])
    func `a credential is given up once the cache is empty, or can't be emptied`(
        _ isLocked: Bool
    ) async throws {
        let (shelf, told) = (Shelf(), Heard())
        let authorization = AuthorizationInterceptor(
            .bearer("ann"),
            onChange: { _ in told.note(shelf.isEmpty ? "empty" : "full") },
            refreshing: { (_: Credential) -> Promise<Credential> in .fulfilled(.bearer("")) })
        let client = try Self.client(shelf, [authorization], clock: ManualClock())
        _ = try await Self.ask(client)
        #expect(!shelf.isEmpty)
        shelf.isHeld.withLock { $0 = true }
        shelf.isLocked.withLock { $0 = isLocked }
        let logOut = client.logOut()
        try await shelf.isFlushing.wait()
        for _ in 0..<10_000 where told.texts.isEmpty { await Task.yield() }
        #expect(told.texts.isEmpty)
        shelf.goOn.open()
        if isLocked {
            await #expect(throws: Locked.self) { try await logOut.value }
        } else {
            try await logOut.value
        }
        #expect(told.texts == [isLocked ? "full" : "empty"])
        #expect(try client.store.count(User.all) == 0)
    }

    /// What is somebody else's may never be.
    @Test func `a credential is given up at last where the cache is not empty for long`()
        async throws
    {
        let (shelf, told, clock) = (Shelf(), Heard(), ManualClock())
        let authorization = AuthorizationInterceptor(
            .bearer("ann"), onChange: { _ in told.note("told") },
            refreshing: { (_: Credential) -> Promise<Credential> in .fulfilled(.bearer("")) })
        let client = try Self.client(shelf, [authorization], clock: clock)
        shelf.isHeld.withLock { $0 = true }
        let logOut = client.logOut()
        try await shelf.isFlushing.wait()
        for _ in 0..<10_000 where told.texts.isEmpty { await Task.yield() }
        #expect(told.texts.isEmpty)
        let limit = ContinuousClock.now + .seconds(60)
        while told.texts.isEmpty, ContinuousClock.now < limit {
            clock.advance(by: .seconds(10))
            await Task.yield()
        }
        #expect(told.texts == ["told"] && logOut.isPending)
        shelf.goOn.open()
        try await logOut.value
        #expect(told.texts == ["told"])
    }

    /// Nobody finds anything before that is done.
    @Test func `nobody waits while what could not be removed is tried again`() async throws {
        let shelf = Shelf()
        let client = try Self.client(shelf)
        shelf.isLocked.withLock { $0 = true }
        await #expect(throws: Locked.self) { try await client.logOut().value }
        let memory = CachePolicy.memory(for: .seconds(600))
        #expect(try await Self.ask(client, by: memory) == .network)
        shelf.isHeld.withLock { $0 = true }
        for _ in 0..<2 {
            let kept: Response<[User]> = try await client.caching(memory)
                .enqueue(Resource("x")).value
            #expect(kept.source == .cache)
            try await shelf.isFlushing.wait()
        }
        let asked: Response<[User]> = try await client.enqueue(Resource("y")).value
        #expect(asked.source == .network)
        shelf.goOn.open()
        _ = try await client.configuration.cache?.settled().value
    }

    @Test func `what it could not remove answers nobody, and goes once it can as somebody asks`()
        async throws
    {
        let shelf = Shelf()
        let client = try Self.client(shelf)
        // Made of the same cache.
        let other = try TestClient.client(over: client.configuration.transport) {
            $0.cache = client.configuration.cache
        }
        _ = try await Self.ask(client)
        shelf.isLocked.withLock { $0 = true }
        await #expect(throws: Locked.self) { try await client.logOut().value }
        for asker in [client, other, client] {
            let error = await #expect(throws: ClientError.self) {
                try await Self.ask(asker, by: .cachedOnly)
            }
            #expect(error?.reason == .notCached)
        }
        #expect(try await Self.ask(client) == .network)
        // What has come since goes along.
        await #expect(throws: ClientError.self) { try await Self.ask(other, by: .cachedOnly) }
        shelf.isLocked.withLock { $0 = false }
        await #expect(throws: ClientError.self) { try await Self.ask(other, by: .cachedOnly) }
        _ = try await client.configuration.cache?.settled().value
        #expect(shelf.isEmpty)
        #expect(try await Self.ask(client) == .network)
        #expect(try await Self.ask(client) == .cache)
    }

    @Test func `what it could not remove goes by the next log-in`() async throws {
        let shelf = Shelf()
        let authorization = AuthorizationInterceptor(.bearer("ann"))
        let client = try Self.client(shelf, [authorization])
        _ = try await Self.ask(client)
        shelf.isLocked.withLock { $0 = true }
        await #expect(throws: Locked.self) { try await client.logOut().value }
        #expect(!shelf.isEmpty)
        shelf.isLocked.withLock { $0 = false }
        authorization.logIn(.bearer("ann"))
        _ = try await client.configuration.cache?.settled().value
        #expect(shelf.isEmpty)
        #expect(try await Self.ask(client) == .network)
        #expect(try await Self.ask(client) == .cache)
    }

    /// That of an origin leaves the others.
    @Test func `a flush of an origin makes up for none of all`() async throws {
        let shelf = Shelf()
        let client = try Self.client(shelf)
        let cache = try #require(client.configuration.cache)
        _ = try await Self.ask(client)
        shelf.isLocked.withLock { $0 = true }
        await #expect(throws: Locked.self) { try await cache.flush().value }
        shelf.isLocked.withLock { $0 = false }
        try await cache.flush(origin: URL(string: "http://other.invalid/")).value
        #expect(!shelf.isEmpty && cache.hasLeftovers)
        try await cache.flush().value
        #expect(shelf.isEmpty && !cache.hasLeftovers)
    }

    #if !canImport(Darwin) || os(macOS)
    /// In a process of its own, as there is one hook.
    @Test func `one that fails drops no promise but the one that says so`() async {
        await #expect(processExitsWith: .success) {
            let heard = Heard()
            UnhandledRejection.report { heard.note("\($0)") }
            let shelf = Shelf()
            let client = try LoggedOutCacheTests.client(shelf)
            try client.store.import(
                [Article].self,
                from:
                    #"[{"id": 1, "title": "t", "author": {"id": 1, "login": "ann"}, "tags": []}]"#)
            shelf.isLocked.withLock { $0 = true }
            // The store's failure is told, and that of the cache is no other one.
            _ = try? await client.logOut(keeping: [Article.self]).value
            _ = try? await client.logOut().value
            for text in heard.texts { print(text) }
            exit(heard.texts.isEmpty ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }
    #endif
}
