import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// Policies of clients, endpoints and calls.
@Suite struct CachePolicyTests {
    @Test func `a policy's time takes the place of what the fields say`() async throws {
        for policy in [CachePolicy.memory(for: .seconds(10)), .disk(for: .seconds(10))] {
            let store = try Store.temporary(entities: User.self, Article.self, Tag.self)
            let setting = try CacheSetting(in: store, policy: policy, CacheSetting.counting([:]))
            _ = try await setting.get()
            setting.clock.pass(9)
            #expect(try await setting.get().source == .cache)
            setting.clock.pass(1)
            #expect(try await setting.get().value == "2")
        }
    }

    @Test func `not even then is kept what must not be, or is no success`() async throws {
        let policy = CachePolicy.memory(for: .seconds(10))
        let setting = try CacheSetting(
            policy: policy, CacheSetting.counting([.cacheControl: "no-store"]))
        for number in ["1", "2"] { #expect(try await setting.get().value == number) }
        let failing = try CacheSetting(
            policy: policy, validators: [],
            CacheSetting.counting([:], status: .notFound))
        for number in ["1", "2"] { #expect(try await failing.get().value == number) }
    }

    @Test(arguments: [408, 412, 416, 417, 421, 425, 428, 429, 431, 511])
    func `what is about one request alone is not kept, nor in the place of what is`(_ code: Int)
        async throws
    {
        let setting = try CacheSetting(validators: []) { request in
            let isRefused = request.head.headerFields.contains(.ifMatch)
            return .json(
                isRefused ? "refused" : "whole", status: isRefused ? .init(code: code) : .ok,
                headerFields: [.cacheControl: "max-age=60"])
        }
        func refused(_ path: String) async throws -> Int {
            let endpoint = AdHocEndpoint.get(URLPath(path), headerFields: [.ifMatch: "\"0\""])
            let response: Response<String> = try await setting.client.enqueue(endpoint).value
            _ = try await setting.cache.settled().value
            return response.status.code
        }
        #expect(try await refused("y") == code)
        #expect(try await setting.get("y").value == "whole")
        #expect(try await setting.get().value == "whole")
        #expect(try await refused("x") == code)
        let again = try await setting.get()
        #expect(again.value == "whole" && again.source == .cache)
    }

    @Test func `a failure that may be kept is none that helps out for another one`() async throws {
        let setting = try CacheSetting(
            policy: .http.servingStale(for: .seconds(1000)), validators: [],
            CacheSetting.counting([.cacheControl: "max-age=10"], status: .serviceUnavailable))
        _ = try await setting.get()
        #expect(try await setting.get().source == .cache)
        setting.clock.pass(11)
        let response = try await setting.get()
        #expect(response.value == "2" && response.source == .network)
    }

    @Test func `what is in memory is gone with it, what is on disk is there for the next`()
        async throws
    {
        let store = try Store.temporary(entities: User.self, Article.self, Tag.self)
        let first = try CacheSetting(in: store, CacheSetting.counting([:]))
        _ = try await first.get("m", by: .memory(for: .seconds(10)))
        _ = try await first.get("d", by: .disk(for: .seconds(10)))
        let second = try CacheSetting(in: store, CacheSetting.counting([:]))
        #expect(try await second.get("m", by: .memory(for: .seconds(10))).source == .network)
        #expect(try await second.get("d", by: .disk(for: .seconds(10))).source == .cache)
    }

    private struct Kept: Endpoint {
        let path = "x"
        var cachePolicy: CachePolicy { .memory(for: .seconds(10)) }
    }

    private static func ask(
        _ setting: CacheSetting, _ policy: CachePolicy
    ) async throws -> ResponseSource {
        let client = setting.client.caching(policy)
        return try await client.enqueue(Kept(), as: Response<String>.self).value.source
    }

    @Test func `a call's policy counts before the endpoint's, and that before the client's`()
        async throws
    {
        let setting = try CacheSetting(policy: .none, CacheSetting.counting([:]))
        #expect(try await Self.ask(setting, .clientDefault) == .network)
        #expect(try await Self.ask(setting, .clientDefault) == .cache)
        #expect(try await Self.ask(setting, .reload) == .network)
        #expect(try await Self.ask(setting, .none) == .network)
        #expect(try await Self.ask(setting, .cachedOnly) == .cache)
        #expect(try await setting.get().source == .network)
    }

    @Test func `where nobody is to be asked, nothing is an error`() async throws {
        let setting = try CacheSetting(CacheSetting.counting())
        let error = await #expect(throws: ClientError.self) {
            try await setting.get(by: .cachedOnly)
        }
        #expect(error?.reason == .notCached && error?.url == "http://test.invalid/x")
        #expect(setting.asked.isEmpty)
        _ = try await setting.get()
        setting.clock.pass(90)
        await #expect(throws: ClientError.self) { try await setting.get(by: .cachedOnly) }
        let stale = CachePolicy.cachedOnly.servingStale(for: .seconds(30))
        #expect(try await setting.get(by: stale).source == .staleCache)
        setting.clock.pass(1)
        await #expect(throws: ClientError.self) { try await setting.get(by: stale) }
    }

    @Test func `what is stale helps out where the server can't be reached, as far as it may`()
        async throws
    {
        let isDown = Guarded(false)
        let fields = Guarded<HTTPFields>([.cacheControl: "max-age=10, stale-if-error=20"])
        let setting = try CacheSetting { _ in
            if isDown.withLock({ $0 }) { throw TransportError(.cannotConnect, "Down.") }
            return .json("1", headerFields: fields.withLock { $0 })
        }
        _ = try await setting.get()
        isDown.withLock { $0 = true }
        setting.clock.pass(30)
        #expect(try await setting.get().source == .staleCache)
        setting.clock.pass(1)
        await #expect(throws: ClientError.self) { try await setting.get() }
        let patient = CachePolicy.clientDefault.servingStale(for: .seconds(1000))
        #expect(try await setting.get(by: patient).source == .staleCache)
        isDown.withLock { $0 = false }
        fields.withLock { $0[.cacheControl] = "max-age=10, must-revalidate" }
        _ = try await setting.get(by: .reload)
        isDown.withLock { $0 = true }
        setting.clock.pass(11)
        await #expect(throws: ClientError.self) { try await setting.get(by: patient) }
    }

    @Test func `a certificate that is not trusted is no lack of a network`() async throws {
        let reason = Guarded<TransportError.Reason?>(nil)
        let setting = try CacheSetting(policy: .http.servingStale(for: .seconds(1000))) { _ in
            if let reason = reason.withLock({ $0 }) { throw TransportError(reason, "Refused.") }
            return .json("1", headerFields: [.cacheControl: "max-age=1"])
        }
        _ = try await setting.get()
        setting.clock.pass(5)
        for refused in [
            TransportError.Reason.secureConnectionFailed, .malformedResponse, .limitExceeded,
        ] {
            reason.withLock { $0 = refused }
            await #expect(throws: ClientError.self) { try await setting.get() }
        }
        reason.withLock { $0 = .timedOut }
        #expect(try await setting.get().source == .staleCache)
    }

    @Test func `patience may come later, with the call that needs it`() async throws {
        for policy in [CachePolicy.memory(for: .seconds(10)), .disk(for: .seconds(10))] {
            let store = try Store.temporary(entities: User.self, Article.self, Tag.self)
            let setting = try CacheSetting(in: store, policy: policy, CacheSetting.counting([:]))
            _ = try await setting.get()
            setting.clock.pass(15)
            await #expect(throws: ClientError.self) { try await setting.get(by: .cachedOnly) }
            let patient = CachePolicy.cachedOnly.servingStale(for: .seconds(6))
            #expect(try await setting.get(by: patient).source == .staleCache)
        }
    }

    // MARK: Meanwhile

    @Test func `what is stale is used while it is asked for once`() async throws {
        let (answers, isAsked) = (Gate(), Gate())
        let count = Guarded(0)
        let setting = try CacheSetting { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 2 {
                isAsked.open()
                try await answers.wait()
            }
            return .json(
                "\(number)", headerFields: [.cacheControl: "max-age=10, stale-while-revalidate=60"])
        }
        _ = try await setting.get()
        setting.clock.pass(20)
        for _ in 0..<3 {
            let response: Response<String> = try await setting.client.enqueue(Resource("x")).value
            #expect(response.value == "1" && response.source == .staleCache)
            try await isAsked.wait()
        }
        answers.open()
        _ = try await setting.cache.settled().value
        let new = try await setting.get()
        #expect(new.value == "2" && new.source == .cache && setting.asked.count == 2)
    }

    @Test func `what is kept comes first, then what the server says`() async throws {
        let setting = try CacheSetting(CacheSetting.counting())
        _ = try await setting.get()
        let both = setting.client.cacheThenNetwork { $0.enqueue(Resource("x"), as: String.self) }
        var seen: [String] = []
        for try await (value, source) in both { seen.append("\(value) \(source)") }
        #expect(seen == ["1 cache", "2 network"])
        let told = Heard()
        let again = setting.client.cacheThenNetwork { $0.enqueue(Resource("y"), as: String.self) }
        try await again.onEach { told.note("\($0) \($1)") }.value
        #expect(told.texts == ["3 network"])
    }

    @Test(arguments: [FetchPolicy.storeFirst, .networkFirst()])
    func `the second is the server's where the store could answer, too`(
        _ policy: FetchPolicy
    ) async throws {
        let setting = try CacheSetting { _ in
            .json(#"[{"id": 1, "login": "ann"}]"#, headerFields: [.cacheControl: "max-age=60"])
        }
        let client = setting.client.configured { $0.fetchPolicy = policy }
        let users = { @Sendable (client: Client) in
            client.enqueue(Resource("users"), as: [User].self)
        }
        _ = try await users(client).value
        _ = try await setting.cache.settled().value
        let both = client.cacheThenNetwork(of: users)
        #expect(try await both.cached.value?.count == 1)
        #expect(try await both.network.value.count == 1)
        #expect(setting.asked == ["/users", "/users"])
        let away = client.configured {
            $0.transport = StubTransport { _ in throw TransportError(.cannotConnect, "Away.") }
        }
        await #expect(throws: ClientError.self) {
            try await away.cacheThenNetwork(of: users).network.value
        }
    }

    @Test func `without a cache nobody is asked either, and there is one answer of two`()
        async throws
    {
        let transport = StubTransport(.json("1"))
        let client = try TestClient.client(over: transport)
        for endpoint in [AdHocEndpoint.get("x"), .post("x")] {
            let error = await #expect(throws: ClientError.self) {
                try await client.caching(.cachedOnly).enqueue(endpoint, as: String.self).value
            }
            #expect(error?.reason == .notCached && error?.url == "http://test.invalid/x")
        }
        #expect(transport.requests.isEmpty)
        var seen: [String] = []
        let both = client.cacheThenNetwork { $0.enqueue(Resource("x"), as: String.self) }
        for try await (value, source) in both { seen.append("\(value) \(source)") }
        #expect(seen == ["1 network"] && transport.requests.count == 1)
    }

    @Test func `without a cache an interceptor may answer`() async throws {
        let transport = StubTransport(.json("1"))
        let client = try TestClient.client(over: transport) {
            $0.interceptors = [
                ClosureInterceptor { request, next in
                    request.head.path == "/own"
                        ? .fulfilled(
                            TransportResponse(
                                head: HTTPResponse(status: .ok), body: Data("2".utf8)))
                        : next(request)
                }
            ]
        }
        let own = client.caching(.cachedOnly).enqueue(.get("own"), as: String.self)
        #expect(try await own.value == "2")
        let error = await #expect(throws: ClientError.self) {
            try await client.caching(.cachedOnly).enqueue(.get("x"), as: String.self).value
        }
        #expect(error?.reason == .notCached && transport.requests.isEmpty)
    }

    /// Two answers, of which the first comes when the test says so.
    private struct HeldFirst {
        let both: CacheThenNetwork<String>
        let first: Resolver<String>
        let asked = Seen<Void>()

        init() throws {
            let (promise, resolver) = Promise<String>.pending()
            first = resolver
            both = try TestClient.client(answering: "").cacheThenNetwork { [asked] _ in
                asked.add(()) == 0 ? promise : .fulfilled("second")
            }
        }
    }

    @Test func `who gives up being told of the first is told of neither, and nobody is asked`()
        async throws
    {
        let held = try HeldFirst()
        let told = held.both.onEach { _, _ in }
        told.cancel()
        #expect(held.first.isCancelled)
        held.first.fulfill("first")
        await #expect(throws: CancellationError.self) { try await held.both.network.value }
        await #expect(throws: CancellationError.self) { try await told.value }
        #expect(held.asked.count == 1)
    }

    @Test func `a task that is cancelled while it iterates gives up both`() async throws {
        let held = try HeldFirst()
        let iterating = Task { for try await _ in held.both {} }
        iterating.cancel()
        await #expect(throws: CancellationError.self) { try await iterating.value }
        #expect(held.first.isCancelled)
        held.first.fulfill("first")
        await #expect(throws: CancellationError.self) { try await held.both.network.value }
        #expect(held.asked.count == 1)
    }

    @Test func `whoever else waits for the second has it`() async throws {
        let held = try HeldFirst()
        let heard = Heard()
        let told = held.both.onEach { _, _ in }
        let other = held.both.onEach { heard.note("\($0) \($1)") }
        let iterating = Task { for try await _ in held.both {} }
        told.cancel()
        iterating.cancel()
        await #expect(throws: CancellationError.self) { try await iterating.value }
        #expect(!held.first.isCancelled)
        held.first.fulfill("first")
        try await other.value
        #expect(heard.texts == ["first cache", "second network"])
        let (kept, asked) = (try await held.both.cached.value, try await held.both.network.value)
        #expect(kept == "first" && asked == "second" && held.asked.count == 2)
    }

    @Test func `leaving the loop leaves the second to whoever wants it`() async throws {
        let held = try HeldFirst()
        held.first.fulfill("first")
        for try await _ in held.both { break }
        #expect(try await held.both.network.value == "second")
    }

    @Test func `giving up the first gives up the second`() async throws {
        let setting = try CacheSetting(CacheSetting.counting())
        let both = setting.client.cacheThenNetwork { $0.enqueue(Resource("x"), as: String.self) }
        both.cancel()
        await #expect(throws: CancellationError.self) { try await both.network.value }
    }
}
