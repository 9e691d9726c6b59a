import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// What is known of the last success of an endpoint.
@Suite struct ResponseFreshnessTests {
    private static let users = #"[{"id": 2, "login": "bob"}, {"id": 1, "login": "ann"}]"#

    private struct Users: Endpoint {
        let path = "users"
        var tags: [String] = ["people", "it's \"quoted\""]
    }

    private static func setting(_ policy: FetchPolicy = .storeFirst) throws -> FetchSetting {
        let setting = try FetchSetting(policy)
        setting.server["/users"] = users
        return setting
    }

    private static func load(_ setting: FetchSetting) async throws -> ResponseSource {
        try await setting.client.enqueue(Users(), as: Response<[User]>.self).value.source
    }

    @Test func `nothing before the first success, then its time, its tag and its objects`()
        async throws
    {
        let setting = try Self.setting(.networkFirst())
        #expect(try await setting.client.freshness(of: Users()).value == nil)
        _ = try await Self.load(setting)
        let start = setting.clock.now
        setting.clock.pass(60)
        let first = try #require(try await setting.client.freshness(of: Users()).value)
        #expect(first.fetched == start && first.confirmed == start && !first.isInvalid)
        #expect(first.objectCount == 2 && first.entityTag != nil)
        #expect(first.age(at: setting.clock.now) == .seconds(60))
        _ = try await Self.load(setting)
        let second = try #require(try await setting.client.freshness(of: Users()).value)
        #expect(second.fetched == start && second.confirmed == setting.clock.now)
        #expect(second.age(at: start) == nil)
    }

    @Test func `a failure changes nothing of it`() async throws {
        let setting = try Self.setting(.networkFirst())
        _ = try await Self.load(setting)
        let before = try await setting.client.freshness(of: Users()).value
        setting.server.fail()
        setting.clock.pass(60)
        _ = try await Self.load(setting)
        #expect(try await setting.client.freshness(of: Users()).value == before)
    }

    @Test func `made invalid by endpoint, by type, by tag`() async throws {
        let setting = try Self.setting()
        let client = setting.client
        let ways: [@Sendable () -> Promise<Void>] = [
            { client.invalidate(Users()) }, { client.invalidate(Users.self) },
            { client.invalidate(tag: "people") }, { client.invalidate(tag: #"it's "quoted""#) },
        ]
        _ = try await Self.load(setting)
        for invalidate in ways {
            #expect(try await Self.load(setting) == .store)
            try await invalidate().value
            #expect(try await client.freshness(of: Users()).value?.isInvalid == true)
            #expect(try await Self.load(setting) == .revalidated)
        }
        let others: [@Sendable () -> Promise<Void>] = [
            { client.invalidate(Resource("other")) }, { client.invalidate(Resource.self) },
            { client.invalidate(tag: "peopl") },
        ]
        for invalidate in others {
            try await invalidate().value
            #expect(try await Self.load(setting) == .store)
        }
    }

    @Test func `of what has lost its tags any may have been one of them`() async throws {
        let setting = try Self.setting()
        _ = try await Self.load(setting)
        try setting.store.writeBeside {
            _ = try $0.run("UPDATE \"\(SideTables.prefix)kept\" SET tags = '[\"peo'")
        }
        try await setting.client.invalidate(tag: "people").value
        #expect(try await setting.client.freshness(of: Users()).value?.isInvalid == true)
    }

    @Test func `what is on its way when it is made invalid is not good`() async throws {
        let transport = HeldTransport()
        let setting = try FetchSetting(.storeFirst, over: transport)
        let first = setting.client.enqueue(Users(), as: Response<[User]>.self)
        while transport.open != [0] { await Task.yield() }
        try await setting.client.invalidate(tag: "people").value
        transport.end(0, .success(.json(Self.users)))
        #expect(try await first.value.source == .network)
        let second = setting.client.enqueue(Users(), as: Response<[User]>.self)
        while transport.open != [1] { await Task.yield() }
        transport.end(1, .success(.json(Self.users)))
        #expect(try await second.value.source == .network)
        #expect(try await Self.load(setting) == .store)
    }

    @Test func `what was asked for before it is made invalid is no answer to who asks after it`()
        async throws
    {
        let transport = HeldTransport()
        let setting = try FetchSetting(.storeFirst, over: transport) { $0.coalescing = .joining }
        let first = setting.client.enqueue(Users(), as: Response<[User]>.self)
        while transport.open != [0] { await Task.yield() }
        try await setting.client.invalidate(tag: "people").value
        let second = setting.client.enqueue(Users(), as: Response<[User]>.self)
        while transport.open != [0, 1] { await Task.yield() }
        transport.end(0, .success(.json(Self.users)))
        _ = try await first.value
        transport.end(1, .success(.json(#"[{"id": 3, "login": "eve"}]"#)))
        #expect(try await second.value.value.map(\.login) == ["eve"])
        #expect(try await Self.load(setting) == .store)
    }

    @Test func `with all objects goes what was known of them, as those hear who observe it`()
        async throws
    {
        let setting = try Self.setting()
        _ = try await Self.load(setting)
        // What is taken back has been nothing.
        _ = try? await setting.store.write { context in
            try context.deleteAll()
            throw CancellationError()
        }
        #expect(try await Self.load(setting) == .store)
        let updates = setting.client.freshnessUpdates(of: Users())
        var known = updates.makeAsyncIterator()
        let first = try #require(try await known.next())
        #expect(first?.objectCount == 2)
        try setting.store.deleteAll()
        let nothing = try await setting.client.freshness(of: Users()).value
        try #require(nothing == nil)
        let second = try #require(try await known.next())
        #expect(second == nil)
        let isLoaded = try await setting.client.loadIfNeeded(Users(), freshFor: .seconds(600)) {
            $0.enqueue($1, as: [User].self)
        }.value
        #expect(isLoaded && setting.server.answers == [200, 200])
        try setting.store.deleteAll()
        #expect(try await Self.load(setting) == .network)
        #expect(try setting.store.count(User.all) == 2)
    }

    @Test func `what a cache has makes nothing good again`() async throws {
        let setting = try FetchSetting(.storeFirst) {
            $0.cache = ResponseCache(in: nil, now: $0.now)
        }
        setting.server["/users"] = Self.users
        setting.server.send([.cacheControl: "max-age=60"])
        func ask(_ policy: FetchPolicy = .storeFirst) async throws -> ResponseSource {
            let users: Response<[User]> = try await setting.client.fetching(policy)
                .enqueue(Users()).value
            try await setting.client.configuration.cache?.settled().value
            return users.source
        }
        #expect(try await ask() == .network)
        #expect(try await ask() == .store)
        try await setting.client.invalidate(Users()).value
        for _ in 0..<2 {
            #expect(try await ask() == .cache)
            #expect(try await setting.client.freshness(of: Users()).value?.isInvalid == true)
        }
        #expect(try await ask(.fresh(for: .seconds(600))) == .cache)
        #expect(setting.server.answers == [200])
        setting.clock.pass(61)
        #expect(try await ask() == .revalidated)
        #expect(try await setting.client.freshness(of: Users()).value?.isInvalid == false)
        #expect(try await ask() == .store)
        #expect(setting.server.answers == [200, 304])
    }

    @Test func `who observes it is told whenever it changes`() async throws {
        let setting = try Self.setting(.networkFirst())
        var updates = setting.client.freshnessUpdates(of: Users()).makeAsyncIterator()
        #expect(try await updates.next() == .some(nil))
        _ = try await Self.load(setting)
        #expect(try await updates.next()??.objectCount == 2)
        try await setting.client.invalidate(Users()).value
        #expect(try await updates.next()??.isInvalid == true)
        setting.clock.pass(5)
        _ = try await Self.load(setting)
        let last = try await updates.next() ?? nil
        #expect(last?.confirmed == setting.clock.now && last?.isInvalid == false)
    }

    @Test func `loaded only where that is needed`() async throws {
        let setting = try Self.setting(.networkFirst())
        let load: @Sendable () async throws -> Bool = {
            try await setting.client.loadIfNeeded(Users(), freshFor: .seconds(10)) {
                $0.enqueue($1, as: [User].self)
            }.value
        }
        #expect(try await load())
        #expect(try await load() == false)
        setting.clock.pass(10)
        #expect(try await load())
        try await setting.client.invalidate(Users.self).value
        #expect(try await load())
        #expect(try await load() == false)
        #expect(setting.server.answers == [200, 304, 304])
        setting.clock.pass(10)
        setting.server.fail()
        await #expect(throws: ClientError.self) { try await load() }
    }

    @Test func `what is to be loaded is asked for past a cache`() async throws {
        let setting = try FetchSetting(.networkFirst()) {
            $0.cache = ResponseCache(in: nil, now: $0.now)
        }
        setting.server["/users"] = Self.users
        setting.server.send([.cacheControl: "max-age=600"])
        func load() async throws -> Bool {
            try await setting.client.loadIfNeeded(Users(), freshFor: .seconds(60)) {
                $0.enqueue($1, as: [User].self)
            }.value
        }
        for _ in 0..<2 {
            #expect(try await load())
            #expect(try await load() == false)
            setting.clock.pass(70)
        }
        #expect(try await load())
        try await setting.client.invalidate(Users()).value
        #expect(try await load())
        #expect(try await load() == false)
        #expect(setting.server.answers == [200, 304, 304, 304])
    }

    /// Loads by a client that asks nobody before and after one that does.
    private func expectLoading(
        _ setting: FetchSetting, asksNobodyBy offline: Client
    ) async throws {
        func load(by client: Client) async throws -> Bool {
            try await client.loadIfNeeded(Users(), freshFor: .seconds(60)) {
                $0.enqueue($1, as: [User].self)
            }.value
        }
        let error = await #expect(throws: ClientError.self) { try await load(by: offline) }
        #expect(error?.reason == .notCached)
        #expect(try await load(by: setting.client))
        setting.clock.pass(70)
        #expect(try await load(by: offline) == false)
        #expect(setting.server.answers == [200])
    }

    @Test func `where nobody is to be asked, what is to be loaded is the cache's`() async throws {
        let setting = try FetchSetting(.networkFirst()) {
            $0.cache = ResponseCache(in: nil, now: $0.now)
        }
        setting.server["/users"] = Self.users
        setting.server.send([.cacheControl: "max-age=600"])
        try await expectLoading(setting, asksNobodyBy: setting.client.caching(.cachedOnly))
    }

    @Test func `where the store alone is to answer, what is to be loaded is that's`() async throws {
        let setting = try Self.setting(.networkFirst())
        try await expectLoading(setting, asksNobodyBy: setting.client.fetching(.storeOnly))
    }

    @Test func `what is to be loaded for one is not asked for as the next one`() async throws {
        let authorization = AuthorizationInterceptor(.bearer("ann"))
        let setting = try Self.setting(.networkFirst())
        let users = AdHocEndpoint.get("users").setting(\.interceptors, to: [authorization])
        // What is known is looked up behind the log-in.
        let load = try await setting.store.whileItIsHeld {
            let load = setting.client.loadIfNeeded(users, freshFor: .seconds(10)) {
                $0.enqueue($1, as: [User].self)
            }
            authorization.logIn(.bearer("bob"))
            return load
        }
        let error = await #expect(throws: ClientError.self) { try await load.value }
        #expect(error?.reason == .loggedOut && setting.server.answers.isEmpty)
    }

    #if !canImport(Darwin) || os(macOS)
    /// In a process of its own, as there is one hook.
    @Test func `no promise is dropped where there is nothing to say`() async {
        await #expect(processExitsWith: .success) {
            let heard = Heard()
            UnhandledRejection.report { heard.note("\($0)") }
            let client = try FetchSetting().client
            _ = try await client.freshness(of: .post("users")).value
            let end = try await client.store.whileItIsHeld {
                let end = client.logOut()
                _ = try await client.freshness(of: Resource("users")).value
                return end
            }
            try await end.value
            let lost = Client(
                baseURL: "nowhere", store: client.store,
                configuration: Client.Configuration(transport: StubTransport(.json("[]"))))
            _ = try? await lost.freshness(of: Resource("users")).value
            for text in heard.texts { print(text) }
            exit(heard.texts.isEmpty ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }
    #endif

    // MARK: Who asks next

    @Test func `who asks right behind asks the server, whoever writes meanwhile`() async throws {
        let store = try Store.temporary(entities: User.self, Article.self, Tag.self)
        let setting = try FetchSetting(in: store, .storeFirst)
        setting.server["/users"] = Self.users
        _ = try await Self.load(setting)
        let (isHeld, goOn) = (Gate(), Gate())
        Thread.detachNewThread {
            try? store.write { _ in
                isHeld.open()
                try goOn.block()
            }
        }
        try await isHeld.wait()
        let invalidated = setting.client.invalidate(Users())
        let next = setting.client.enqueue(Users(), as: Response<[User]>.self)
        let known = try await setting.client.freshness(of: Users()).value
        #expect(known?.isInvalid == true)
        while next.isPending, setting.server.answers.count < 2 { await Task.yield() }
        goOn.open()
        #expect(try await next.value.source == .revalidated)
        try await invalidated.value
    }

    @Test(arguments: [false, true])
    func `what another client of the store has made invalid stays so`(
        _ isFirst: Bool
    ) async throws {
        let transport = HeldTransport { transport, number in
            if number == 0, !isFirst { transport.end(0, .success(.json(Self.users))) }
        }
        let store = try Store.temporary(entities: User.self, Article.self, Tag.self)
        let setting = try FetchSetting(in: store, .networkFirst(), over: transport)
        let other = try FetchSetting(in: store, .storeFirst)
        other.server["/users"] = Self.users
        let enqueue = { setting.client.enqueue(Users(), as: [User].self) }
        if !isFirst { _ = try await enqueue().value }
        let last = enqueue()
        let number = isFirst ? 0 : 1
        while transport.requests.count <= number { await Task.yield() }
        try await other.client.invalidate(tag: "people").value
        transport.end(number, .success(.json(Self.users)))
        _ = try await last.value
        let known = try #require(try await setting.client.freshness(of: Users()).value)
        #expect(known.isInvalid)
    }
}
