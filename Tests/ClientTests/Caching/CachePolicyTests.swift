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

    @Test func `giving up the first gives up the second`() async throws {
        let setting = try CacheSetting(CacheSetting.counting())
        let both = setting.client.cacheThenNetwork { $0.enqueue(Resource("x"), as: String.self) }
        both.cancel()
        await #expect(throws: CancellationError.self) { try await both.network.value }
    }
}
