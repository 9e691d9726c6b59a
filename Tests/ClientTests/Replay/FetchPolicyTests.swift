import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Logging
import Testing

@testable import LarderClient

/// Who answers: the server, or the store.
@Suite struct FetchPolicyTests {
    private static let both = #"[{"id": 2, "login": "bob"}, {"id": 1, "login": "ann"}]"#

    private static func logins(
        _ setting: FetchSetting, by policy: FetchPolicy = .clientDefault
    ) async throws -> (logins: [String], source: ResponseSource) {
        let response = try await setting.client.fetching(policy)
            .enqueue(Resource("users"), as: Response<[User]>.self).value
        return (response.value.map(\.login), response.source)
    }

    private static func setting(_ policy: FetchPolicy) async throws -> FetchSetting {
        let setting = try FetchSetting(policy)
        setting.server["/users"] = both
        _ = try await logins(setting)
        return setting
    }

    @Test func `where the server is away, the store answers with the objects as they are`()
        async throws
    {
        let setting = try await Self.setting(.networkFirst())
        setting.server.fail()
        try setting.store.save(User(id: 1, login: "Ann"))
        let found = try await Self.logins(setting)
        #expect(found.logins == ["bob", "Ann"])
        #expect(found.source == .store)
    }

    @Test(arguments: [500, 502, 503, 504])
    func `so it does where the server is in no state to answer`(_ status: Int) async throws {
        let setting = try await Self.setting(.networkFirst())
        setting.server.refuse(.init(code: status))
        #expect(try await Self.logins(setting).source == .store)
    }

    @Test(arguments: [
        TransportError.Reason.secureConnectionFailed, .malformedResponse, .limitExceeded,
        .unsupportedContentEncoding,
    ])
    func `a server that is there and can't be trusted, or read, is an error`(
        _ reason: TransportError.Reason
    ) async throws {
        let setting = try await Self.setting(.networkFirst())
        setting.server.fail(TransportError(reason, "It is there."))
        let error = await #expect(throws: ClientError.self) { try await Self.logins(setting) }
        #expect((error?.underlying as? TransportError)?.reason == reason)
    }

    @Test(arguments: [400, 401, 403, 404, 410, 429, 501])
    func `what the server refuses is refused`(_ status: Int) async throws {
        let setting = try await Self.setting(.networkFirst())
        setting.server.refuse(.init(code: status))
        let error = await #expect(throws: ClientError.self) { try await Self.logins(setting) }
        #expect(error?.status?.code == status)
    }

    @Test func `what the server says is not there is not kept any more`() async throws {
        let setting = try await Self.setting(.networkFirst())
        setting.server.refuse(.notFound)
        await #expect(throws: ClientError.self) { try await Self.logins(setting) }
        setting.server.fail()
        let error = await #expect(throws: ClientError.self) { try await Self.logins(setting) }
        #expect(error?.reason == .transport)
    }

    @Test func `a page that a gateway has for it says nothing of what is kept`() async throws {
        let setting = try await Self.setting(.networkFirst())
        let page = TransportResponse(
            head: HTTPResponse(status: .notFound, headerFields: [.contentType: "text/html"]),
            body: Data("<p>Log in.</p>".utf8))
        setting.server.refuse(.notFound, by: page)
        await #expect(throws: ClientError.self) { try await Self.logins(setting) }
        setting.server.fail()
        #expect(try await Self.logins(setting).source == .store)
    }

    @Test func `nor does what another request is refused by, such as one for a credential`()
        async throws
    {
        let tokens = try TestClient.client(over: StubTransport(.json("{}", status: .notFound)))
        let authorization = AuthorizationInterceptor(.bearer("a")) { _ in
            tokens.enqueue(.get("token"), as: String.self).map { .bearer($0) }
        }
        let setting = try FetchSetting(.networkFirst()) { $0.interceptors = [authorization] }
        setting.server["/users"] = Self.both
        _ = try await Self.logins(setting)
        setting.server.refuse(.unauthorized)
        let error = await #expect(throws: ClientError.self) { try await Self.logins(setting) }
        #expect(error?.status == .notFound)
        setting.server.fail()
        #expect(try await Self.logins(setting).source == .store)
    }

    @Test(arguments: [FetchPolicy.storeFirst, .networkFirst(), .fresh(for: .seconds(60))])
    func `what came by a credential goes with its session, and to nobody else`(
        _ policy: FetchPolicy
    ) async throws {
        let authorization = AuthorizationInterceptor(.bearer("ann"))
        let setting = try FetchSetting(policy) { $0.interceptors = [authorization] }
        let shared = AdHocEndpoint.get("shared").setting(\.needsAuthorization, to: false)
        setting.server["/users"] = Self.both
        setting.server["/shared"] = "[]"
        _ = try await Self.logins(setting)
        _ = try await setting.client.enqueue(shared, as: [User].self).value
        authorization.logOut()
        authorization.logIn(.bearer("bob"))
        setting.server.fail()
        await #expect(throws: ClientError.self) { try await Self.logins(setting) }
        let error = await #expect(throws: ClientError.self) {
            try await Self.logins(setting, by: .storeOnly)
        }
        #expect(error?.reason == .notCached)
        #expect(try await setting.client.freshness(of: Resource("users")).value == nil)
        _ = try await setting.client.fetching(.storeOnly).enqueue(shared, as: [User].self).value
        // What comes in this session stays, once that has gone.
        while setting.client.kept.isClearing(ofSession: true) { await Task.yield() }
        setting.server.fail(nil)
        #expect(try await Self.logins(setting).source == .network)
        setting.server.fail()
        #expect(try await Self.logins(setting).source == .store)
        #expect(setting.server.answers == [200, 200, 200])
    }

    @Test(arguments: [nil, "ann"])
    func `where cookies alone say who somebody is, the log says once that an account has to`(
        _ account: String?
    ) async throws {
        let (lines, jar) = (Seen<String>(), CookieJar())
        let setting = try FetchSetting(.storeFirst) {
            ($0.cookies, $0.account) = (jar, account)
            $0.logger = LineHandler.logger(lines, level: .warning)
        }
        setting.server["/users"] = Self.both
        _ = try await Self.logins(setting)
        #expect(lines.values.isEmpty)
        jar.set("sid=ann", from: try #require(setting.client.baseURL))
        for _ in 1...2 { _ = try await Self.logins(setting) }
        #expect(lines.values.count == (account == nil ? 1 : 0))
        #expect(lines.values.allSatisfy { $0.contains("account") && !$0.contains("sid") })
    }

    @Test func `nobody is warned of cookies beside what says itself who somebody is`()
        async throws
    {
        struct Own: Endpoint {
            let path = "users"
            let headerFields: HTTPFields = [.authorization: "Bearer ann"]
        }
        let (lines, jar) = (Seen<String>(), CookieJar())
        let setting = try FetchSetting(.storeFirst) {
            ($0.cookies, $0.logger) = (jar, LineHandler.logger(lines, level: .warning))
        }
        setting.server["/users"] = Self.both
        jar.set("lb=1", from: try #require(setting.client.baseURL))
        _ = try await setting.client.enqueue(Own(), as: [User].self).value
        #expect(lines.values.isEmpty)
    }

    /// A process that ends before would start as nobody, or somebody else, and be answered by it.
    @Test(arguments: [nil, Credential.bearer("bob")])
    func `of a session's end is told once what was kept of it has gone`(_ next: Credential?)
        async throws
    {
        let told = Seen<Credential?>()
        let authorization = AuthorizationInterceptor(
            .bearer("ann"), onChange: { told.note($0) },
            refreshing: { (_: Credential) -> Promise<Credential> in .fulfilled(.bearer("")) })
        let setting = try FetchSetting(.storeFirst) { $0.interceptors = [authorization] }
        setting.server["/users"] = Self.both
        _ = try await Self.logins(setting)
        try await setting.store.whileItIsHeld {
            if let next { authorization.logIn(next) } else { authorization.logOut() }
            #expect(authorization.credential == next)
            #expect(told.values.isEmpty)
        }
        while told.count == 0 { await Task.yield() }
        #expect(told.values == [next])
        #expect(!setting.client.kept.isClearing(ofSession: true))
    }

    @Test(arguments: [false, true])
    func `so it goes where no client is there as the session ends`(
        _ isBegunAnew: Bool
    ) async throws {
        let store = try TestClient.store()
        func source(by authorization: AuthorizationInterceptor) async throws -> ResponseSource {
            let setting = try FetchSetting(in: store, .storeFirst) {
                $0.interceptors = [authorization]
            }
            setting.server["/users"] = Self.both
            return try await Self.logins(setting).source
        }
        let first = AuthorizationInterceptor(.bearer("ann"))
        #expect(try await source(by: first) == .network)
        #expect(try await source(by: first) == .store)
        let authorization = isBegunAnew ? AuthorizationInterceptor(.bearer("ann")) : first
        authorization.logOut()
        authorization.logIn(.bearer("bob"))
        #expect(try await source(by: authorization) == .network)
    }

    @Test(arguments: [nil, Duration.seconds(1)])
    func `who has begun before somebody else is not answered by what is that one's`(
        _ deadline: Duration?
    ) async throws {
        let held = HeldTransport()
        let authorization = AuthorizationInterceptor(.bearer("ann"))
        let setting = try FetchSetting(.networkFirst(within: deadline), over: held) {
            $0.interceptors = [authorization]
        }
        let late = setting.client.enqueue(Resource("users"), as: [User].self)
        while held.open.isEmpty { await Task.yield() }
        authorization.logIn(.bearer("bob"))
        while setting.client.kept.isClearing(ofSession: true) { await Task.yield() }
        held.end(1, .success(.json(Self.both)))
        #expect(try await Self.logins(setting).source == .network)
        if let deadline {
            await setting.timer.sleepers(atLeast: 1)
            setting.timer.advance(by: deadline)
        }
        held.end(0, .success(.json("{}", status: .serviceUnavailable)))
        let error = await #expect(throws: ClientError.self) { try await late.value }
        #expect(error?.status == .serviceUnavailable)
        #expect(try await Self.logins(setting, by: .storeOnly).source == .store)
    }

    @Test func `what comes late is not kept for whoever has logged in since`() async throws {
        let held = HeldTransport()
        let authorization = AuthorizationInterceptor(.bearer("ann"))
        let setting = try FetchSetting(over: held) { $0.interceptors = [authorization] }
        let late = setting.client.enqueue(Resource("users"), as: [User].self)
        while held.open.isEmpty { await Task.yield() }
        authorization.logIn(.bearer("bob"))
        held.end(0, .success(.json(Self.both)))
        #expect(try await late.value.count == 2)
        let error = await #expect(throws: ClientError.self) {
            try await Self.logins(setting, by: .storeOnly)
        }
        #expect(error?.reason == .notCached)
    }

    @Test(arguments: [0, 1])
    func `what is asked for right behind a log-in is kept, and good, however busy the store is`(
        _ otherCount: Int
    ) async throws {
        let authorization = AuthorizationInterceptor(.bearer("ann"))
        let setting = try FetchSetting { $0.interceptors = [authorization] }
        // What goes does so once, however many clients know of it.
        let others = try (0..<otherCount).map { _ in
            try FetchSetting(in: setting.store) { $0.interceptors = [authorization] }
        }
        setting.server["/users"] = Self.both
        _ = try await Self.logins(setting)
        let (left, next) = try await setting.store.whileItIsHeld {
            authorization.logIn(.bearer("bob"))
            // Whatever is written next finds it gone.
            let left = setting.store.promise.write { context in
                try context.sideTables.rows("SELECT 1 FROM \"\(KeptResponses.table)\"").count
            }
            return (left, setting.client.enqueue(Resource("users"), as: [User].self))
        }
        #expect(try await left.value == 0)
        _ = try await next.value
        #expect(try await Self.logins(setting, by: .storeOnly).source == .store)
        let known = try await setting.client.freshness(of: Resource("users")).value
        #expect(known?.isInvalid == false)
        withExtendedLifetime(others) {}
    }

    @Test func `the first response to an endpoint with its own interceptor is good`() async throws {
        let authorization = AuthorizationInterceptor(.bearer("ann"))
        authorization.logIn(.bearer("bob"))
        let setting = try FetchSetting()
        setting.server["/users"] = Self.both
        let users = AdHocEndpoint.get("users").setting(\.interceptors, to: [authorization])
        _ = try await setting.client.enqueue(users, as: [User].self).value
        let known = try await setting.client.freshness(of: users).value
        #expect(known?.isInvalid == false)
    }

    /// As another process has the file for longer than the store waits.
    @Test(arguments: [false, true])
    func `what could not go with a session goes by the next log-in, or as somebody asks`(
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
        let (told, lines) = (Seen<Credential?>(), Seen<String>())
        let authorization = AuthorizationInterceptor(
            .bearer("ann"), onChange: { told.note($0) },
            refreshing: { (_: Credential) -> Promise<Credential> in .fulfilled(.bearer("")) })
        let setting = try FetchSetting(in: first) {
            $0.interceptors = [authorization]
            $0.logger = LineHandler.logger(lines, level: .warning)
        }
        setting.server["/users"] = Self.both
        _ = try await Self.logins(setting)
        try await second.whileItIsHeld {
            if isAsked { authorization.logIn(.bearer("bob")) } else { authorization.logOut() }
            while told.count == 0 { await Task.yield() }
        }
        #expect(lines.values.count == 1)
        if isAsked {
            await #expect(throws: ClientError.self) {
                try await Self.logins(setting, by: .storeOnly)
            }
        } else {
            authorization.logIn(.bearer("bob"))
        }
        // Behind that, the next process is begun by whoever is logged in.
        try await first.write { _ in }
        let next = try FetchSetting(in: second) {
            $0.interceptors = [AuthorizationInterceptor(.bearer("bob"))]
        }
        let error = await #expect(throws: ClientError.self) {
            try await Self.logins(next, by: .storeOnly)
        }
        #expect(error?.reason == .notCached)
    }

    @Test func `an account's answers outlive the sessions of its credentials`() async throws {
        let authorization = AuthorizationInterceptor(.bearer("ann"))
        let setting = try FetchSetting(.storeFirst) {
            ($0.interceptors, $0.account) = ([authorization], "ann")
        }
        setting.server["/users"] = Self.both
        _ = try await Self.logins(setting)
        authorization.logIn(.bearer("ann again"))
        #expect(try await Self.logins(setting).source == .store)
    }

    @Test func `where nothing is kept, the error is the server's`() async throws {
        let setting = try FetchSetting(.networkFirst())
        setting.server.fail()
        let error = await #expect(throws: ClientError.self) { try await Self.logins(setting) }
        #expect(error?.reason == .transport)
        #expect((error?.underlying as? TransportError)?.reason == .cannotConnect)
    }

    @Test func `by networkOnly the store does not answer, but can later`() async throws {
        let setting = try await Self.setting(.networkFirst())
        setting.server["/users"] = #"[{"id": 3, "login": "cai"}]"#
        #expect(try await Self.logins(setting, by: .networkOnly).source == .network)
        setting.server.fail()
        await #expect(throws: ClientError.self) {
            try await Self.logins(setting, by: .networkOnly)
        }
        #expect(try await Self.logins(setting).logins == ["cai"])
    }

    @Test func `by storeFirst the server is asked where nothing is kept, or it is not good`()
        async throws
    {
        let setting = try await Self.setting(.storeFirst)
        #expect(try await Self.logins(setting).source == .store)
        #expect(setting.server.answers == [200])
        try await setting.client.invalidate(Resource("users")).value
        #expect(try await Self.logins(setting).source == .revalidated)
        #expect(try await Self.logins(setting).source == .store)
        try await setting.client.invalidate(Resource("users")).value
        setting.server.fail()
        #expect(try await Self.logins(setting).source == .store)
    }

    @Test func `by storeOnly nobody is asked`() async throws {
        let setting = try await Self.setting(.networkFirst())
        #expect(try await Self.logins(setting, by: .storeOnly).logins == ["bob", "ann"])
        #expect(setting.server.answers == [200])
        let error = await #expect(throws: ClientError.self) {
            try await setting.client.fetching(.storeOnly)
                .enqueue(Resource("others"), as: [User].self).value
        }
        #expect(error?.reason == .notCached && error?.url == "http://test.invalid/others")
        #expect(setting.server.answers == [200])
    }

    @Test func `by storeOnly nobody is asked for what the store can't answer either`()
        async throws
    {
        let setting = try await Self.setting(.networkFirst())
        let client = setting.client.fetching(.storeOnly)
        let attempts: [@Sendable () async throws -> Void] = [
            { _ = try await client.enqueue(.post("users"), as: [User].self).value },
            { _ = try await client.enqueue(Resource("users"), as: String.self).value },
            {
                let part = AdHocEndpoint.get("users", headerFields: [.range: "bytes=0-1"])
                _ = try await client.enqueue(part, as: [User].self).value
            },
            {
                let whole = AdHocEndpoint.get("users")
                    .setting(\.completeness, to: .whole(User.all))
                _ = try await client.pull(whole, as: [User].self).value
            },
        ]
        for attempt in attempts {
            let error = await #expect(throws: ClientError.self) { try await attempt() }
            #expect(error?.reason == .notCached && error?.url == "http://test.invalid/users")
        }
        #expect(setting.server.answers == [200])
    }

    @Test func `an endpoint's own storeOnly is that of its pages, too`() async throws {
        struct Users: Endpoint {
            let path = "users"
            var fetchPolicy: FetchPolicy { .storeOnly }
        }
        let setting = try await Self.setting(.networkFirst())
        let report = try await setting.client.pull(Users(), as: [User].self).value
        #expect(report.pageCount == 1 && setting.server.answers == [200])
    }

    @Test func `by storeOnly a walk says that walks keep nothing to answer by`() async throws {
        let setting = try await Self.setting(.networkFirst())
        setting.server["/others"] = Self.both
        _ = try await setting.client.pull(Resource("others"), as: [User].self).value
        let answers = setting.server.answers
        let error = await #expect(throws: ClientError.self) {
            try await setting.client.fetching(.storeOnly)
                .pull(Resource("others"), as: [User].self).value
        }
        #expect(error?.reason == .notCached)
        #expect(error?.underlying as? PagingError == .nothingKept)
        #expect(try await setting.client.freshness(of: Resource("others")).value == nil)
        #expect(setting.server.answers == answers)
    }

    @Test(arguments: [TransportError.Reason.limitExceeded, .unsupportedContentEncoding])
    func `what has come and can't be taken is told, though the store could answer`(
        _ reason: TransportError.Reason
    ) async throws {
        let setting = try await Self.setting(.networkFirst())
        setting.server.fail(TransportError(reason, "It is too much."))
        let error = await #expect(throws: ClientError.self) { try await Self.logins(setting) }
        #expect((error?.underlying as? TransportError)?.reason == reason)
    }

    @Test func `by fresh the store answers for a time, by a clock that goes forward`()
        async throws
    {
        let setting = try await Self.setting(.fresh(for: .seconds(10)))
        setting.clock.pass(9)
        #expect(try await Self.logins(setting).source == .store)
        setting.clock.pass(1)
        #expect(try await Self.logins(setting).source == .revalidated)
        #expect(try await Self.logins(setting).source == .store)
        setting.clock.pass(-100)
        #expect(try await Self.logins(setting).source == .revalidated)
        setting.clock.pass(1_000)
        setting.server.fail()
        #expect(try await Self.logins(setting).source == .store)
    }

    @Test(arguments: [HTTPRequest.Method.get, .delete])
    func `what was asked for before a write is not fresh`(_ method: HTTPRequest.Method) async throws
    {
        let held = HeldTransport()
        let setting = try FetchSetting(.fresh(for: .seconds(1_000)), over: held)
        let late = setting.client.enqueue(Resource("users"), as: [User].self)
        while held.open.isEmpty { await Task.yield() }
        let other = setting.client.enqueue(AdHocEndpoint(method, "users/1"), as: Void.self)
        while held.open.count < 2 { await Task.yield() }
        held.end(1, .success(TransportResponse(head: HTTPResponse(status: .noContent))))
        _ = try await other.value
        held.end(0, .success(.json(Self.both)))
        #expect(try await late.value.count == 2)
        let known = try await setting.client.freshness(of: Resource("users")).value
        #expect(known?.isInvalid == (method == .delete))
        // What is asked for behind it is.
        let next = setting.client.fetching(.networkFirst())
            .enqueue(Resource("users"), as: [User].self)
        while held.open.isEmpty { await Task.yield() }
        held.end(2, .success(.json(Self.both)))
        _ = try await next.value
        #expect(try await Self.logins(setting).source == .store)
    }

    @Test func `a call's policy counts before the endpoint's, and that before the client's`()
        async throws
    {
        struct Users: Endpoint {
            let path = "users"
            var fetchPolicy: FetchPolicy { .storeFirst }
        }
        let setting = try FetchSetting(.networkOnly)
        setting.server["/users"] = Self.both
        for source in [ResponseSource.network, .store] {
            let response: Response<[User]> = try await setting.client.enqueue(Users()).value
            #expect(response.source == source)
        }
        let response: Response<[User]> = try await setting.client.fetching(.networkOnly)
            .enqueue(Users()).value
        #expect(response.source == .revalidated)
    }

    @Test(arguments: [FetchPolicy.clientDefault, .networkOnly, .none])
    func `where nobody asks for it nothing is kept`(_ policy: FetchPolicy) async throws {
        let setting = try await Self.setting(policy)
        let tables = try setting.store.readBeside {
            try $0.rows("SELECT name FROM sqlite_schema WHERE name LIKE '%kept%'")
        }
        #expect(tables.isEmpty)
    }

    @Test func `what changes something is asked of the server alone`() async throws {
        let setting = try FetchSetting(.storeFirst)
        setting.server["/users"] = Self.both
        for _ in 1...2 {
            let response: Response<[User]> = try await setting.client
                .enqueue(.post("users")).value
            #expect(response.source == .network)
        }
    }

    @Test func `first the store, then the server`() async throws {
        let setting = try await Self.setting(.networkFirst())
        setting.server["/users"] = #"[{"id": 3, "login": "cai"}]"#
        var seen: [String] = []
        let values = setting.client.storeThenNetwork { client in
            client.enqueue(Resource("users"), as: [User].self)
        }
        for try await (users, source) in values {
            seen.append("\(source): \(users.map(\.login).joined(separator: " "))")
        }
        #expect(seen == ["store: bob ann", "network: cai"])
    }

    @Test func `what the server says is not what a cache has`() async throws {
        let cache = ResponseCache.inMemory()
        let setting = try FetchSetting { $0.cache = cache }
        setting.server.send([.cacheControl: "max-age=60"])
        setting.server["/users"] = Self.both
        _ = try await Self.logins(setting)
        _ = try await cache.settled().value
        setting.server["/users"] = #"[{"id": 3, "login": "cai"}]"#
        let values = setting.client.storeThenNetwork { client in
            client.enqueue(Resource("users"), as: [User].self)
        }
        #expect(try await values.network.value.map(\.login) == ["cai"])
    }

    @Test func `what one account has fetched is not another's`() async throws {
        let store = try TestClient.store()
        let first = try FetchSetting(in: store, .storeFirst) { $0.account = "ann" }
        let second = try FetchSetting(in: store, .storeFirst) { $0.account = "bob" }
        for setting in [first, second] {
            setting.server["/users"] = Self.both
            #expect(try await Self.logins(setting).source == .network)
            #expect(try await Self.logins(setting).source == .store)
        }
    }

    @Test func `credentials tell accounts apart where nothing else does`() async throws {
        for (account, source) in [(nil, ResponseSource.network), ("ann", .store)] {
            let setting = try FetchSetting(.storeFirst) { $0.account = account }
            setting.server["/users"] = Self.both
            let (first, second) = (
                AdHocEndpoint.get("users", headerFields: [.authorization: "Bearer a"]),
                AdHocEndpoint.get("users", headerFields: [.authorization: "Bearer b"])
            )
            _ = try await setting.client.enqueue(first, as: [User].self).value
            let response: Response<[User]> = try await setting.client.enqueue(second).value
            #expect(response.source == source)
        }
    }

    @Test func `requests with other fields are others`() async throws {
        let setting = try FetchSetting(.storeFirst)
        setting.server["/users"] = Self.both
        for language in ["de", "en"] {
            for source in [ResponseSource.network, .store] {
                let response: Response<[User]> = try await setting.client
                    .enqueue(.get("users", headerFields: [.acceptLanguage: language])).value
                #expect(response.source == source)
            }
        }
    }

    @Test func `the next process answers from the file`() async throws {
        let store = try Store.temporary(entities: User.self, Article.self, Tag.self)
        let path = try #require(store.path)
        let first = try FetchSetting(in: store)
        first.server["/users"] = Self.both
        _ = try await Self.logins(first)
        let again = try Store(at: path, entities: User.self, Article.self, Tag.self)
        let second = try FetchSetting(in: again)
        second.server.fail()
        #expect(try await Self.logins(second).logins == ["bob", "ann"])
    }

    @Test func `within a transaction the store answers once that has ended`() async throws {
        for store in [
            try TestClient.store(),
            try Store.temporary(entities: User.self, Article.self, Tag.self),
        ] {
            let setting = try FetchSetting(in: store, .storeFirst)
            setting.server["/users"] = Self.both
            _ = try await Self.logins(setting)
            let promise = try await store.write { context in
                try context.save(User(id: 1, login: "Ann"))
                return setting.client.enqueue(Resource("users"), as: [User].self)
            }
            #expect(try await promise.value.map(\.login) == ["bob", "Ann"])
        }
    }
}
