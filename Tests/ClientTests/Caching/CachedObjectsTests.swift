import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// The objects of what is kept, beside those that have come since.
@Suite struct CachedObjectsTests {
    private static let fresh: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"1\""]

    /// A list of two users, who were called so when it was made.
    private static let list = #"[{"id": 1, "login": "ann"}, {"id": 2, "login": "bob"}]"#

    /// A server of that list, which confirms it, and of a newer first user.
    private static func setting(
        in store: Store? = nil, fields: HTTPFields = fresh, clock: WallClock? = nil
    ) throws -> CacheSetting {
        try CacheSetting(in: store) { request in
            switch (request.head.method, request.head.path) {
            case (.patch, _): return .json(#"{"id": 1, "login": "anna"}"#)
            case (_, "/users/1"):
                return .json(
                    #"{"id": 1, "login": "anna"}"#, headerFields: [.cacheControl: "no-store"])
            case _ where request.head.headerFields[.ifNoneMatch] == "\"1\"":
                return .json("", status: .notModified, headerFields: fields)
            default: return .json(list, headerFields: fields)
            }
        }
    }

    private func users(
        _ setting: CacheSetting, by policy: CachePolicy = .clientDefault
    ) async throws -> Response<Many<User>> {
        let response: Response<Many<User>> = try await setting.client.caching(policy)
            .enqueue(Resource("users")).value
        _ = try await setting.cache.settled().value
        return response
    }

    private func logins(_ setting: CacheSetting) throws -> [String] {
        try setting.client.store.fetch(User.all.sorted { $0.id.ascending }).map(\.login)
    }

    @Test(arguments: [HTTPRequest.Method.get, .patch])
    func `what has come since is not written over by what is kept`(
        _ method: HTTPRequest.Method
    ) async throws {
        let setting = try Self.setting()
        _ = try await users(setting)
        let endpoint = AdHocEndpoint(method, "users/1")
        let _: Response<One<User>> = try await setting.client.enqueue(endpoint).value
        let kept = try await users(setting)
        #expect(kept.source == .cache && kept.report.total.updated == 0)
        #expect(try kept.value.fetch().map(\.login) == ["anna", "bob"])
        #expect(try logins(setting) == ["anna", "bob"])
    }

    @Test func `what the app has changed stays, too, and what it has deleted comes back`()
        async throws
    {
        let setting = try Self.setting()
        _ = try await users(setting)
        try setting.client.store.save(User(id: 1, login: "own"))
        _ = try setting.client.store.delete(One<User>(id: 2))
        let kept = try await users(setting)
        #expect(kept.source == .cache && kept.report.total.inserted == 1)
        #expect(try kept.value.fetch().map(\.login) == ["own", "bob"])
    }

    @Test(arguments: [HTTPResponse.Status.ok, .notFound])
    func `what a DELETE has taken does not come back with a list that is fresh`(
        _ status: HTTPResponse.Status
    ) async throws {
        let setting = try CacheSetting { request in
            request.head.path == "/users"
                ? .json(Self.list, headerFields: Self.fresh) : .json("{}", status: status)
        }
        _ = try await users(setting)
        let endpoint = AdHocEndpoint(.delete, "users/2")
            .setting(\.removal, to: .of(One<User>(id: 2)))
        try await setting.client.enqueue(endpoint, as: Void.self).value
        #expect(try logins(setting) == ["ann"])
        #expect(try await users(setting).source == .network)
    }

    @Test func `what the server has confirmed is no news again`() async throws {
        let store = try Store.temporary(entities: User.self, Article.self, Tag.self)
        let setting = try Self.setting(in: store)
        _ = try await users(setting)
        #expect(try await users(setting, by: .reload).source == .revalidated)
        try store.save(User(id: 1, login: "own"))
        #expect(try await users(setting).source == .cache)
        #expect(try logins(setting) == ["own", "bob"])
    }

    /// Who takes the content as it is, or its head alone.
    @Test(arguments: [HTTPRequest.Method.get, .head])
    func `what the server has confirmed for somebody who did not store it is asked about`(
        _ method: HTTPRequest.Method
    ) async throws {
        let store = try Store.temporary(entities: User.self, Article.self, Tag.self)
        let setting = try Self.setting(in: store)
        _ = try await users(setting)
        try store.save(User(id: 1, login: "own"))
        let client = setting.client.caching(.reload)
        _ = try await client.enqueue(AdHocEndpoint(method, "users"), as: Data?.self).value
        _ = try await setting.cache.settled().value
        #expect(try logins(setting) == ["own", "bob"])
        #expect(try await users(setting).source == .revalidated)
        #expect(try logins(setting) == ["ann", "bob"])
        #expect(try await users(setting).source == .cache)
    }

    @Test func `what the server confirms is news, and so is what it says again`() async throws {
        let setting = try Self.setting()
        _ = try await users(setting)
        try setting.client.store.save(User(id: 1, login: "own"))
        #expect(try await users(setting, by: .reload).source == .revalidated)
        #expect(try logins(setting) == ["ann", "bob"])
        try setting.client.store.save(User(id: 1, login: "own"))
        #expect(try await users(setting).source == .cache)
        #expect(try logins(setting) == ["own", "bob"])
    }

    @Test func `what was kept for somebody who did not store it is asked about, and news then`()
        async throws
    {
        let setting = try Self.setting()
        try setting.client.store.save(User(id: 1, login: "older"))
        _ = try await setting.get("users")
        #expect(try await users(setting).source == .revalidated)
        #expect(try logins(setting) == ["ann", "bob"])
        #expect(try await users(setting).source == .cache)
        #expect(setting.asked.count == 2)
    }

    @Test func `a list is known as whatever it is asked for`() async throws {
        let setting = try Self.setting()
        _ = try await users(setting)
        try setting.client.store.save(User(id: 1, login: "own"))
        let array: Response<[User]> = try await setting.client.enqueue(Resource("users")).value
        #expect(array.source == .cache && array.value.map(\.login) == ["own", "bob"])
        let lossy: Response<LossyList<User>> = try await setting.client
            .enqueue(Resource("users")).value
        #expect(try lossy.source == .cache && lossy.value.elements.fetch().count == 2)
        #expect(try logins(setting) == ["own", "bob"])
    }

    @Test func `so is what came while it was used stale`() async throws {
        let login = Guarded("ann")
        let setting = try CacheSetting { _ in
            .json(
                "[{\"id\": 1, \"login\": \"\(login.withLock { $0 })\"}]",
                headerFields: [.cacheControl: "max-age=10, stale-while-revalidate=60"])
        }
        _ = try await users(setting)
        setting.clock.pass(20)
        login.withLock { $0 = "anna" }
        #expect(try await users(setting).source == .staleCache)
        #expect(try logins(setting) == ["ann"])
        #expect(try await users(setting).source == .network)
        #expect(try logins(setting) == ["anna"])
        #expect(try await users(setting).source == .cache)
    }

    /// By the same tag, or by the same bytes: nobody has stored it since the server has said so.
    @Test(arguments: [false, true])
    func `what is confirmed while it is used stale takes back what the server never had`(
        _ hasTag: Bool
    ) async throws {
        var fields: HTTPFields = [.cacheControl: "max-age=10, stale-while-revalidate=600"]
        if hasTag { fields[.eTag] = "\"1\"" }
        let setting = try Self.setting(fields: fields)
        _ = try await users(setting)
        for cycle in 1...3 {
            try setting.client.store.save(User(id: 1, login: "own"))
            setting.clock.pass(20)
            #expect(try await users(setting).source == .staleCache)
            #expect(try await users(setting).source == (hasTag ? .revalidated : .network))
            #expect(try logins(setting) == ["ann", "bob"])
            #expect(try await users(setting).source == .cache)
            #expect(setting.asked.count == 1 + 2 * cycle)
        }
    }

    /// Also where it can but be sent again as a whole; each day something else.
    @Test(arguments: [false, true])
    func `what is read at two places is of the same day at both`(_ hasTag: Bool) async throws {
        let day = Guarded(1)
        let setting = try CacheSetting { request in
            let day = day.withLock(\.self)
            var fields: HTTPFields = [.cacheControl: "max-age=60"]
            if hasTag { fields[.eTag] = "\"\(day)\"" }
            guard !hasTag || request.head.headerFields[.ifNoneMatch] != fields[.eTag] else {
                return .json("", status: .notModified, headerFields: fields)
            }
            return .json(
                """
                {"users": [{"id": 2, "login": "bob \(day)"}],
                 "articles": [{"id": 1, "title": "\(day)", "author": {"id": 1, "login": "ann"}, "tags": []}]}
                """, headerFields: fields)
        }
        for number in [1, 1, 2, 2, 3] {
            if day.withLock({ $0 != number }) {
                day.withLock { $0 = number }
                setting.clock.pass(86_400)
            }
            let users = try await setting.client
                .enqueue(Resource("home"), as: Response<[User]>.self, at: "users").value
            _ = try await setting.cache.settled().value
            let articles = try await setting.client
                .enqueue(Resource("home"), as: Response<[Article]>.self, at: "articles").value
            _ = try await setting.cache.settled().value
            #expect(users.value.map(\.login) == ["bob \(number)"])
            #expect(articles.value.map(\.title) == ["\(number)"])
        }
        // Once for each place.
        #expect(setting.asked.count == 6)
    }

    /// Whether it is asked for anew there, or had not been seen there, so that it stays as old as it was.
    @Test(arguments: [true, false])
    func `what is confirmed at one place is as new at another as it was stored there`(
        _ isReloaded: Bool
    ) async throws {
        let setting = try CacheSetting { request in
            let fields: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"1\""]
            guard request.head.headerFields[.ifNoneMatch] == nil else {
                return .json("", status: .notModified, headerFields: fields)
            }
            return .json(
                #"{"a": [{"id": 1, "login": "ann"}], "b": [{"id": 2, "login": "bob"}]}"#,
                headerFields: fields)
        }
        func ask(_ place: String, by policy: CachePolicy = .clientDefault) async throws
            -> Response<[User]>
        {
            let users = try await setting.client.caching(policy)
                .enqueue(Resource("home"), as: Response<[User]>.self, at: place).value
            _ = try await setting.cache.settled().value
            return users
        }
        _ = try await ask("a")
        setting.clock.pass(40)
        try setting.client.store.save(User(id: 1, login: "own"))
        let other = try await ask("b", by: isReloaded ? .reload : .clientDefault)
        #expect(other.source == .revalidated && other.age == .zero)
        let own = try await ask("a")
        #expect(own.value.map(\.login) == [isReloaded ? "ann" : "own"])
        #expect(own.source == (isReloaded ? .revalidated : .cache))
        if !isReloaded {
            #expect(own.age == .seconds(40))
            #expect(try await ask("b").source == .cache)
            setting.clock.pass(30)
            #expect(try await ask("a").source == .revalidated)
        }
    }

    /// Keeps properties alone, as in files.
    private final class Files: MemoryBacked {
        let memory = MemoryResponses(limit: 1 << 20, responseLimit: 1 << 20)

        func responses(for key: ResponseCacheKey) throws -> [CachedResponse] {
            memory.responses(for: key).map { kept in
                CachedResponse(
                    id: kept.id, head: kept.head, body: kept.body, part: kept.part,
                    requested: kept.requested, received: kept.received,
                    uselessAfter: kept.uselessAfter, variant: kept.variant, imports: kept.imports)
            }
        }
    }

    @Test func `a provider of one's own can keep what has been stored`() async throws {
        let transport = StubTransport(.json(Self.list, headerFields: Self.fresh))
        let cache = ResponseCache(provider: Files())
        let client = try TestClient.client(over: transport) { $0.cache = cache }
        for isFirst in [true, false, false] {
            let response: Response<Many<User>> = try await client.enqueue(Resource("users")).value
            _ = try await cache.settled().value
            #expect(response.source == (isFirst ? .network : .cache))
        }
        #expect(transport.requests.count == 1)
    }

    /// As a store was closed right behind the response.
    @Test func `where the note is lost that it was stored, it is asked about, too`() async throws {
        let store = try Store.temporary(entities: User.self, Article.self, Tag.self)
        let setting = try Self.setting(in: store)
        _ = try await users(setting)
        try store.save(User(id: 1, login: "own"))
        try store.writeBeside { _ = try $0.run("DELETE FROM \"\(ResponseTable.imports)\"") }
        #expect(try await users(setting, by: .cachedOnly).source == .cache)
        #expect(try logins(setting) == ["own", "bob"])
        #expect(try await users(setting).source == .revalidated)
        #expect(try logins(setting) == ["ann", "bob"])
    }

    // MARK: What has been confirmed since

    /// A server of one user, whom others rename there and PUT here; it may be away.
    private final class Renaming: Sendable {
        private struct State {
            var number = 0
            var isAway = false
            var control = "max-age=10, stale-while-revalidate=600"
        }

        private let state = Guarded(State())

        func rename() { state.withLock { $0.number += 1 } }
        func setAway(_ isAway: Bool) { state.withLock { $0.isAway = isAway } }
        func setControl(_ control: String) { state.withLock { $0.control = control } }

        func answer(_ request: TransportRequest) throws -> TransportResponse {
            try state.withLock { state in
                if state.isAway { throw TransportError(.cannotConnect, "Away.") }
                let isPut = request.head.method == .put
                if isPut { state.number += 1 }
                let user = "{\"id\": 1, \"login\": \"\(state.number)\"}"
                if isPut { return .json(user, headerFields: [.cacheControl: "no-store"]) }
                let fields: HTTPFields = [
                    .cacheControl: state.control, .eTag: "\"\(state.number)\"",
                ]
                guard request.head.headerFields[.ifNoneMatch] != fields[.eTag] else {
                    return .json("", status: .notModified, headerFields: fields)
                }
                return .json("[\(user)]", headerFields: fields)
            }
        }
    }

    private func put(_ setting: CacheSetting) async throws {
        let endpoint = AdHocEndpoint(.put, "users/1")
        let _: One<User> = try await setting.client.enqueue(endpoint).value
        _ = try await setting.cache.settled().value
    }

    @Test(arguments: [false, true])
    func `what has been stored since is not written over by what had come for nobody`(
        _ isPrefetched: Bool
    ) async throws {
        let server = Renaming()
        let setting = try CacheSetting { try server.answer($0) }
        if isPrefetched {
            _ = try await setting.get("users")
        } else {
            _ = try await users(setting)
            setting.clock.pass(20)
            server.rename()
            #expect(try await users(setting).source == .staleCache)
        }
        try await put(setting)
        let edited = try logins(setting)
        server.setAway(true)
        for policy in [CachePolicy.clientDefault, .cachedOnly] {
            #expect(try await users(setting, by: policy).source == .cache)
            #expect(try logins(setting) == edited)
        }
        server.setAway(false)
        #expect(try await users(setting).source == .network)
        #expect(try logins(setting) == edited)
        #expect(try await users(setting).source == .cache)
    }

    /// By requests one after the other, some of which are answered by what is kept, or by nobody.
    @Test(arguments: 0..<24)
    func `no object goes back behind what was there`(_ seed: Int) async throws {
        var random = SplitMix(seed: UInt64(seed))
        let server = Renaming()
        let setting = try CacheSetting { try server.answer($0) }
        let controls = [
            "max-age=10", "no-cache", "max-age=0, stale-while-revalidate=600",
            "max-age=10, stale-while-revalidate=600",
        ]
        let policies: [CachePolicy] = [
            .clientDefault, .clientDefault, .cachedOnly, .reload,
            .http.servingStale(for: .seconds(600)), .disk(for: .seconds(60)),
        ]
        var newest = 0
        for step in 0..<40 {
            server.setControl(controls.randomElement(using: &random) ?? "")
            server.setAway(Int.random(in: 0..<5, using: &random) == 0)
            let policy = policies.randomElement(using: &random) ?? .clientDefault
            switch Int.random(in: 0..<8, using: &random) {
            case 0...2: _ = try? await users(setting, by: policy)
            case 3: _ = try? await setting.get("users", by: policy)
            case 4, 5: try? await put(setting)
            case 6: server.rename()
            default: setting.clock.pass([1.0, 20].randomElement(using: &random) ?? 0)
            }
            _ = try await setting.cache.settled().value
            let now = try logins(setting).compactMap { Int($0) }.first ?? 0
            #expect(now >= newest, "step \(step) of \(seed)")
            newest = max(newest, now)
        }
        #expect(newest > 0)
    }

    @Test func `the next process knows what the last one has stored`() async throws {
        let store = try Store.temporary(entities: User.self, Article.self, Tag.self)
        let first = try Self.setting(in: store)
        _ = try await users(first)
        try store.save(User(id: 1, login: "own"))
        let next = try Store(at: #require(store.path), model: store.model)
        let second = try Self.setting(in: next)
        #expect(try await users(second).source == .cache)
        #expect(try logins(second) == ["own", "bob"])
        // Of another store nobody knows that.
        let other = try CacheSetting(in: Store.temporary(model: store.model)) { _ in .json("") }
        try other.client.store.save(User(id: 1, login: "older"))
        let client = Client(
            baseURL: "http://test.invalid/", store: other.client.store,
            configuration: second.client.configuration)
        let response: Response<Many<User>> = try await client.enqueue(Resource("users")).value
        #expect(response.source == .revalidated)
        #expect(try response.value.fetch().map(\.login) == ["ann", "bob"])
    }

    @Test func `objects inside others are left and brought back alike`() async throws {
        let setting = try CacheSetting { _ in
            .json(
                #"""
                [{"id": 1, "title": "a", "author": {"id": 1, "login": "ann"}, "tags": [{"name": "x"}]},
                 {"id": 2, "title": "b", "author": {"id": 2, "login": "bob"}, "tags": [{"name": "y"}]}]
                """#, headerFields: [.cacheControl: "max-age=60"])
        }
        let store = setting.client.store
        func ask() async throws -> Response<Many<Article>> {
            let response: Response<Many<Article>> = try await setting.client
                .enqueue(Resource("articles")).value
            _ = try await setting.cache.settled().value
            return response
        }
        _ = try await ask()
        try store.import(
            [Article].self,
            from: #"[{"id": 1, "title": "A", "author": {"id": 3, "login": "eve"}, "tags": []}]"#)
        try store.save(User(id: 2, login: "bobby"))
        _ = try store.delete(One<Article>(id: 2))
        let kept = try await ask()
        #expect(kept.source == .cache && kept.report["Article"].inserted == 1)
        let articles = try kept.value.fetch()
        #expect(articles.map(\.title) == ["A", "b"])
        #expect(try articles.map { try $0.author.fetch().login } == ["eve", "bobby"])
        #expect(try articles.map { try $0.tags.count } == [0, 1])
        #expect(try store.checkIntegrity().isSound)
    }

    // MARK: What is not there

    private struct AllUsers: RespondingEndpoint {
        typealias Response = LarderClient.Response<Many<User>>
        let path = "users"
        let completeness = Completeness.whole(User.all)
    }

    @Test func `what a kept list lacks has not vanished, but what a confirmed one lacks has`()
        async throws
    {
        let setting = try Self.setting()
        _ = try await setting.client.enqueue(AllUsers()).value
        _ = try await setting.cache.settled().value
        try setting.client.store.save(User(id: 3, login: "eve"))
        let kept = try await setting.client.enqueue(AllUsers()).value
        #expect(kept.source == .cache && kept.report.total.deleted == 0)
        #expect(try logins(setting) == ["ann", "bob", "eve"])
        let confirmed = try await setting.client.caching(.reload).enqueue(AllUsers()).value
        #expect(confirmed.source == .revalidated && confirmed.report.total.deleted == 1)
        #expect(try logins(setting) == ["ann", "bob"])
    }

    @Test func `nor has it where a processor makes the response anew`() async throws {
        struct Copies: Endpoint {
            let path = "users"
            let completeness = Completeness.whole(User.all)
            let processors: [ResponseProcessor] = [
                ResponseProcessor { response, _ in
                    TransportResponse(head: response.head, body: response.body)
                }
            ]
        }
        let setting = try Self.setting()
        let _: Response<Many<User>> = try await setting.client.enqueue(Copies()).value
        _ = try await setting.cache.settled().value
        try setting.client.store.save(User(id: 3, login: "eve"))
        let _: Response<Many<User>> = try await setting.client.enqueue(Copies()).value
        #expect(setting.asked.count == 1)
        #expect(try logins(setting) == ["ann", "bob", "eve"])
    }

    @Test func `an object is not deleted by a 404 of before`() async throws {
        struct OneUser: Endpoint {
            let path = "users/1"
            let removal = Removal.of(One<User>(id: 1))
        }
        let setting = try CacheSetting { _ in
            .json("{}", status: .notFound, headerFields: Self.fresh)
        }
        try setting.client.store.save(User(id: 1, login: "ann"))
        for isDeleted in [true, false] {
            await #expect(throws: ClientError.self) {
                let _: One<User> = try await setting.client.enqueue(OneUser()).value
            }
            _ = try await setting.cache.settled().value
            #expect(try logins(setting) == (isDeleted ? [] : ["ann"]))
            try setting.client.store.save(User(id: 1, login: "ann"))
        }
        #expect(setting.asked.count == 1)
    }

    // MARK: What is of no use

    @Test
    func `a success that nobody can use is not kept, be it refused or no JSON or none of these`()
        async throws
    {
        let texts = ["<html>Log in</html>", "[{\"id\": \"x\"}]", "\"text\""]
        for text in texts {
            let content = Guarded(text)
            let setting = try CacheSetting(policy: .disk(for: .seconds(86_400))) { _ in
                .json(content.withLock { $0 })
            }
            await #expect(throws: ClientError.self) { try await users(setting) }
            _ = try await setting.cache.settled().value
            content.withLock { $0 = Self.list }
            #expect(try await users(setting).source == .network)
            #expect(try await users(setting).source == .cache)
        }
        struct Typed: Endpoint {
            let path = "users"
            let acceptedContentTypes = ["application/json"]
        }
        let isPortal = Guarded(true)
        let setting = try CacheSetting(policy: .memory(for: .seconds(86_400))) { _ in
            let type = isPortal.withLock { $0 } ? "text/html" : "application/json"
            return .json(Self.list, headerFields: [.contentType: type])
        }
        for isRefused in [true, false] {
            isPortal.withLock { $0 = isRefused }
            let response = try? await setting.client
                .enqueue(Typed(), as: Response<Many<User>>.self).value
            #expect((response == nil) == isRefused)
            _ = try await setting.cache.settled().value
        }
    }

    @Test func `a failure that says so is kept, though it fails each time`() async throws {
        let setting = try CacheSetting(
            CacheSetting.counting([.cacheControl: "max-age=60"], status: .notFound))
        for _ in 0..<2 {
            await #expect(throws: ClientError.self) { try await setting.get() }
            _ = try await setting.cache.settled().value
        }
        #expect(setting.asked.count == 1)
    }

    @Test func `what is given up, or finds no room in the store, stays`() async throws {
        var configuration = Store.Configuration()
        configuration.maximumSize = 200_000
        let store = try Store.temporary(
            model: Model(entities: User.self, Article.self, Tag.self), configuration: configuration)
        let login = String(repeating: "a", count: 400_000)
        let cache = ResponseCache.inMemory()
        var settings = Client.Configuration(
            transport: StubTransport { _ in
                .json(
                    "[{\"id\": 1, \"login\": \"\(login)\"}]",
                    headerFields: [.cacheControl: "max-age=60"])
            })
        settings.cache = cache
        let client = Client(baseURL: "http://test.invalid/", store: store, configuration: settings)
        let error = await #expect(throws: ClientError.self) {
            let _: Many<User> = try await client.enqueue(Resource("x")).value
        }
        #expect(error?.underlying is StoreError)
        let text: Response<String> = try await client.enqueue(Resource("x")).value
        #expect(text.source == .cache)
    }

    @Test func `what a cache had is no news, though an interceptor makes it anew`() async throws {
        let answer = TransportResponse.json(
            #"[{"id": 1, "login": "old"}]"#, headerFields: [.cacheControl: "max-age=600"])
        let client = try TestClient.client(over: StubTransport(answer)) {
            $0.cache = .inMemory()
            $0.interceptors = [
                ClosureInterceptor { request, next in
                    next(request).then { TransportResponse(head: $0.head, body: $0.body) }
                }
            ]
        }
        _ = try await client.enqueue(Resource("users"), as: [User].self).value
        try client.store.import([User].self, from: #"[{"id": 1, "login": "new"}]"#)
        let again: Response<[User]> = try await client.enqueue(Resource("users")).value
        #expect(again.value.map(\.login) == ["new"] && again.source == .cache)
    }
}
