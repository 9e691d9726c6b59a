import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Logging
import Testing

@testable import LarderClient

/// What is left once somebody has logged out, and what comes later.
@Suite struct ClientLogOutTests {
    private static let users = #"[{"id": 1, "login": "ann"}]"#

    @Test func `objects, what the store answers by, and the cache are gone`() async throws {
        let store = try Store.temporary(entities: User.self, Article.self, Tag.self)
        let cache = ResponseCache(in: store)
        let setting = try FetchSetting(in: store) { $0.cache = cache }
        setting.server["/x"] = Self.users
        setting.server.send([.cacheControl: "max-age=600"])
        _ = try await setting.client.enqueue(Resource("x"), as: [User].self).value
        try store.save(Tag(name: "kept"))
        try await setting.client.logOut(keeping: [Tag.self]).value
        #expect(try store.count(User.all) == 0 && store.count(Tag.all) == 1)
        setting.server.fail()
        await #expect(throws: ClientError.self) {
            try await setting.client.enqueue(Resource("x"), as: [User].self).value
        }
        await #expect(throws: ClientError.self) {
            try await setting.client.caching(.cachedOnly)
                .enqueue(Resource("x"), as: String.self).value
        }
    }

    private static func client(_ store: Store, as token: String) -> Client {
        var configuration = Client.Configuration(
            transport: StubTransport(.json(users)), timeout: .seconds(600))
        configuration.interceptors = [AuthorizationInterceptor(.bearer(token))]
        configuration.fetchPolicy = .storeFirst
        return Client(baseURL: "http://test.invalid/", store: store, configuration: configuration)
    }

    @Test func `another client of the store is not answered by what is about to go`()
        async throws
    {
        let store = try Store.temporary(entities: User.self, Article.self, Tag.self)
        let client = Self.client(store, as: "ann")
        _ = try await client.enqueue(Resource("x"), as: [User].self).value
        let end = try await store.whileItIsHeld {
            let end = client.logOut()
            let other = Self.client(store, as: "bob").fetching(.storeOnly)
            let error = await #expect(throws: ClientError.self) {
                try await other.enqueue(Resource("x"), as: [User].self).value
            }
            #expect(error?.reason == .notCached)
            return end
        }
        try await end.value
    }

    @Test func `several at once leave the store to whoever is next`() async throws {
        let client = try TestClient.client(over: StubTransport(.json("[]")))
        for _ in 0..<20 {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { try? await client.logOut().value } }
            }
            #expect(!client.kept.isClearing(ofSession: true))
        }
    }

    @Test func `it waits for a transaction as long as that takes`() async throws {
        var configuration = Store.Configuration()
        configuration.busyTimeout = .milliseconds(10)
        let store = try Store.inMemory(entities: User.self, configuration: configuration)
        try store.save(User(id: 1, login: "ann"))
        let client = Client(
            baseURL: "http://test.invalid/", store: store,
            configuration: .init(transport: StubTransport(.json("[]"))))
        let (isHeld, goOn) = (Gate(), Gate())
        Thread.detachNewThread {
            try? store.write { _ in
                isHeld.open()
                try goOn.block()
            }
        }
        try await isHeld.wait()
        let end = client.logOut()
        // Who blocks a thread waits no longer than that.
        for _ in 0..<5 { #expect(throws: StoreError.self) { try store.write { _ in } } }
        goOn.open()
        try await end.value
        #expect(try store.count(User.all) == 0)
    }

    @Test func `it has ended once no file of cookies has the session either`() async throws {
        let other = try TemporaryFile(named: "other", Data())
        defer { withExtendedLifetime(other) {} }
        let file = other.url.deletingLastPathComponent().appending(path: "cookies.json")
        let site = try #require(URL(string: "http://test.invalid/"))
        for _ in 0..<20 {
            let jar = try CookieJar(file: file)
            #expect(jar.cookies.isEmpty)
            jar.set("sid=ann; Max-Age=600", from: site)
            try jar.save()
            let client = try TestClient.client(over: StubTransport(.json("[]"))) {
                $0.cookies = jar
            }
            try await client.logOut().value
            #expect(try CookieJar(file: file).cookies.isEmpty)
        }
    }

    @Test func `it fails where a file of cookies can't be written`() async throws {
        let other = try TemporaryFile(named: "other", Data())
        defer { withExtendedLifetime(other) {} }
        let root = other.url.deletingLastPathComponent()
        let (folder, moved) = (root.appending(path: "jar"), root.appending(path: "moved"))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let jar = try CookieJar(file: folder.appending(path: "cookies.json"))
        let site = try #require(URL(string: "http://test.invalid/"))
        jar.set("sid=ann; Max-Age=600", from: site)
        try jar.save()
        try FileManager.default.moveItem(at: folder, to: moved)
        let client = try TestClient.client(over: StubTransport(.json("[]"))) { $0.cookies = jar }
        try client.store.save(User(id: 1, login: "ann"))
        await #expect(throws: CookieJar.FileError.self) { try await client.logOut().value }
        #expect(try client.store.count(User.all) == 0)
    }

    @Test func `who is told of it may wait for what is stored behind it`() async throws {
        let guest = Guarded<Client?>(nil)
        let told = Seen<Int?>()
        let client = try TestClient.client(over: StubTransport(.json(#"{"id": 2, "login": "g"}"#)))
        {
            $0.interceptors = [
                AuthorizationInterceptor(
                    .bearer("ann"),
                    onChange: { credential in
                        guard credential == nil, let client = guest.withLock(\.self) else { return }
                        let user = client.enqueue(Resource("x"), as: User.self)
                        told.note(try? user.wait(timeout: .seconds(60)).id)
                    },
                    refreshing: { (_: Credential) -> Promise<Credential> in
                        .fulfilled(.bearer("new"))
                    })
            ]
        }
        guest.withLock { $0 = client }
        let (ended, resolver) = Promise<Void>.pending()
        Thread.detachNewThread {
            resolver.resolve(with: Result { try client.logOut().wait(timeout: .seconds(60)) })
        }
        try await ended.value
        guest.withLock { $0 = nil }
        #expect(told.values == [2])
        #expect(try client.store.select(User.all) { $0.id } == [2])
    }

    /// A process that ends before would start as nobody, with somebody's objects.
    @Test func `a credential is given up once the objects have gone, and the next one kept then`()
        async throws
    {
        let store = try Store.temporary(entities: User.self, Article.self, Tag.self)
        let told = Heard()
        let authorization = AuthorizationInterceptor(
            .bearer("ann"),
            onChange: { change in
                let count = (try? store.count(User.all)) ?? -1
                told.note("\(change == nil ? "nobody" : "somebody"), \(count) users")
            }, refreshing: { (_: Credential) -> Promise<Credential> in .fulfilled(.bearer("")) })
        let setting = try FetchSetting(in: store) { $0.interceptors = [authorization] }
        try store.save(User(id: 1, login: "ann"))
        let logOut = try await store.whileItIsHeld {
            let logOut = setting.client.logOut()
            #expect(authorization.credential == nil)
            authorization.logIn(.bearer("bob"))
            #expect(told.texts.isEmpty)
            return logOut
        }
        try await logOut.value
        #expect(told.texts == ["nobody, 0 users", "somebody, 0 users"])
    }

    @Test func `a credential outlasts no log-out that has failed`() async throws {
        let told = Seen<Credential?>()
        let client = try TestClient.client(over: StubTransport(.json("[]"))) {
            $0.interceptors = [
                AuthorizationInterceptor(
                    .bearer("ann"), onChange: { told.note($0) },
                    refreshing: { (_: Credential) -> Promise<Credential> in
                        .fulfilled(.bearer(""))
                    })
            ]
        }
        try client.store.import(
            [Article].self,
            from: #"[{"id": 1, "title": "t", "author": {"id": 1, "login": "ann"}, "tags": []}]"#)
        await #expect(throws: WritingError.self) {
            try await client.logOut(keeping: [Article.self]).value
        }
        #expect(told.values == [nil])
    }

    @Test func `a cookie that comes later is not taken`() async throws {
        let (transport, jar) = (HeldTransport(cancelsAtOnce: false), CookieJar())
        let client = try TestClient.client(over: transport) { $0.cookies = jar }
        let response = TransportResponse.json("1", headerFields: [.setCookie: "sid=ann"])
        _ = client.enqueue(Resource("x"), as: String.self)
        try await client.logOut().value
        transport.end(0, .success(response))
        #expect(jar.cookies.isEmpty)
        let next = client.enqueue(Resource("x"), as: String.self)
        transport.end(1, .success(response))
        _ = try await next.value
        #expect(jar.cookies.map(\.value) == ["ann"])
    }

    @Test func `who asks again once told that it is cancelled does so as nobody`() async throws {
        let (transport, jar) = (HeldTransport(), CookieJar())
        let client = try TestClient.client(over: transport) {
            $0.cookies = jar
            $0.interceptors = [AuthorizationInterceptor(.bearer("ann"))]
        }
        let first = client.enqueue(Resource("x"), as: String.self)
        transport.end(0, .success(.json("1", headerFields: [.setCookie: "sid=ann"])))
        _ = try await first.value
        let again = Seen<Promise<String>>()
        client.observeRequests(for: again) { [weak client] again, event in
            guard case .cancelled = event.kind, let client else { return }
            again.note(client.enqueue(Resource("again"), as: String.self))
        }
        _ = client.enqueue(Resource("x"), as: String.self)
        try await client.logOut().value
        let fields = transport.requests.map(\.head.headerFields)
        #expect(fields.map { $0[.cookie] } == [nil, "sid=ann", nil])
        #expect(fields.map { $0[.authorization] } == ["Bearer ann", "Bearer ann", nil])
        // It is of the session that has begun.
        transport.end(2, .success(.json("2")))
        #expect(try await again.values.first?.value == "2")
    }

    @Test func `what is refreshed meanwhile brings no cookie back`() async throws {
        let (transport, jar) = (HeldTransport(cancelsAtOnce: false), CookieJar())
        let client = try TestClient.client(over: transport) {
            ($0.cookies, $0.cache) = (jar, .inMemory())
        }
        let fields: HTTPFields = [.cacheControl: "max-age=0, stale-while-revalidate=600"]
        let first = client.enqueue(Resource("x"), as: String.self)
        transport.end(0, .success(.json("1", headerFields: fields)))
        _ = try await first.value
        #expect(try await client.enqueue(Resource("x"), as: String.self).value == "1")
        while transport.requests.count < 2 { await Task.yield() }
        try await client.logOut().value
        transport.end(1, .success(.json("1", headerFields: [.setCookie: "sid=ann"])))
        #expect(jar.cookies.isEmpty)
    }

    @Test func `content that is still encoded is of the session that has ended`() async throws {
        let (transport, gate) = (HeldTransport(), Gate())
        let client = try TestClient.client(over: transport) { $0.tracksRequests = false }
        let body = RequestBody(contentType: nil) {
            try gate.block()
            return Data("{}".utf8)
        }
        let promise = client.enqueue(AdHocEndpoint(.post, "x", body: body), as: [User].self)
        try await client.logOut().value
        gate.open()
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.reason == .loggedOut)
        #expect(transport.requests.isEmpty)
    }

    @Test func `what is in flight is cancelled`() async throws {
        let transport = HeldTransport()
        let client = try TestClient.client(over: transport)
        let promise = client.enqueue(Resource("x"), as: [User].self)
        #expect(transport.open == [0])
        try await client.logOut().value
        await #expect(throws: CancellationError.self) { try await promise.value }
        #expect(transport.cancelled == [0])
        #expect(try client.store.count(User.all) == 0)
    }

    @Test func `what was answered by the store before its response came writes nothing`()
        async throws
    {
        let transport = HeldTransport { transport, number in
            if number == 0 { transport.end(0, .success(.json(Self.users))) }
        }
        let setting = try FetchSetting(.networkFirst(within: .seconds(3)), over: transport)
        _ = try await setting.client.enqueue(Resource("x"), as: [User].self).value
        let promise = setting.client.enqueue(Resource("x"), as: [User].self)
        await setting.timer.sleepers(atLeast: 1)
        setting.timer.advance(by: .seconds(3))
        _ = try await promise.value
        while transport.requests.count < 2 { await Task.yield() }
        try await setting.client.logOut().value
        transport.end(1, .success(.json(Self.users)))
        // Behind it in the line.
        let later = setting.client.enqueue(Resource("y"), as: [Tag].self)
        while transport.requests.count < 3 { await Task.yield() }
        transport.end(2, .success(.json(#"[{"name": "t"}]"#)))
        _ = try await later.value
        #expect(try setting.store.count(User.all) == 0)
    }

    @Test func `what can't be untracked is refused all the same`() async throws {
        let transport = HeldTransport()
        let client = try TestClient.client(over: transport) { $0.tracksRequests = false }
        let promise = client.enqueue(Resource("x"), as: [User].self)
        try await client.logOut().value
        transport.end(0, .success(.json(Self.users)))
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.reason == .loggedOut)
        #expect(try client.store.count(User.all) == 0)
        let next = client.enqueue(Resource("x"), as: [User].self)
        transport.end(1, .success(.json(Self.users)))
        #expect(try await next.value.count == 1)
    }

    @Test func `where what stays can't be without what goes, all stays`() async throws {
        let client = try TestClient.client(answering: "[]")
        try client.store.import(
            [Article].self,
            from: #"[{"id": 1, "title": "t", "author": {"id": 1, "login": "ann"}, "tags": []}]"#)
        await #expect(throws: WritingError.self) {
            try await client.logOut(keeping: [Article.self]).value
        }
        #expect(try client.store.count(User.all) == 1)
        try await client.logOut().value
        #expect(try client.store.count(User.all) == 0 && client.store.count(Article.all) == 0)
    }

    @Test func `however long another one writes, all goes once that has ended`() async throws {
        let setting = try Self.setting(busyTimeout: .zero)
        let store = setting.store
        try store.save(User(id: 1, login: "ann"))
        let logOut = try await store.whileItIsHeld {
            let logOut = setting.client.logOut()
            for _ in 0..<10_000 where logOut.isPending { await Task.yield() }
            #expect(logOut.isPending)
            return logOut
        }
        try await logOut.value
        #expect(try store.count(User.all) == 0)
    }

    private static func setting(busyTimeout: Duration) throws -> FetchSetting {
        var configuration = Store.Configuration()
        configuration.busyTimeout = busyTimeout
        return try FetchSetting(
            in: .inMemory(
                entities: User.self, Article.self, Tag.self, configuration: configuration))
    }

    @Test func `in a transaction all goes once that has ended`() async throws {
        let setting = try Self.setting(busyTimeout: .seconds(600))
        let logOut = try await setting.store.write { context in
            try context.save(User(id: 1, login: "ann"))
            return setting.client.logOut()
        }
        try await logOut.value
        #expect(try setting.store.count(User.all) == 0)
    }

    @Test func `a transaction that waits for it waits in vain, and not for ever`() async throws {
        let setting = try Self.setting(busyTimeout: .milliseconds(1))
        let calls: [@Sendable () -> Promise<Void>] = [
            { setting.client.logOut() }, { setting.client.invalidate(Resource("x")) },
        ]
        for call in calls {
            let promise = try await setting.store.write { _ in
                let promise = call()
                // As who waits for it does.
                let end = ContinuousClock.now + .seconds(20)
                while promise.isPending, ContinuousClock.now < end { sched_yield() }
                return promise
            }
            let error = await #expect(throws: StoreError.self) { try await promise.value }
            #expect(error?.reason == .reentrant)
        }
    }

    // MARK: Behind it

    @Test func `what is asked for behind it in a transaction stays`() async throws {
        let transport = HeldTransport()
        let client = try TestClient.client(over: transport)
        let (end, next) = try await client.store.write { _ in
            let end = client.logOut()
            let next = client.enqueue(Resource("x"), as: [User].self)
            transport.end(0, .success(.json(Self.users)))
            return (end, next)
        }
        #expect(try await next.value.count == 1)
        try await end.value
        #expect(try client.store.count(User.all) == 1)
    }

    @Test func `where it fails, nothing of before answers all the same, but what comes then does`()
        async throws
    {
        let setting = try FetchSetting(.storeFirst)
        setting.server["/x"] =
            #"[{"id": 1, "title": "t", "author": {"id": 1, "login": "ann"}, "tags": []}]"#
        func ask(_ policy: FetchPolicy = .storeFirst) async throws -> ResponseSource {
            try await setting.client.fetching(policy)
                .enqueue(Resource("x"), as: Response<[Article]>.self).value.source
        }
        _ = try await ask()
        let told = Seen<Void>()
        _ = setting.client.kept.observers.add { told.note(()) }
        await #expect(throws: WritingError.self) {
            try await setting.client.logOut(keeping: [Article.self]).value
        }
        // Who observes what is known hears that it is nobody's.
        #expect(told.count == 1)
        setting.server.fail()
        await #expect(throws: ClientError.self) { try await ask() }
        setting.server.fail(nil)
        #expect(try await ask() == .network)
        #expect(try await ask(.storeOnly) == .store)
        #expect(try await setting.client.freshness(of: Resource("x")).value != nil)
    }

    /// As another process has the file for longer than the store waits, twice.
    @Test(arguments: [false, true])
    func `what it could not take out of the file goes by the next log-in, or as somebody asks`(
        _ isAsked: Bool
    ) async throws {
        let file = try TemporaryFile(named: "place", Data())
        defer { withExtendedLifetime(file) {} }
        let path = file.url.deletingLastPathComponent().appending(path: "store.sqlite").path
        func store(_ busyTimeout: Duration) throws -> Store {
            var configuration = Store.Configuration()
            configuration.busyTimeout = busyTimeout
            return try Store(
                at: path, entities: User.self, Article.self, Tag.self, configuration: configuration)
        }
        let (first, second) = (try store(.milliseconds(10)), try store(.seconds(60)))
        let lines = Heard()
        let authorization = AuthorizationInterceptor(.bearer("ann"))
        // What an account has is of no session of the interceptor's.
        let setting = try FetchSetting(in: first) {
            ($0.account, $0.interceptors) = ("ann", [authorization])
            $0.logger = LineHandler.logger(lines, level: .warning)
        }
        setting.server["/x"] = Self.users
        func ask(_ policy: FetchPolicy) async throws -> ResponseSource {
            try await setting.client.fetching(policy)
                .enqueue(Resource("x"), as: Response<[User]>.self).value.source
        }
        _ = try await ask(.networkFirst())
        let told = Seen<Void>()
        _ = setting.client.kept.observers.add { told.note(()) }
        try await second.whileItIsHeld {
            let error = await #expect(throws: StoreError.self) {
                try await setting.client.logOut().value
            }
            #expect(error?.reason == .busy)
        }
        #expect(lines.texts.count == 1 && told.count == 1)
        #expect(lines.texts.allSatisfy { $0.hasPrefix("warning") })
        if isAsked {
            await #expect(throws: ClientError.self) { try await ask(.storeOnly) }
        } else {
            // Asked, another client removes what is of sessions, and no more.
            let other = Self.client(first, as: "bob").fetching(.storeOnly)
            await #expect(throws: ClientError.self) {
                try await other.enqueue(Resource("x"), as: [User].self).value
            }
            try await first.write { _ in }
            authorization.logIn(.bearer("bob"))
        }
        // Behind that.
        try await first.write { _ in }
        let rows = try first.readBeside { tables in
            try tables.rows("SELECT 1 FROM \"\(KeptResponses.table)\"")
        }
        #expect(rows.isEmpty)
        #expect(try await ask(.networkFirst()) == .network)
        #expect(try await ask(.storeOnly) == .store)
        #expect(lines.texts.count == 1)
    }

    @Test func `what the store has answered follows no redirect behind it`() async throws {
        let transport = HeldTransport { transport, number in
            if number == 0 { transport.end(0, .success(.json(Self.users))) }
        }
        let jar = CookieJar()
        let setting = try FetchSetting(.networkFirst(within: .seconds(3)), over: transport) {
            $0.cookies = jar
        }
        _ = try await setting.client.enqueue(Resource("x"), as: [User].self).value
        let promise = setting.client.enqueue(Resource("x"), as: [User].self)
        await setting.timer.sleepers(atLeast: 1)
        setting.timer.advance(by: .seconds(3))
        _ = try await promise.value
        while transport.requests.count < 2 { await Task.yield() }
        try await setting.client.logOut().value
        var fields: HTTPFields = [.location: "/y"]
        fields[.setCookie] = "sid=ann"
        transport.end(
            1,
            .success(
                TransportResponse(head: HTTPResponse(status: .found, headerFields: fields))))
        #expect(transport.requests.count == 2)
        #expect(jar.cookies.isEmpty)
    }

    @Test func `who asks in the next session does not join who asked in this one`() async throws {
        let transport = HeldTransport()
        let client = try TestClient.client(over: transport) {
            ($0.coalescing, $0.tracksRequests) = (.joining, false)
        }
        let first = client.enqueue(Resource("x"), as: [User].self)
        try await client.logOut().value
        let second = client.enqueue(Resource("x"), as: [User].self)
        #expect(transport.requests.count == 2)
        transport.end(0, .success(.json(Self.users)))
        transport.end(1, .success(.json(#"[{"id": 2, "login": "bob"}]"#)))
        await #expect(throws: ClientError.self) { try await first.value }
        #expect(try await second.value.map(\.login) == ["bob"])
        #expect(try client.store.select(User.all) { $0.login } == ["bob"])
    }

    @Test func `one that had failed hinders nobody once another has come to its end`() async throws
    {
        let setting = try FetchSetting(.storeFirst)
        setting.server["/x"] = Self.users
        func ask() async throws {
            _ = try await setting.client.enqueue(Resource("x"), as: [User].self).value
        }
        try await ask()
        try setting.store.writeBeside {
            _ = try $0.run(
                "CREATE TRIGGER \"full\" BEFORE DELETE ON \"\(SideTables.prefix)kept\""
                    + " BEGIN SELECT RAISE(FAIL, 'no room'); END")
        }
        await #expect(throws: (any Error).self) { try await setting.client.logOut().value }
        try setting.store.writeBeside { _ = try $0.run("DROP TRIGGER \"full\"") }
        try await setting.client.logOut().value
        for _ in 0..<2 { try await ask() }
        #expect(setting.server.answers == [200, 200])
    }

    @Test func `what one could not remove answers nobody who opens the file anew`() async throws {
        let file = try ReopenedFile()
        try await file.open { store in
            let setting = try FetchSetting(in: store, .storeFirst)
            setting.server["/x"] = Self.users
            _ = try await setting.client.enqueue(Resource("x"), as: [User].self).value
            try store.writeBeside {
                _ = try $0.run(
                    "CREATE TRIGGER \"full\" BEFORE DELETE ON \"\(SideTables.prefix)kept\""
                        + " BEGIN SELECT RAISE(FAIL, 'no room'); END")
            }
            await #expect(throws: (any Error).self) { try await setting.client.logOut().value }
        }
        try await file.open { store in
            let setting = try FetchSetting(in: store, .storeFirst)
            setting.server["/x"] = Self.users
            #expect(try await setting.client.freshness(of: Resource("x")).value == nil)
            try store.writeBeside { _ = try $0.run("DROP TRIGGER \"full\"") }
            for source in [ResponseSource.network, .store] {
                let response: Response<[User]> = try await setting.client
                    .enqueue(Resource("x")).value
                #expect(response.source == source)
            }
        }
    }
}
