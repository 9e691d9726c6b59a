import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// Servers, clocks, files and providers that are not as they should be.
@Suite struct CacheFaultsTests {
    private static func part(_ range: String, _ body: String) -> TransportResponse {
        .json(
            body, status: .partialContent,
            headerFields: [.contentRange: range, .cacheControl: "max-age=60", .eTag: "\"1\""])
    }

    @Test(arguments: [
        ("bytes 0-9223372036854775807/*", "1"),
        ("bytes 9223372036854775807-9223372036854775807/*", "1"),
        ("bytes 9223372036854775806-9223372036854775806/*", "1"),
        ("bytes 9223372036854775806-9223372036854775806/9223372036854775807", "1"),
        ("bytes 0-0/9223372036854775807", "1"),
    ])
    func `parts at the end of all numbers end nothing`(_ range: String, _ body: String) async throws
    {
        let setting = try CacheSetting { _ in Self.part(range, body) }
        for asked in [nil, "bytes=0-0", "bytes=9223372036854775806-", "bytes=-1", "bytes=5-", nil] {
            var fields = HTTPFields()
            fields[.range] = asked
            let endpoint = AdHocEndpoint(.get, "x", headerFields: fields)
            let response: Response<String> = try await setting.client.enqueue(endpoint).value
            #expect(response.value == "1")
            _ = try await setting.cache.settled().value
        }
    }

    @Test func `limits without an end are none`() async throws {
        let store = try Store.temporary(entities: User.self, Article.self, Tag.self)
        let limits = ResponseCache.Limits(
            maximumMemorySize: .max, maximumFileSize: .max, maximumResponseSize: .max,
            maximumRowSize: .max)
        let setting = try CacheSetting(in: store, limits: limits, CacheSetting.counting())
        for path in ["x", "y"] {
            for policy in [CachePolicy.memory(for: .seconds(60)), .http] {
                _ = try await setting.get(path, by: policy)
                #expect(try await setting.get(path, by: policy).source == .cache)
            }
        }
    }

    // MARK: Clocks

    @Test func `times that are none, or sizes, are damage`() async throws {
        let store = try Store.temporary(entities: User.self, Article.self, Tag.self)
        let limits = ResponseCache.Limits(maximumFileSize: 20_000)
        let setting = try CacheSetting(in: store, limits: limits, CacheSetting.counting())
        for change in [
            "requested = 9e999, received = 9e999", "received = -9e999", "useless = 9e999",
            "size = 9223372036854775807", "size = -9223372036854775808", "used = 9e999",
        ] {
            _ = try await setting.get()
            try store.writeBeside { tables in
                _ = try tables.run("UPDATE \"$side.responses\" SET \(change)")
            }
            #expect(!(try await setting.get().value).isEmpty)
            for number in 0..<30 { _ = try await setting.get("\(number)") }
            try await setting.cache.flush().value
        }
    }

    @Test func `a clock that was ahead keeps nothing for good`() async throws {
        let store = try Store.temporary(entities: User.self, Article.self, Tag.self)
        let limits = ResponseCache.Limits(maximumFileSize: 20_000)
        let setting = try CacheSetting(in: store, limits: limits, CacheSetting.counting())
        setting.clock.pass(1e9)
        for number in 0..<60 { _ = try await setting.get("old\(number)") }
        setting.clock.pass(-1e9)
        for number in 0..<80 {
            _ = try await setting.get("new\(number)")
            #expect(try await setting.get("new\(number)").source == .cache)
            setting.clock.pass(1)
        }
        let size = try store.readBeside {
            try $0.rows("SELECT count(*) FROM \"$side.responses\" WHERE received > 1.8e9")
        }
        #expect(size == [[.integer(0)]])
    }

    @Test func `a confirmation without a date is of now`() async throws {
        let setting = try CacheSetting { request in
            guard request.head.headerFields.contains(.ifNoneMatch) else {
                return .json(
                    "1",
                    headerFields: [
                        .cacheControl: "max-age=60", .eTag: "\"1\"",
                        .date: "Fri, 15 Jan 2027 08:00:00 GMT",
                    ])
            }
            return .json("", status: .notModified, headerFields: [.cacheControl: "max-age=60"])
        }
        _ = try await setting.get()
        setting.clock.pass(90)
        #expect(try await setting.get().source == .revalidated)
        #expect(try await setting.get().source == .cache)
        #expect(setting.asked.count == 2)
    }

    // MARK: Who is who

    @Test func `a credential is one by whatever field it is borne`() async throws {
        let setting = try CacheSetting { request in
            .json(
                "\"\(request.head.headerFields[.named("X-Member")] ?? "nobody")\"",
                headerFields: [.cacheControl: "max-age=60"])
        }
        for member in ["ann", "bob"] {
            let credential = Credential.apiKey(member, field: .named("X-Member"))
            let client = setting.client.configured {
                $0.interceptors = [AuthorizationInterceptor(credential)]
            }
            for source in [ResponseSource.network, .cache] {
                let response: Response<String> = try await client.enqueue(Resource("x")).value
                #expect(response.value == "\"\(member)\"" && response.source == source)
                _ = try await setting.cache.settled().value
            }
        }
    }

    @Test func `a tag that comes later is not one of what was there before`() async throws {
        for isHead in [true, false] {
            let isNew = Guarded(false)
            let setting = try CacheSetting { request in
                let fields = request.head.headerFields
                guard isNew.withLock({ $0 }) else {
                    return .json(
                        "1",
                        headerFields: [
                            .cacheControl: "max-age=10",
                            .lastModified: "Fri, 15 Jan 2027 07:00:00 GMT",
                        ])
                }
                let new: HTTPFields = [.eTag: "\"2\"", .cacheControl: "max-age=10"]
                if fields[.ifNoneMatch] == "\"2\"" || fields.contains(.ifModifiedSince) {
                    return .json("", status: .notModified, headerFields: new)
                }
                return .json(request.head.method == .head ? "" : "2", headerFields: new)
            }
            _ = try await setting.get()
            setting.clock.pass(20)
            isNew.withLock { $0 = true }
            if isHead {
                let _: Response<Void> = try await setting.client
                    .enqueue(AdHocEndpoint(.head, "x")).value
                _ = try await setting.cache.settled().value
                #expect(try await setting.get().value == "2")
            } else {
                #expect(try await setting.get().source == .revalidated)
                setting.clock.pass(20)
                _ = try await setting.get()
                let asked = setting.transport.requests.compactMap {
                    $0.head.headerFields[.ifNoneMatch]
                }
                #expect(asked.isEmpty, "the bytes may be older than the tag")
            }
        }
    }

    @Test func `a weak tag of another version confirms nothing`() async throws {
        let setting = try CacheSetting { request in
            guard request.head.headerFields.contains(.ifNoneMatch) else {
                return .json("1", headerFields: [.cacheControl: "max-age=1", .eTag: "W/\"1\""])
            }
            return .json("", status: .notModified, headerFields: [.eTag: "W/\"2\""])
        }
        _ = try await setting.get()
        setting.clock.pass(5)
        #expect(try await setting.get().source == .network)
        #expect(setting.asked.count == 3)
    }

    // MARK: Failures

    @Test func `what is asked for anew and fails has failed, however fresh what is kept`()
        async throws
    {
        let isDown = Guarded(false)
        let setting = try CacheSetting { _ in
            if isDown.withLock({ $0 }) { throw TransportError(.cannotConnect, "Down.") }
            return .json("1", headerFields: [.cacheControl: "max-age=60"])
        }
        _ = try await setting.get()
        isDown.withLock { $0 = true }
        await #expect(throws: ClientError.self) { try await setting.get(by: .reload) }
        #expect(try await setting.get().source == .cache)
        let patient = CachePolicy.reload.servingStale(for: .seconds(1))
        #expect(try await setting.get(by: patient).source == .cache)
        for policy in [CachePolicy.clientDefault, .http.servingStale(for: .seconds(60))] {
            let both = setting.client.caching(policy).cacheThenNetwork {
                $0.enqueue(Resource("x"), as: String.self)
            }
            var seen: [String] = []
            await #expect(throws: ClientError.self) {
                for try await (value, source) in both { seen.append("\(value) \(source)") }
            }
            #expect(seen == ["1 cache"])
        }
    }

    @Test(arguments: [403, 429, 500, 503])
    func `a failure that does not say how long it lasts takes nobody's place`(_ code: Int)
        async throws
    {
        let status = Guarded(200)
        let setting = try CacheSetting(
            policy: .http.servingStale(for: .seconds(1000)), validators: []
        ) { _ in
            let code = status.withLock { $0 }
            if code == 0 { throw TransportError(.cannotConnect, "Down.") }
            let isHit = code == 200
            return .json(
                "\(code)", status: .init(code: code),
                headerFields: isHit ? [.cacheControl: "max-age=10"] : [.eTag: "\"x\""])
        }
        #expect(try await setting.get().value == "200")
        setting.clock.pass(20)
        status.withLock { $0 = code }
        let answer = try await setting.get().value
        #expect(answer == ([500, 503].contains(code) ? "200" : "\(code)"))
        status.withLock { $0 = 0 }
        if code == 403 {
            // Who is refused is told nothing any more, but not the refusal either.
            await #expect(throws: ClientError.self) { try await setting.get() }
        } else {
            #expect(try await setting.get().value == "200")
        }
    }

    @Test func `what is used meanwhile is not asked for where nobody is to be`() async throws {
        let setting = try CacheSetting(
            CacheSetting.counting([.cacheControl: "max-age=1, stale-while-revalidate=60"]))
        _ = try await setting.get()
        setting.clock.pass(5)
        let endpoint = AdHocEndpoint(.get, "x", headerFields: [.cacheControl: "only-if-cached"])
        let response: Response<String> = try await setting.client.enqueue(endpoint).value
        _ = try await setting.cache.settled().value
        #expect(response.source == .staleCache && setting.asked.count == 1)
    }

    // MARK: Providers

    /// Keeps what it is given once a gate is open.
    private final class Held: ResponseCacheProvider {
        let responses = MemoryResponses(limit: 1 << 20, responseLimit: 1 << 20)
        let gate = Gate()
        let kept = Guarded(0)

        func responses(for key: ResponseCacheKey) -> [CachedResponse] {
            responses.responses(for: key)
        }
        func keep(
            _ response: CachedResponse, for key: ResponseCacheKey, replacing ids: [Int64]
        ) throws {
            try gate.block()
            kept.withLock { $0 += 1 }
            responses.keep(response, for: key, replacing: ids)
        }
        func remove(_ ids: [Int64], of key: ResponseCacheKey) {}
        func removeAll(of resource: [UInt8]) {}
        func removeAll(from origin: String?) {}
        func removeExpired(at now: Date) {}
    }

    private func client(_ held: Held) throws -> Client {
        try TestClient.client(over: StubTransport(CacheSetting.counting())) {
            $0.cache = ResponseCache(
                limits: .init(), provider: held, patience: .milliseconds(1), now: { Date() })
        }
    }

    @Test func `whoever asks does not wait for a change that takes long`() async throws {
        let held = Held()
        let client = try client(held)
        for number in ["1", "2"] {
            let response: Response<String> = try await client.enqueue(Resource("x")).value
            #expect(response.value == number && response.source == .network)
        }
        held.gate.open()
        _ = try await client.configuration.cache?.settled().value
        let response: Response<String> = try await client.enqueue(Resource("x")).value
        #expect(response.source == .cache)
    }

    @Test func `nor does what is to be kept wait in memory without an end`() async throws {
        let held = Held()
        let client = try client(held)
        for number in 0..<400 {
            let _: String = try await client.enqueue(Resource("\(number)")).value
        }
        held.gate.open()
        _ = try await client.configuration.cache?.settled().value
        #expect((200...300).contains(held.kept.withLock { $0 }))
    }

    /// Keeps responses in memory, and changes nothing while it is locked.
    private final class Lockable: MemoryBacked {
        struct Locked: Error {}

        let memory = MemoryResponses(limit: 1 << 20, responseLimit: 1 << 20)
        let isLocked = Guarded(false)

        private func check() throws { if isLocked.withLock(\.self) { throw Locked() } }

        func keep(
            _ response: CachedResponse, for key: ResponseCacheKey, replacing ids: [Int64]
        ) throws {
            try check()
            memory.keep(response, for: key, replacing: ids)
        }

        func remove(_ ids: [Int64], of key: ResponseCacheKey) throws {
            try check()
            memory.remove(ids, of: key)
        }

        func removeAll(of resource: [UInt8]) throws {
            try check()
            memory.removeAll(of: resource)
        }
    }

    enum Change: CaseIterable {
        case write, flush, reload, loss, misfit
    }

    @Test(arguments: Change.allCases)
    func `what could not go answers nobody, and goes once it can as somebody asks`(
        _ change: Change
    ) async throws {
        let shelf = Lockable()
        let control = Guarded("max-age=600")
        let count = Guarded(0)
        let cache = ResponseCache(provider: shelf)
        let transport = StubTransport { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return .json(
                "\(number)", headerFields: [.cacheControl: control.withLock(\.self)])
        }
        let client = try TestClient.client(over: transport) { $0.cache = cache }
        func get(
            _ path: String = "x", by policy: CachePolicy = .clientDefault
        ) async throws -> ResponseSource {
            let response: Response<String> = try await client.caching(policy)
                .enqueue(Resource(path)).value
            _ = try await cache.settled().value
            return response.source
        }
        #expect(try await get() == .network)
        #expect(try await get("y") == .network)
        shelf.isLocked.withLock { $0 = true }
        switch change {
        case .write: let _: String = try await client.enqueue(AdHocEndpoint(.put, "x")).value
        case .flush:
            await #expect(throws: Lockable.Locked.self) {
                try await client.flushCache(of: Resource("x")).value
            }
        case .reload: #expect(try await get(by: .reload) == .network)
        case .loss:
            control.withLock { $0 = "no-store" }
            #expect(try await get(by: .reload) == .network)
            control.withLock { $0 = "max-age=600" }
        case .misfit:
            // By a validator, as by whatever else nobody can use it.
            let strict = client.configured { $0.validators = [.status(500..<600)] }
            let promise: Promise<String> = strict.enqueue(Resource("x"))
            await #expect(throws: ClientError.self) { try await promise.value }
        }
        _ = try await cache.settled().value
        let error = await #expect(throws: ClientError.self) { try await get(by: .cachedOnly) }
        #expect(error?.reason == .notCached)
        #expect(try await get() == .network)
        // Of others nothing is lost.
        #expect(try await get("y") == .cache)
        shelf.isLocked.withLock { $0 = false }
        #expect(try await get() == .network)
        #expect(try await get() == .cache)
        #expect(try await get("y") == .cache)
    }

    @Test func `what is confirmed is as good as before where that can't be noted`() async throws {
        let shelf = Lockable()
        let cache = ResponseCache(provider: shelf)
        let transport = StubTransport { request in
            let isKnown = request.head.headerFields.contains(.ifNoneMatch)
            return .json(
                "1", status: isKnown ? .notModified : .ok,
                headerFields: [.cacheControl: "max-age=600", .eTag: "\"1\""])
        }
        let client = try TestClient.client(over: transport) { $0.cache = cache }
        for (policy, source) in [
            (CachePolicy.clientDefault, ResponseSource.network), (.reload, .revalidated),
            (.clientDefault, .cache),
        ] {
            let response: Response<String> = try await client.caching(policy)
                .enqueue(Resource("x")).value
            #expect(response.source == source)
            _ = try await cache.settled().value
            shelf.isLocked.withLock { $0 = true }
        }
    }

    @Test func `a provider that does not know what it keeps loses that alone`() async throws {
        final class Careless: ResponseCacheProvider {
            func responses(for key: ResponseCacheKey) -> [CachedResponse] {
                [
                    (0.0, Double.infinity, CachedResponse.Part?.none), (.nan, .nan, nil),
                    (0, 0, .init(first: -1, total: nil)), (0, 0, .init(first: .max, total: nil)),
                    (0, 0, .init(first: 0, total: 0)),
                ].map { requested, received, part in
                    CachedResponse(
                        head: HTTPResponse(status: .ok, headerFields: [.cacheControl: "max-age=9"]),
                        body: Data("0".utf8), part: part,
                        requested: Date(timeIntervalSinceReferenceDate: requested),
                        received: Date(timeIntervalSinceReferenceDate: received))
                }
            }
            func keep(
                _ response: CachedResponse, for key: ResponseCacheKey, replacing ids: [Int64]
            ) {}
            func remove(_ ids: [Int64], of key: ResponseCacheKey) {}
            func removeAll(of resource: [UInt8]) {}
            func removeAll(from origin: String?) {}
            func removeExpired(at now: Date) {}
        }
        let client = try TestClient.client(over: StubTransport(CacheSetting.counting())) {
            $0.cache = ResponseCache(provider: Careless())
        }
        for fields: HTTPFields in [[:], [.range: "bytes=0-0"], [.cacheControl: "max-stale"]] {
            let endpoint = AdHocEndpoint(.get, "x", headerFields: fields)
            let response: Response<String> = try await client.enqueue(endpoint).value
            #expect(response.source == .network)
        }
    }
}
