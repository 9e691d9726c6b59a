import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// What was asked for in a session that has ended, and was nowhere to be seen when it did.
@Suite struct SessionTests {
    private static let users = #"[{"id": 1, "login": "ann"}]"#

    /// A client none of whose requests can be cancelled by who logs out.
    private static func client(
        over transport: any Transport, _ change: (inout Client.Configuration) -> Void = { _ in }
    ) throws -> Client {
        try TestClient.client(over: transport) { configuration in
            configuration.tracksRequests = false
            change(&configuration)
        }
    }

    private static func expectLoggedOut<Value>(_ promise: Promise<Value>) async {
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.reason == .loggedOut)
    }

    @Test func `content that was still being gathered is not sent`() async throws {
        let transport = HeldTransport()
        let client = try Self.client(over: transport)
        let (parts, part) = AsyncStream.makeStream(of: Data.self)
        let promise = client.enqueue(
            .post("x", body: .stream(parts)), as: [User].self)
        try await client.logOut().value
        part.yield(Data("{}".utf8))
        part.finish()
        for _ in 0..<100_000 where promise.isPending && transport.open.isEmpty {
            await Task.yield()
        }
        for number in transport.open { transport.end(number, .success(.json(Self.users))) }
        await Self.expectLoggedOut(promise)
        #expect(transport.requests.isEmpty)
        #expect(try client.store.count(User.all) == 0)
    }

    @Test func `what loads where that is needed loads nothing once the session has ended`()
        async throws
    {
        let transport = HeldTransport()
        let client = try Self.client(over: transport) { $0.fetchPolicy = .networkFirst() }
        var load: Promise<Bool>?
        try await client.store.whileItIsHeld {
            load = client.loadIfNeeded(Resource("x"), freshFor: .seconds(1)) {
                $0.enqueue($1, as: [User].self)
            }
            client.logOut()
        }
        let promise = try #require(load)
        for _ in 0..<100_000 where promise.isPending && transport.open.isEmpty {
            await Task.yield()
        }
        for number in transport.open { transport.end(number, .success(.json(Self.users))) }
        await Self.expectLoggedOut(promise)
        #expect(transport.requests.isEmpty)
    }

    @Test func `behind the store's answer the server is not asked in the next session`()
        async throws
    {
        let transport = HeldTransport()
        let client = try Self.client(over: transport) { $0.fetchPolicy = .networkFirst() }
        var both: CacheThenNetwork<[User]>?
        try await client.store.whileItIsHeld {
            both = client.storeThenNetwork { $0.enqueue(Resource("x"), as: [User].self) }
            client.logOut()
        }
        let values = try #require(both)
        for _ in 0..<100_000 where values.network.isPending && transport.open.isEmpty {
            await Task.yield()
        }
        for number in transport.open { transport.end(number, .success(.json(Self.users))) }
        await Self.expectLoggedOut(values.network)
        #expect(transport.requests.isEmpty)
    }

    @Test func `what comes later is nobody's, though nothing of it is stored`() async throws {
        let transport = HeldTransport()
        let client = try Self.client(over: transport)
        let promise = client.enqueue(Resource("x"), as: String.self)
        while transport.open.isEmpty { await Task.yield() }
        try await client.logOut().value
        transport.end(0, .success(.json(Self.users)))
        await Self.expectLoggedOut(promise)
    }

    @Test func `the rest of a stream is nobody's`() async throws {
        let content = Data(repeating: 32, count: 700_000)
        let client = try Self.client(
            over: StubTransport(TransportResponse(head: HTTPResponse(status: .ok), body: content)))
        var parts = client.stream(.get("x")).makeAsyncIterator()
        #expect(try await parts.next()?.isEmpty == false)
        try await client.logOut().value
        let error = await #expect(throws: ClientError.self) { try await parts.next() }
        #expect(error?.reason == .loggedOut)
    }

    /// Responses that are found as late as a test wants.
    private final class HeldResponses: MemoryBacked {
        let memory = MemoryResponses(limit: 1 << 20, responseLimit: 1 << 20)
        let (isRead, goOn) = (Gate(), Gate())
        let isHeld = Guarded(false)

        func responses(for key: ResponseCacheKey) throws -> [CachedResponse] {
            let found = memory.responses(for: key)
            if isHeld.withLock(\.self) {
                isRead.open()
                try goOn.block()
            }
            return found
        }
    }

    @Test func `what is looked up when it ends is not refreshed in its name`() async throws {
        let (transport, kept) = (HeldTransport(), HeldResponses())
        let cache = ResponseCache(provider: kept)
        let client = try Self.client(over: transport) {
            ($0.cookies, $0.cache) = (CookieJar(), cache)
            $0.interceptors = [AuthorizationInterceptor(.bearer("ann"))]
        }
        let first = client.enqueue(Resource("x"), as: String.self)
        let fields: HTTPFields = [.cacheControl: "max-age=0, stale-while-revalidate=600"]
        transport.end(0, .success(.json("1", headerFields: fields)))
        _ = try await first.value
        _ = try await cache.settled().value
        kept.isHeld.withLock { $0 = true }
        let second = client.enqueue(Resource("x"), as: String.self)
        try await kept.isRead.wait()
        let end = client.logOut()
        kept.goOn.open()
        _ = try? await second.value
        try await end.value
        for _ in 0..<10_000 where transport.requests.count < 2 { await Task.yield() }
        #expect(transport.requests.count == 1)
    }

    @Test func `a stream whose head comes later stores nothing`() async throws {
        let transport = HeldTransport()
        let client = try Self.client(over: transport)
        let stream = client.stream(.get("x"), as: User.self)
        let read = Promise<Int> {
            var count = 0
            for try await _ in stream { count += 1 }
            return count
        }
        while transport.open.isEmpty { await Task.yield() }
        try await client.logOut().value
        transport.end(0, .success(.json(#"{"id": 1, "login": "ann"}"#)))
        await Self.expectLoggedOut(read)
        #expect(try client.store.count(User.all) == 0)
    }

    @Test func `a cookie that comes later is not taken`() async throws {
        let transport = HeldTransport()
        let jar = CookieJar()
        let client = try Self.client(over: transport) { $0.cookies = jar }
        let promise = client.enqueue(Resource("x"), as: [User].self)
        try await client.logOut().value
        let ann = TransportResponse.json(
            Self.users, headerFields: [.setCookie: "session=ann", .contentType: "application/json"])
        transport.end(0, .success(ann))
        await Self.expectLoggedOut(promise)
        #expect(jar.cookies.isEmpty)
        let next = client.enqueue(Resource("x"), as: [User].self)
        transport.end(1, .success(ann))
        _ = try await next.value
        #expect(jar.cookies.map(\.value) == ["ann"])
    }

    // MARK: The next session

    @Test func `a stream is asked for again in the next session`() async throws {
        let client = try TestClient.client(
            over: StubTransport(.json(#"{"id": 1, "login": "ann"}"#)))
        let stream = client.stream(.get("x"), as: User.self)
        for try await _ in stream {}
        try await client.logOut().value
        var ids: [Int] = []
        for try await user in stream { ids.append(user.id) }
        #expect(ids == [1])
    }

    @Test(arguments: [false, true])
    func `who asks once told of the log-out does so as nobody`(_ byChange: Bool) async throws {
        let (transport, jar, again) = (HeldTransport(), CookieJar(), Seen<Promise<String>>())
        let own = Guarded<Client?>(nil)
        let isRefreshing = Gate()
        // It ends once nobody can settle it any more.
        let (refresh, resolver) = Promise<Credential>.pending()
        defer { withExtendedLifetime(resolver) {} }
        let ask: @Sendable () -> Void = {
            guard let client = own.withLock({ $0.take() }) else { return }
            again.note(client.enqueue(Open(), as: String.self))
        }
        let client = try TestClient.client(over: transport) {
            $0.cookies = jar
            $0.interceptors = [
                AuthorizationInterceptor(
                    .bearer("ann"), onChange: { if $0 == nil, byChange { ask() } },
                    refreshing: { _ in
                        isRefreshing.open()
                        return refresh
                    })
            ]
        }
        own.withLock { $0 = client }
        jar.set("sid=ann", from: try #require(client.baseURL))
        let observer = Seen<Void>()
        client.observeRequests(for: observer) { _, event in
            if case .failed = event.kind, !byChange { ask() }
        }
        let refused = client.enqueue(Resource("x"), as: String.self)
        while transport.requests.isEmpty { await Task.yield() }
        // It waits for the refresh.
        transport.end(0, .success(.json("", status: .unauthorized)))
        try await isRefreshing.wait()
        try await client.logOut().value
        await #expect(throws: (any Error).self) { try await refused.value }
        while again.count == 0 || transport.requests.count < 2 { await Task.yield() }
        #expect(transport.requests.last?.head.headerFields[.cookie] == nil)
        transport.end(1, .success(.json("2")))
        #expect(try await again.values.first?.value == "2")
    }

    /// What anybody may ask for.
    private struct Open: Endpoint {
        let path: URLPath = "again"
        let needsAuthorization = false
    }

    @Test func `the store answers by nothing of before, though that is not gone yet`()
        async throws
    {
        let store = try Store.temporary(entities: User.self, Article.self, Tag.self)
        let setting = try FetchSetting(in: store, .storeFirst)
        setting.server["/x"] = Self.users
        _ = try await setting.client.enqueue(Resource("x"), as: [User].self).value
        setting.server["/x"] = #"[{"id": 2, "login": "bob"}]"#
        var next: Promise<Response<[User]>>?
        try await store.whileItIsHeld {
            setting.client.logOut()
            next = setting.client.enqueue(Resource("x"))
            // It is looked for beside the transaction.
            for _ in 0..<200_000
            where next?.isPending == true && setting.server.answers.count < 2 {
                await Task.yield()
            }
        }
        let response = try await next?.value
        #expect(response?.source == .network && response?.value.map(\.login) == ["bob"])
        #expect(try store.select(User.all) { $0.login } == ["bob"])
        let again: Response<[User]> = try await setting.client.enqueue(Resource("x")).value
        #expect(again.source == .store && again.value.map(\.login) == ["bob"])
    }
}
