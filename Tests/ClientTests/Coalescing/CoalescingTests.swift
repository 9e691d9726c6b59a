import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

@Suite struct CoalescingTests {
    private static let users = #"[{"id": 1, "login": "ann"}]"#

    private static func held(
        _ gate: Gate, _ text: String = users
    ) -> StubTransport {
        StubTransport { _ in
            try await gate.wait()
            return .json(text)
        }
    }

    /// Each has sessions of its own.
    @Test func `who asks for the same is not logged out with another client`() async throws {
        let transport = HeldTransport()
        let one = try TestClient.client(over: transport) { $0.coalescing = .joining }
        let other = Client(
            baseURL: "http://test.invalid/", store: try TestClient.store(),
            configuration: one.configuration)
        _ = one.enqueue(Resource("x"), as: String.self)
        let joined = other.enqueue(Resource("x"), as: String.self)
        while transport.requests.count < 2 { await Task.yield() }
        try await one.logOut().value
        transport.end(1, .success(.json("1")))
        #expect(try await joined.value == "1")
    }

    @Test func `a thousand identical requests at once are one exchange`() async throws {
        let gate = Gate()
        let transport = Self.held(gate)
        let client = try TestClient.client(over: transport) { $0.coalescing = .joining }
        let promises: [Promise<[User]>] = await withTaskGroup { group in
            for _ in 0..<10 {
                group.addTask {
                    (0..<100).map { _ in client.enqueue(Resource("users"), as: [User].self) }
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        gate.open()
        let values = try await Promise.all(promises).value
        #expect(values.count == 1000 && values.allSatisfy { $0.map(\.login) == ["ann"] })
        #expect(transport.requests.count == 1)
    }

    @Test func `another cookie, or another jar, makes another request`() async throws {
        let gate = Gate()
        let transport = Self.held(gate)
        let jar = CookieJar()
        let client = try TestClient.client(over: transport) {
            $0.coalescing = .joining
            $0.cookies = jar
        }
        let url = try #require(client.baseURL)
        let (same, other) = (client, client.configured { $0.cookies = CookieJar() })
        var promises = [client, same, other].map { $0.enqueue(Resource("users"), as: Data.self) }
        #expect(jar.set("session=1", from: url))
        promises += [client, other].map { $0.enqueue(Resource("users"), as: Data.self) }
        gate.open()
        _ = try await Promise.all(promises).value
        #expect(
            transport.requests.map { $0.head.headerFields[.cookie] ?? "" }.sorted()
                == ["", "", "session=1"])
    }

    @Test func `each has its value in its own type`() async throws {
        let gate = Gate()
        let transport = Self.held(gate)
        let client = try TestClient.client(over: transport) { $0.coalescing = .joining }
        let many: Promise<Many<User>> = client.enqueue(Resource("users"))
        let data: Promise<Data> = client.enqueue(Resource("users"))
        let whole: Promise<Response<JSONDocument>> = client.enqueue(Resource("users"))
        let none: Promise<Void> = client.enqueue(Resource("users"))
        gate.open()
        #expect(try await many.value.fetch().map(\.login) == ["ann"])
        #expect(try await data.value == Data(Self.users.utf8))
        #expect(try await whole.value.url?.path() == "/users")
        try await none.value
        #expect(transport.requests.count == 1)
    }

    @Test func `each is stored by itself, and the second finds nothing to change`() async throws {
        let gate = Gate()
        let client = try TestClient.client(over: Self.held(gate)) { $0.coalescing = .joining }
        let promises: [Promise<Response<Many<User>>>] = (0..<2).map { _ in
            client.enqueue(Resource("users"))
        }
        gate.open()
        let reports = try await Promise.all(promises).value.map(\.report)
        #expect(reports.map { $0.total.inserted } == [1, 0])
        #expect(try client.store.count(User.all) == 1)
    }

    @Test func `each is validated by its own endpoint's rules`() async throws {
        struct Strict: Endpoint {
            let path = "users"
            let acceptedStatuses: StatusCodes? = [204]
        }
        let gate = Gate()
        let transport = Self.held(gate)
        let client = try TestClient.client(over: transport) { $0.coalescing = .joining }
        let strict: Promise<Void> = client.enqueue(Strict())
        let other: Promise<Void> = client.enqueue(Resource("users"))
        gate.open()
        try await other.value
        let error = await #expect(throws: ClientError.self) { try await strict.value }
        #expect(error?.reason == .unacceptableStatus)
        #expect(transport.requests.count == 1)
    }

    @Test func `cancelling one leaves the others, cancelling all cancels the exchange`()
        async throws
    {
        let gate = Gate()
        let transport = Self.held(gate)
        let client = try TestClient.client(over: transport) { $0.coalescing = .joining }
        let first: [Promise<[User]>] = (0..<3).map { _ in client.enqueue(Resource("users")) }
        first[0].cancel()
        await #expect(throws: CancellationError.self) { try await first[0].value }
        #expect(transport.cancellationCount == 0)
        first[1].cancel()
        first[2].cancel()
        #expect(transport.cancellationCount == 1)
        // What has ended is joined no more.
        let next: Promise<[User]> = client.enqueue(Resource("users"))
        gate.open()
        #expect(try await next.value.count == 1)
        #expect(transport.requests.count == 2)
    }

    @Test func `unless asked, each is sent by itself`() async throws {
        let gate = Gate()
        let transport = Self.held(gate)
        let client = try TestClient.client(over: transport)
        let promises: [Promise<Void>] = (0..<3).map { _ in client.enqueue(Resource("users")) }
        gate.open()
        _ = try await Promise.all(promises).value
        #expect(transport.requests.count == 3)
    }

    @Test func `an endpoint has its own policy`() async throws {
        struct Shared: Endpoint {
            let path = "users"
            let coalescing = Coalescing.joining
        }
        struct Separate: Endpoint {
            let path = "users"
            let coalescing = Coalescing.separate
        }
        let gate = Gate()
        let transport = Self.held(gate)
        let client = try TestClient.client(over: transport)
        let sharing = client.configured { $0.coalescing = .joining }
        let promises: [Promise<Void>] = [
            client.enqueue(Shared()), client.enqueue(Shared()), sharing.enqueue(Resource("users")),
            sharing.enqueue(Separate()),
        ]
        gate.open()
        _ = try await Promise.all(promises).value
        #expect(transport.requests.count == 2)
    }

    @Test func `a POST is sent by itself unless its method is covered`() async throws {
        let (gate, last) = (Gate(), Gate())
        let transport = StubTransport { request in
            if request.body == Data("b".utf8) { last.open() }
            try await gate.wait()
            return .json("[]")
        }
        let client = try TestClient.client(over: transport) { $0.coalescing = .joining }
        let covering = client.configured { $0.coalescing = .joining.covering([.post]) }
        let endpoint = AdHocEndpoint(.post, "x", body: .text("a"))
        let other = AdHocEndpoint(.post, "x", body: .text("b"))
        let promises: [Promise<Void>] = [
            client.enqueue(endpoint), client.enqueue(endpoint), covering.enqueue(endpoint),
            covering.enqueue(endpoint), covering.enqueue(other),
        ]
        // Contents are encoded on a queue, in the order of the calls.
        try await last.wait()
        gate.open()
        _ = try await Promise.all(promises).value
        #expect(transport.requests.count == 4)
    }

    @Test func `another credential is another request, whoever has put it there`() async throws {
        let gate = Gate()
        let transport = Self.held(gate)
        let client = try TestClient.client(over: transport) { $0.coalescing = .joining }
        let promises = ["ann", "bob", "ann"].map { user -> Promise<Void> in
            let authorization = AuthorizationInterceptor(.bearer(user))
            return client.configured { $0.interceptors = [authorization] }
                .enqueue(Resource("users"))
        }
        gate.open()
        _ = try await Promise.all(promises).value
        #expect(
            transport.requests.map { $0.head.headerFields[.authorization] }
                == ["Bearer ann", "Bearer bob"])
    }

    @Test func `what asks for another part, language or version is another request`() async throws {
        let gate = Gate()
        let transport = Self.held(gate)
        let client = try TestClient.client(over: transport) { $0.coalescing = .joining }
        let fields: [HTTPFields] = [
            [.range: "bytes=0-1"], [.range: "bytes=2-3"], [.acceptLanguage: "es"],
            [.ifNoneMatch: "\"1\""], [.cookie: "a=b"], [:],
        ]
        let promises: [Promise<Void>] = fields.map {
            client.enqueue(.get("users", headerFields: $0))
        }
        gate.open()
        _ = try await Promise.all(promises).value
        #expect(transport.requests.count == fields.count)
    }

    @Test func `other limits, redirects or transports make other requests`() async throws {
        let gate = Gate()
        let transport = Self.held(gate)
        let client = try TestClient.client(over: transport) { $0.coalescing = .joining }
        let another = Self.held(gate)
        let promises: [Promise<Void>] = [
            client.enqueue(Resource("users")),
            client.configured { $0.limits.maximumBodySize = 1000 }.enqueue(Resource("users")),
            client.configured { $0.redirects = .ignore }.enqueue(Resource("users")),
            client.configured { $0.transport = another }.enqueue(Resource("users")),
            client.configured { $0.timeout = .seconds(5) }.enqueue(Resource("users")),
        ]
        gate.open()
        _ = try await Promise.all(promises).value
        #expect(transport.requests.count == 3)
        #expect(another.requests.count == 1)
    }

    @Test func `header fields that are ignored make no difference`() async throws {
        let gate = Gate()
        let transport = Self.held(gate)
        let number = HTTPField.Name.named("X-Request-ID")
        let client = try TestClient.client(over: transport) {
            $0.coalescing = .joining.ignoring([number])
        }
        let promises: [Promise<Void>] = ["1", "2"].map {
            client.enqueue(.get("users", headerFields: [number: $0]))
        }
        gate.open()
        _ = try await Promise.all(promises).value
        #expect(transport.requests.map { $0.head.headerFields[number] } == ["1"])
    }

    @Test func `a request that reports its progress is sent by itself`() async throws {
        struct Watched: Endpoint {
            let path = "users"

            func request(baseURL: URL) throws -> TransportRequest {
                var request = try TransportRequest(self, baseURL: baseURL)
                request.onProgress = { _ in }
                return request
            }
        }
        let transport = HeldTransport()
        let client = try TestClient.client(over: transport) { $0.coalescing = .joining }
        let promises: [Promise<Void>] = (0..<2).map { _ in client.enqueue(Watched()) }
        #expect(transport.requests.count == 2)
        for promise in promises { promise.cancel() }
    }

    @Test func `all are led by one redirect, and know where to`() async throws {
        let gate = Gate()
        let transport = StubTransport { request in
            try await gate.wait()
            return request.head.path == "/led"
                ? .json(Self.users)
                : .json("", status: .found, headerFields: [.location: "/led"])
        }
        let client = try TestClient.client(over: transport) { $0.coalescing = .joining }
        let promises: [Promise<Response<Void>>] = (0..<3).map { _ in client.enqueue(Resource("x")) }
        gate.open()
        let urls = try await Promise.all(promises).value.map { $0.url?.path() }
        #expect(urls == ["/led", "/led", "/led"])
        #expect(transport.requests.count == 2)
    }

    @Test func `a failure is one for all`() async throws {
        let gate = Gate()
        let transport = StubTransport { _ in
            try await gate.wait()
            throw TransportError(.connectionLost, "Lost.")
        }
        let client = try TestClient.client(over: transport) { $0.coalescing = .joining }
        let promises: [Promise<Void>] = (0..<3).map { _ in client.enqueue(Resource("x")) }
        gate.open()
        for promise in promises {
            let error = await #expect(throws: ClientError.self) { try await promise.value }
            #expect(error?.url == "http://test.invalid/x")
        }
        #expect(transport.requests.count == 1)
    }

    @Test func `who has less time waits no longer than that`() async throws {
        let clock = ManualClock()
        let transport = HeldTransport()
        let client = try TestClient.client(over: transport) {
            $0.exchangesInFlight = ExchangesInFlight(clock: clock)
            $0.coalescing = .joining
        }
        let patient: Promise<[User]> = client.enqueue(.get("users", timeout: .seconds(60)))
        let hasty: Promise<[User]> = client.enqueue(.get("users", timeout: .seconds(5)))
        let late: Promise<[User]> = client.enqueue(.get("users", timeout: .seconds(80)))
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(5))
        let error = await #expect(throws: ClientError.self) { try await hasty.value }
        #expect((error?.underlying as? TransportError)?.reason == .timedOut)
        #expect(clock.sleeperCount == 0 && patient.isPending)
        transport.end(0, .success(.json(Self.users)))
        #expect(try await patient.value.count + late.value.count == 2)
    }

    @Test func `an alarm is switched off where the exchange ends in time`() async throws {
        let clock = ManualClock()
        let transport = HeldTransport()
        let client = try TestClient.client(over: transport) {
            $0.exchangesInFlight = ExchangesInFlight(clock: clock)
            $0.coalescing = .joining
        }
        let patient: Promise<Void> = client.enqueue(.get("users", timeout: .seconds(60)))
        let hasty: Promise<Void> = client.enqueue(.get("users", timeout: .seconds(5)))
        await clock.sleepers(atLeast: 1)
        transport.end(0, .success(.json(Self.users)))
        try await patient.value
        try await hasty.value
        #expect(clock.sleeperCount == 0)
        #expect(client.configuration.exchangesInFlight.count == 0)
    }

    @Test func `what is identical to a request in flight is refused`() async throws {
        let gate = Gate()
        let transport = Self.held(gate)
        let client = try TestClient.client(over: transport) { $0.coalescing = .refusing }
        let first: Promise<[User]> = client.enqueue(Resource("users"))
        let second: Promise<[User]> = client.enqueue(Resource("users"))
        let other: Promise<[User]> = client.enqueue(Resource("others"))
        let error = await #expect(throws: ClientError.self) { try await second.value }
        #expect(error?.reason == .duplicate)
        #expect(error?.url == "http://test.invalid/users")
        gate.open()
        #expect(try await first.value.count + other.value.count == 2)
        let third: [User] = try await client.enqueue(Resource("users")).value
        #expect(third.count == 1)
    }

    /// Posts twice, and returns why the second is refused, nil where it is not.
    private static func refusal(
        _ configure: (inout Client.Configuration) -> Void = { _ in },
        of body: (Int) -> RequestBody
    ) async throws -> ClientError.Reason? {
        let gate = Gate()
        let transport = held(gate)
        let client = try TestClient.client(over: transport) {
            $0.coalescing = .refusing.covering([.post])
            configure(&$0)
        }
        let first: Promise<Void> = client.enqueue(.post("orders", body: body(1)))
        while transport.requests.isEmpty { await Task.yield() }
        let second: Promise<Void> = client.enqueue(.post("orders", body: body(2)))
        while transport.requests.count < 2, second.isPending { await Task.yield() }
        gate.open()
        try await first.value
        guard case .failure(let error) = await second.result else { return nil }
        return (error as? ClientError)?.reason
    }

    @Test func `what reports its progress is refused like others`() async throws {
        let reason = try await Self.refusal({ $0.progressReports = [{ _ in }] }) { _ in
            .json(["item": 7])
        }
        #expect(reason == .duplicate)
    }

    @Test func `a form is the same whatever its boundary`() async throws {
        for content in ["x", "larder-", String(repeating: "--larder-\r\n", count: 100)] {
            func form(_ text: String) -> RequestBody {
                .multipart([.field("title", text), .data("file", Data(text.utf8))])
            }
            #expect(try await Self.refusal { _ in form(content) } == .duplicate)
            #expect(try await Self.refusal { form(content + "\($0)") } == nil)
        }
    }

    @Test func `a form whose content has its boundary's text is another one`() async throws {
        let reason = try await Self.refusal { number in
            let name = "7F00\(number)"
            let text = "--\(name)\r\n\r\n{\"order\": \"\(name)\"}\r\n--\(name)--"
            return .text(text, contentType: "multipart/related; boundary=\(name)")
        }
        #expect(reason == nil)
    }

    @Test func `a key that is added makes no other request, one of the app's does`() async throws {
        let retrying = RetryInterceptor(addsIdempotencyKeys: true, clock: ManualClock())
        let reason = try await Self.refusal({ $0.interceptors = [retrying] }) { _ in
            .json(["item": 7])
        }
        #expect(reason == .duplicate)
        let gate = Gate()
        let transport = Self.held(gate)
        let client = try TestClient.client(over: transport) {
            $0.coalescing = .refusing
            $0.interceptors = [retrying]
        }
        let promises: [Promise<Void>] = ["1", "2"].map {
            client.enqueue(.get("users", headerFields: [.named("Idempotency-Key"): $0]))
        }
        gate.open()
        for promise in promises { try await promise.value }
        #expect(transport.requests.count == 2)
    }

    @Test func `what may be the whole of something is refused like others`() async throws {
        struct Users: Endpoint {
            let path = "users"
            var completeness: Completeness { .whole(User.all) }
        }
        let gate = Gate()
        let transport = Self.held(gate)
        let client = try TestClient.client(over: transport) { $0.coalescing = .refusing }
        let first: Promise<[User]> = client.enqueue(Users())
        while transport.requests.isEmpty { await Task.yield() }
        let second: Promise<[User]> = client.enqueue(Users())
        while transport.requests.count < 2, second.isPending { await Task.yield() }
        gate.open()
        #expect(try await first.value.count == 1)
        let error = await #expect(throws: ClientError.self) { try await second.value }
        #expect(error?.reason == .duplicate)
    }

    @Test func `a refusal is not tried again`() async throws {
        let transport = HeldTransport()
        let client = try TestClient.client(over: transport) {
            $0.coalescing = .refusing
            $0.interceptors = [RetryInterceptor(clock: ManualClock())]
        }
        let first: Promise<Void> = client.enqueue(Resource("users"))
        let second: Promise<Void> = client.enqueue(Resource("users"))
        await #expect(throws: ClientError.self) { try await second.value }
        #expect(transport.requests.count == 1)
        first.cancel()
    }

    /// Equal as text, they are not as bytes; and what is equal and is not would end the process, as a key.
    @Test func `values are compared by their bytes`() async throws {
        let transport = HeldTransport()
        let client = try TestClient.client(over: transport) { $0.coalescing = .joining }
        let name = HTTPField.Name.named("X-User")
        let promises: [Promise<Void>] = (0..<100).flatMap { number in
            ["Jos\u{E9}", "Jose\u{301}", "Jos\u{E9}"].map {
                client.enqueue(.get("users/\(number)", headerFields: [name: $0]))
            }
        }
        #expect(transport.requests.count == 200)
        for promise in promises { promise.cancel() }
    }

    @Test func `who joins behind a redirect is told where it failed`() async throws {
        let transport = HeldTransport()
        let client = try TestClient.client(over: transport) { $0.coalescing = .joining }
        let first: Promise<Void> = client.enqueue(Resource("x"))
        transport.end(0, .success(.json("", status: .found, headerFields: [.location: "/led"])))
        let second: Promise<Void> = client.enqueue(Resource("x"))
        #expect(transport.requests.count == 2)
        transport.end(1, .failure(TransportError(.connectionLost, "Lost.")))
        for promise in [first, second] {
            let error = await #expect(throws: ClientError.self) { try await promise.value }
            #expect(error?.url == "http://test.invalid/led")
        }
    }

    @Test func `what is asked for behind a write joins nothing from before it`() async throws {
        let transport = HeldTransport()
        let client = try TestClient.client(over: transport) { $0.coalescing = .joining }
        func ask() -> Promise<User> { client.enqueue(Resource("users/1"), as: User.self) }
        let before = [ask(), ask()]
        #expect(transport.requests.count == 1)
        let write = client.enqueue(.put("users/1", body: .json(["login": "new"])), as: User.self)
        for _ in 0..<1_000_000 where transport.requests.count < 2 { await Task.yield() }
        let during = ask()
        transport.end(1, .success(.json(#"{"id": 1, "login": "new"}"#)))
        _ = try await write.value
        let after = [ask(), ask()]
        #expect(transport.requests.count == 4)
        transport.end(3, .success(.json(#"{"id": 1, "login": "new"}"#)))
        for number in [0, 2] {
            transport.end(number, .success(.json(#"{"id": 1, "login": "old"}"#)))
        }
        for promise in before + [during] { _ = try await promise.value }
        for promise in after { #expect(try await promise.value.login == "new") }
    }

    @Test func `so is what is asked for behind one that was led to another origin`() async throws {
        let transport = HeldTransport()
        let client = try TestClient.client(over: transport) { $0.coalescing = .joining }
        func ask() -> Promise<User> {
            client.enqueue(Link("http://other.invalid/users/1"), as: User.self)
        }
        let before = ask()
        let write = client.enqueue(AdHocEndpoint(.delete, "users/1"), as: Void.self)
        var redirect = TransportResponse.json("", status: .temporaryRedirect)
        redirect.head.headerFields[.location] = "http://other.invalid/users/1"
        transport.end(1, .success(redirect))
        let during = ask()
        transport.end(2, .success(.json("")))
        _ = try await write.value
        let after = ask()
        #expect(transport.requests.map(\.head.method) == [.get, .delete, .delete, .get, .get])
        for number in [0, 3, 4] {
            transport.end(number, .success(.json(#"{"id": 1, "login": "\#(number)"}"#)))
        }
        #expect(try await before.value.login == "0")
        #expect(try await during.value.login == "3")
        #expect(try await after.value.login == "4")
    }
}
