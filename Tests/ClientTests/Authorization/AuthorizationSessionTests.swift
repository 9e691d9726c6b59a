import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// Log-ins and log-outs, providers, and requests that a refresh makes.
@Suite struct AuthorizationSessionTests {
    @Test func `logged out, requests go without and a 401 is the answer`() async throws {
        let setting = try Setting()
        setting.authorization.logOut()
        #expect(setting.authorization.credential == nil)
        let promise: Promise<Void> = setting.client.enqueue(Resource("x"))
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.reason == .unacceptableStatus && error?.status == .unauthorized)
        setting.authorization.logIn(.bearer("2"))
        try await setting.client.enqueue(Resource("x"), as: Void.self).value
        #expect(setting.tokens == [nil, "Bearer 2"] && setting.olds.count == 0)
        try await setting.kept(2)
        #expect(setting.changes.values == [nil, .bearer("2")])
    }

    @Test func `a store that is opened again answers by what the session has brought`()
        async throws
    {
        let file = try TemporaryFile(named: "place", Data())
        let path = file.url.deletingLastPathComponent().appending(path: "store.sqlite").path
        let authorization = AuthorizationInterceptor(.bearer("ann"))
        func client() throws -> Client {
            var configuration = Client.Configuration(
                transport: StubTransport(.json(#"[{"id": 1, "login": "ann"}]"#)),
                timeout: .seconds(600))
            configuration.interceptors = [authorization]
            configuration.fetchPolicy = .storeFirst
            return Client(
                baseURL: "http://test.invalid/",
                store: try Store(at: path, entities: User.self, Article.self, Tag.self),
                configuration: configuration)
        }
        func source(in client: Client) async throws -> ResponseSource {
            try await client.enqueue(Resource("x"), as: Response<[User]>.self).value.source
        }
        for (token, sources) in [
            ("bob", [ResponseSource.network, .store, .store]), ("eve", [.network]),
        ] {
            let first = try client()
            _ = try await source(in: first)
            if token == "eve" { try first.store.close() }
            authorization.logIn(.bearer(token))
            for expected in sources {
                let again = token == "eve" || expected == .store ? try client() : first
                while again.kept.isClearing(ofSession: true) { await Task.yield() }
                #expect(try await source(in: again) == expected)
                try again.store.close()
            }
        }
    }

    @Test func `what is gathered when somebody else logs in is not sent for them`() async throws {
        let transport = StubTransport(.json("{}"))
        let authorization = AuthorizationInterceptor(.bearer("ann"))
        let client = try TestClient.client(over: transport) { $0.interceptors = [authorization] }
        let (parts, source) = AsyncStream.makeStream(of: Data.self)
        let message = client.enqueue(.post("messages", body: .stream(parts)), as: Void.self)
        authorization.logIn(.bearer("bob"))
        source.yield(Data("hello".utf8))
        source.finish()
        let error = await #expect(throws: ClientError.self) { try await message.value }
        #expect(error?.reason == .loggedOut && transport.requests.isEmpty)
    }

    @Test(arguments: [nil, Credential.bearer("9")])
    func `a session that ends during a refresh keeps the late token out`(
        _ next: Credential?
    ) async throws {
        let setting = try Setting(refusals: 3)
        let promises = (0..<3).map { setting.client.enqueue(Resource("\($0)"), as: Void.self) }
        await setting.sendings(3)
        let (_, resolver) = try await setting.nextRefresh()
        setting.server.accept(2)
        if let next { setting.authorization.logIn(next) } else { setting.authorization.logOut() }
        for promise in promises {
            let error = await #expect(throws: ClientError.self) { try await promise.value }
            #expect(error?.reason == .loggedOut && error?.method == .get && error?.url != nil)
        }
        // On the thread that began it, if it was just about to be.
        while !resolver.isCancelled { await Task.yield() }
        resolver.fulfill(.bearer("2"))
        #expect(setting.authorization.credential == next)
        try await setting.kept(1)
        #expect(setting.changes.values == [next])
        #expect(setting.transport.requests.count == 3)
    }

    @Test(arguments: [nil, Credential.bearer("2")])
    func `what another session sent is not sent again for this one`(
        _ next: Credential?
    ) async throws {
        let late = Gate()
        let setting = try Setting(late: late)
        let promise: Promise<Void> = setting.client.enqueue(Resource("late"))
        await setting.sendings(1)
        if let next { setting.authorization.logIn(next) } else { setting.authorization.logOut() }
        late.open()
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.reason == .loggedOut && error?.status == .unauthorized)
        #expect(setting.tokens == ["Bearer 1"] && setting.olds.count == 0)
    }

    /// A setting whose requests are tried again after two seconds, and whose first one fails.
    private static func retrying(
        _ credential: Credential?, by clock: ManualClock
    ) throws -> Setting {
        let setting = try Setting(credential: credential) {
            $0.interceptors.insert(
                RetryInterceptor(backoff: .constant(.seconds(2)), clock: clock), at: 0)
        }
        setting.server.fail(next: 1)
        return setting
    }

    @Test(arguments: [nil, Credential.bearer("2")])
    func `what another session sent is not tried again for this one`(
        _ next: Credential?
    ) async throws {
        let clock = ManualClock()
        let setting = try Self.retrying(.bearer("1"), by: clock)
        let promise: Promise<Void> = setting.client.enqueue(Asked(method: .put))
        await clock.sleepers(atLeast: 1)
        if let next { setting.authorization.logIn(next) } else { setting.authorization.logOut() }
        clock.advance(by: .seconds(2))
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.reason == .loggedOut && error?.method == .put && error?.url != nil)
        #expect(setting.tokens == ["Bearer 1"])
    }

    @Test func `what nobody sent is tried again for who logs in`() async throws {
        let clock = ManualClock()
        let setting = try Self.retrying(nil, by: clock)
        let promise: Promise<Void> = setting.client.enqueue(Asked(method: .put))
        await clock.sleepers(atLeast: 1)
        setting.authorization.logIn(.bearer("2"))
        clock.advance(by: .seconds(2))
        try await promise.value
        #expect(setting.tokens == [nil, "Bearer 2"])
    }

    @Test func `a POST that has waited for a token in vain is tried again`() async throws {
        let setting = try Setting {
            $0.timeout = .seconds(5)
            $0.interceptors.insert(
                RetryInterceptor(attempts: 2, backoff: .none, clock: ManualClock()), at: 0)
        }
        let promise: Promise<Void> = setting.client.enqueue(Asked())
        let (_, resolver) = try await setting.nextRefresh()
        await setting.clock.sleepers(atLeast: 1)
        setting.clock.advance(by: .seconds(5))
        await setting.clock.sleepers(atLeast: 1)
        setting.server.accept(2)
        resolver.fulfill(.bearer("2"))
        try await promise.value
        #expect(setting.tokens == ["Bearer 1", "Bearer 2"])
    }

    @Test func `a new token is kept before who has waited for it is sent with it`() async throws {
        let order = Heard()
        let transport = StubTransport { request in
            let token = request.head.headerFields[.authorization] ?? ""
            order.note(token)
            return .json("[]", status: token == "Bearer 2" ? .ok : .unauthorized)
        }
        let client = try TestClient.client(over: transport) {
            $0.interceptors = [
                AuthorizationInterceptor(
                    .bearer("1"), onChange: { order.note("keeps \($0.map { "\($0)" } ?? "none")") },
                    refreshing: { _ in .fulfilled(.bearer("2")) })
            ]
        }
        try await client.enqueue(Resource("x"), as: Void.self).value
        #expect(order.texts == ["Bearer 1", "keeps Credential(Authorization: …)", "Bearer 2"])
    }

    @Test func `who logs out when told of a token is told of that next`() throws {
        let told = Seen<Credential?>()
        let own = Guarded<AuthorizationInterceptor?>(nil)
        let authorization = AuthorizationInterceptor(
            nil,
            onChange: { change in
                if change != nil { own.withLock { $0 }?.logOut() }
                told.note(change)
            }, refreshing: { _ in .bearer("") })
        own.withLock { $0 = authorization }
        authorization.logIn(.bearer("1"))
        #expect(told.values == [.bearer("1"), nil])
        #expect(authorization.credential == nil)
        own.withLock { $0 = nil }
    }

    // MARK: - Providers

    @Test func `a provider is asked once, before the first request`() async throws {
        let setting = try Setting(isProvided: true)
        let promises = (0..<3).map { setting.client.enqueue(Resource("\($0)"), as: Void.self) }
        try await setting.refresh(to: 2)
        for promise in promises { try await promise.value }
        #expect(
            setting.olds.values == [nil] && setting.tokens == Array(repeating: "Bearer 2", count: 3)
        )
        setting.server.accept(3)
        let promise: Promise<Void> = setting.client.enqueue(Resource("x"))
        try await setting.refresh(to: 3)
        try await promise.value
        #expect(setting.olds.values == [nil, .bearer("2")])
    }

    @Test func `a provider that has none is asked again by the next request`() async throws {
        struct None: Error {}
        let setting = try Setting(isProvided: true)
        let promise: Promise<Void> = setting.client.enqueue(Resource("x"))
        try await setting.nextRefresh().resolver.reject(None())
        await #expect(throws: None.self) { try await promise.value }
        #expect(setting.transport.requests.isEmpty)
        let next: Promise<Void> = setting.client.enqueue(Resource("x"))
        try await setting.refresh(to: 2)
        try await next.value
    }

    @Test func `async code provides, and what it throws is the requests' error`() async throws {
        struct None: Error {}
        let transport = StubTransport(.json("[]"))
        let client = try TestClient.client(over: transport) {
            $0.interceptors = [AuthorizationInterceptor { old in try Self.token(after: old) }]
        }
        try await client.enqueue(Resource("x"), as: Void.self).value
        #expect(transport.requests.map { $0.head.headerFields[.authorization] } == ["Bearer first"])
        let other = try TestClient.client(over: transport) {
            $0.interceptors = [
                AuthorizationInterceptor(provider: { _ async throws -> Credential in throw None() })
            ]
        }
        await #expect(throws: None.self) {
            try await other.enqueue(Resource("x"), as: Void.self).value
        }
    }

    @Sendable private static func token(after old: Credential?) throws -> Credential {
        .bearer(old == nil ? "first" : "next")
    }

    // MARK: - Requests of a refresh

    /// How a refresh asks the same client for its token.
    enum Way: CaseIterable {
        case plainly, withContent, inTask, behindRetries, inHandler
    }

    private struct Token: Decodable {
        var token: String
    }

    private struct TokenEndpoint: Endpoint {
        let path = "token"
        var method = HTTPRequest.Method.get
        var body: RequestBody?
        var needsAuthorization = true
    }

    /// A client that asks itself for tokens.
    private static func client(
        over transport: StubTransport, _ way: Way
    ) throws -> (Client, forget: @Sendable () -> Void) {
        let own = Shared<Client?>(nil)
        let authorization = AuthorizationInterceptor(.bearer("1")) { _ -> Promise<Credential> in
            guard let client = own.value else { return .rejected(CancellationError()) }
            @Sendable func token(_ endpoint: TokenEndpoint) -> Promise<Credential> {
                client.enqueue(endpoint, as: Token.self).then { .bearer($0.token) }
            }
            switch way {
            case .plainly, .behindRetries: return token(TokenEndpoint())
            case .withContent:
                return token(TokenEndpoint(method: .post, body: .json(["refresh": "r"])))
            case .inTask: return Promise { try await token(TokenEndpoint()).value }
            case .inHandler:
                return client.enqueue(TokenEndpoint(), as: Void.self).then {
                    token(TokenEndpoint(needsAuthorization: false))
                }
            }
        }
        let client = try TestClient.client(over: transport) {
            let retries = RetryInterceptor(
                backoff: .none, deadline: .seconds(600), clock: ManualClock())
            $0.interceptors = way == .behindRetries ? [retries, authorization] : [authorization]
        }
        own.value = client
        return (client, { own.value = nil })
    }

    @Test(arguments: Way.allCases)
    func `the refresh's own request goes round it`(_ way: Way) async throws {
        let isTried = Seen<Void>()
        let transport = StubTransport { request in
            let token = request.head.headerFields[.authorization]
            guard request.head.path == "/token" else {
                return .json("[]", status: token == "Bearer 2" ? .ok : .unauthorized)
            }
            isTried.note(())
            if way == .behindRetries, isTried.count == 1 {
                return .json("", status: .serviceUnavailable)
            }
            return .json(#"{"token": "2"}"#, status: token == nil ? .ok : .badRequest)
        }
        let (client, forget) = try Self.client(over: transport, way)
        for endpoint in ["a", "b"] {
            try await client.enqueue(Resource(endpoint), as: Void.self).value
        }
        let isTwice = way == .behindRetries || way == .inHandler
        #expect(
            transport.requests.map(\.head.path)
                == ["/a", "/token"] + (isTwice ? ["/token"] : []) + ["/a", "/b"])
        forget()
    }

    @Test(arguments: Way.allCases)
    func `its refusal is the refresh's failure, and ends there`(_ way: Way) async throws {
        let transport = StubTransport { _ in .json("", status: .unauthorized) }
        let (client, forget) = try Self.client(over: transport, way)
        let promise: Promise<Void> = client.enqueue(Resource("a"))
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.url == "http://test.invalid/token")
        #expect(transport.requests.map(\.head.path) == ["/a", "/token"])
        forget()
    }

    @Test func `a request that nobody can know to be its own ends it by its timeout`() async throws
    {
        let clock = ManualClock()
        let own = Shared<Client?>(nil)
        let transport = StubTransport { request in
            .json(#"{"token": "2"}"#, status: request.head.path == "/token" ? .ok : .unauthorized)
        }
        let client = try TestClient.client(over: transport) {
            $0.timeout = .seconds(5)
            $0.interceptors = [
                AuthorizationInterceptor(.bearer("1"), clock: clock) { _ -> Promise<Credential> in
                    guard let client = own.value else { return .rejected(CancellationError()) }
                    return Promise.fulfilled().then {
                        client.enqueue(TokenEndpoint(), as: Token.self).then { .bearer($0.token) }
                    }
                }
            ]
        }
        own.value = client
        let promise: Promise<Void> = client.enqueue(Resource("a"))
        await clock.sleepers(atLeast: 2)
        clock.advance(by: .seconds(5))
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect((error?.underlying as? TransportError)?.reason == .timedOut)
        #expect(transport.requests.map(\.head.path) == ["/a"])
        own.value = nil
    }
}

/// A value that closures share.
private final class Shared<Value: Sendable>: Sendable {
    private let state: Guarded<Value>

    init(_ value: Value) { state = Guarded(value) }

    var value: Value {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
