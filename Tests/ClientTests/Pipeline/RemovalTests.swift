import Foundation
import HTTPTypes
import LarderClient
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

/// Objects that go where the server does not have them any more.
@Suite struct RemovalTests {
    private struct OneUser: Endpoint {
        var method = HTTPRequest.Method.delete
        let path = "users/1"
        let removal = Removal.of(One<User>(id: 1))
    }

    private static func client(answering response: TransportResponse) throws -> Client {
        let client = try TestClient.client(over: StubTransport(response))
        try client.store.import(
            [User].self, from: #"[{"id": 1, "login": "ann"}, {"id": 2, "login": "bob"}]"#)
        return client
    }

    private static func ids(_ client: Client) throws -> [Int] {
        try client.store.select(User.all.sorted { $0.id.ascending }) { $0.id }
    }

    private static func empty(_ status: HTTPResponse.Status) -> TransportResponse {
        TransportResponse(head: HTTPResponse(status: status))
    }

    @Test(arguments: [
        empty(.ok), empty(.accepted), empty(.noContent), .json(#"{"deleted": 1}"#),
        empty(.notFound), empty(.gone), .json(#"{"error": "none"}"#, status: .notFound),
    ])
    func `a DELETE that succeeds, or comes too late, deletes`(
        _ response: TransportResponse
    ) async throws {
        let client = try Self.client(answering: response)
        let answer = try await client.enqueue(OneUser(), as: Response<Void>.self).value
        #expect(try Self.ids(client) == [2])
        #expect(answer.status == response.head.status)
        #expect(answer.report["User"].deleted == 1)
    }

    /// A client whose server leads elsewhere, where every request has one answer.
    private static func client(
        led status: HTTPResponse.Status, to url: String, answering response: TransportResponse
    ) throws -> Client {
        let client = try TestClient.client(
            over: StubTransport { request in
                guard request.head.path == "/users/1", request.head.authority == "test.invalid"
                else { return response }
                return TransportResponse(
                    head: HTTPResponse(status: status, headerFields: [.location: url]))
            })
        try client.store.save([User(id: 1, login: "ann"), User(id: 2, login: "bob")])
        return client
    }

    @Test(arguments: [
        (HTTPResponse.Status.notFound, HTTPRequest.Method.delete), (.gone, .delete),
        (.ok, .delete), (.notFound, .get),
    ])
    func `what another host says is not about the object`(
        _ status: HTTPResponse.Status, _ method: HTTPRequest.Method
    ) async throws {
        for redirect in [HTTPResponse.Status.found, .temporaryRedirect, .seeOther] {
            let client = try Self.client(
                led: redirect, to: "http://sso.invalid/login",
                answering: .json(#"{"error": "log in"}"#, status: status))
            _ = try? await client.enqueue(OneUser(method: method)).value
            #expect(try Self.ids(client) == [1, 2])
        }
    }

    @Test func `what the same host says behind a redirect counts, but of another request`()
        async throws
    {
        let moved = try Self.client(
            led: .temporaryRedirect, to: "/v2/users/1", answering: Self.empty(.notFound))
        try await moved.enqueue(OneUser()).value
        #expect(try Self.ids(moved) == [2])
        let done = try Self.client(led: .seeOther, to: "/done", answering: .json("{}"))
        try await done.enqueue(OneUser()).value
        #expect(try Self.ids(done) == [2])
        let lost = try Self.client(led: .seeOther, to: "/done", answering: Self.empty(.notFound))
        await #expect(throws: ClientError.self) { try await lost.enqueue(OneUser()).value }
        #expect(try Self.ids(lost) == [1, 2])
    }

    @Test func `a DELETE in another method's clothes comes too late as well`() async throws {
        let client = try TestClient.client(over: StubTransport(Self.empty(.notFound))) {
            $0.interceptors = [
                ClosureInterceptor { request, next in
                    var request = request
                    request.head.method = .post
                    return next(request)
                }
            ]
        }
        try client.store.save(User(id: 1, login: "ann"))
        try await client.enqueue(OneUser()).value
        #expect(try Self.ids(client) == [])
    }

    @Test func `over a socket, and again where it is gone`() async throws {
        let server = try await LoopbackServer()
        server.route(.delete, "/users/1") { _ in .status(.noContent) }
        let client = try TestClient.client(at: server.baseURL)
        try client.store.save(User(id: 1, login: "ann"))
        try await client.enqueue(OneUser()).value
        #expect(try Self.ids(client) == [])
        try await client.enqueue(OneUser()).value
        await server.stop()
    }

    @Test(arguments: [HTTPResponse.Status.notFound, .gone])
    func `any other request deletes by 404 and 410, and fails by them`(
        _ status: HTTPResponse.Status
    ) async throws {
        for method in [HTTPRequest.Method.get, .patch] {
            let client = try Self.client(
                answering: .json(#"{"message": "no such user"}"#, status: status))
            let error = await #expect(throws: ClientError.self) {
                _ = try await client.enqueue(OneUser(method: method), as: User.self).value
            }
            #expect(error?.reason == .unacceptableStatus && error?.status == status)
            let body = error?.body.map { String(decoding: $0, as: UTF8.self) }
            #expect(body?.contains("no such user") == true)
            #expect(try Self.ids(client) == [2])
        }
    }

    @Test func `where 404 is accepted it deletes as well`() async throws {
        let client = try Self.client(answering: Self.empty(.notFound))
        let endpoint = AdHocEndpoint.get("users/1", acceptedStatuses: [200, 404])
            .setting(\.removal, to: .of(One<User>(id: 1)))
        #expect(try await client.enqueue(endpoint, as: User?.self).value == nil)
        #expect(try Self.ids(client) == [2])
    }

    @Test(arguments: [
        (HTTPRequest.Method.get, #"{"id": 1, "login": "ann"}"#, HTTPResponse.Status.ok),
        (.delete, "{}", .unauthorized), (.delete, "{}", .forbidden), (.delete, "{}", .conflict),
        (.delete, "{}", .internalServerError), (.get, "{}", .badRequest),
    ])
    func `nothing else deletes`(
        _ method: HTTPRequest.Method, _ json: String, _ status: HTTPResponse.Status
    ) async throws {
        let client = try Self.client(answering: .json(json, status: status))
        _ = try? await client.enqueue(OneUser(method: method), as: User.self).value
        #expect(try Self.ids(client) == [1, 2])
    }

    @Test(arguments: [HTTPResponse.Status.ok, .notFound])
    func `a page for people is no answer`(_ status: HTTPResponse.Status) async throws {
        let page = TransportResponse(
            head: HTTPResponse(
                status: status, headerFields: [.contentType: "text/html; charset=utf-8"]),
            body: Data("<html>Log in</html>".utf8))
        let client = try Self.client(answering: page)
        _ = try? await client.enqueue(OneUser()).value
        #expect(try Self.ids(client) == [1, 2])
    }

    @Test func `a success that is refused, or tells of failures, deletes nothing`() async throws {
        let refusing = Validator { response, _ in
            if String(decoding: response.body, as: UTF8.self).contains("locked") {
                throw ClientError(.refused)
            }
        }
        let client = try TestClient.client(over: StubTransport(.json(#"{"error": "locked"}"#)))
        try client.store.save(User(id: 1, login: "ann"))
        let endpoint = AdHocEndpoint(.delete, "users/1")
            .setting(\.removal, to: .of(One<User>(id: 1)))
            .setting(\.validators, to: [refusing])
        let error = await #expect(throws: ClientError.self) {
            try await client.enqueue(endpoint).value
        }
        #expect(error?.reason == .refused)
        #expect(try Self.ids(client) == [1])
        let several = try Self.client(
            answering: .json(#"{"1": "locked"}"#, status: HTTPResponse.Status(code: 207)))
        try await several.enqueue(OneUser()).value
        #expect(try Self.ids(several) == [1, 2])
    }

    @Test func `a HEAD that a gateway answers deletes nothing`() async throws {
        let page = TransportResponse(
            head: HTTPResponse(status: .notFound, headerFields: [.contentType: "text/html"]))
        let client = try Self.client(answering: page)
        _ = try? await client.enqueue(OneUser(method: .head)).value
        #expect(try Self.ids(client) == [1, 2])
    }

    @Test func `without a removal nothing is deleted, and 404 is an error`() async throws {
        let client = try Self.client(answering: Self.empty(.notFound))
        await #expect(throws: ClientError.self) {
            try await client.enqueue(AdHocEndpoint(.delete, "users/1")).value
        }
        #expect(try Self.ids(client) == [1, 2])
    }

    @Test func `what can't go makes an error of the success`() async throws {
        let client = try Self.client(answering: Self.empty(.noContent))
        try client.store.import(
            Article.self, from: #"{"id": 7, "title": "A", "author": {"id": 1, "login": "ann"}}"#)
        let error = await #expect(throws: ClientError.self) {
            try await client.enqueue(OneUser()).value
        }
        #expect(error?.reason == .notStored && error?.underlying is WritingError)
        #expect(try Self.ids(client) == [1, 2])
    }

    @Test func `DELETE with a value that is stored`() async throws {
        let client = try Self.client(answering: .json(#"{"id": 2, "login": "bea"}"#))
        let other = try await client.enqueue(OneUser(), as: User.self).value
        #expect(other.login == "bea")
        #expect(try Self.ids(client) == [2])
    }

    // MARK: Validators among the interceptors

    private static func client(validating response: TransportResponse) throws -> Client {
        let client = try TestClient.client(over: StubTransport(response)) {
            $0.cache = .inMemory()
            $0.interceptors = [Validator.status(200..<300)]
        }
        try client.store.import(
            [User].self, from: #"[{"id": 1, "login": "ann"}, {"id": 2, "login": "bob"}]"#)
        return client
    }

    @Test(arguments: [HTTPResponse.Status.notFound, .gone])
    func `a DELETE that one of them refuses deletes, and is a success`(
        _ status: HTTPResponse.Status
    ) async throws {
        let client = try Self.client(validating: .json(#"{"error": "none"}"#, status: status))
        let answer = try await client.enqueue(OneUser(), as: Response<Void>.self).value
        #expect(answer.status == status && answer.report["User"].deleted == 1)
        #expect(try Self.ids(client) == [2])
    }

    @Test func `any other request that one of them refuses deletes, and fails as ever`()
        async throws
    {
        let client = try Self.client(
            validating: .json(#"{"message": "no such user"}"#, status: .notFound))
        let error = await #expect(throws: ClientError.self) {
            _ = try await client.enqueue(OneUser(method: .get), as: User.self).value
        }
        #expect(error?.reason == .unacceptableStatus && error?.status == .notFound)
        #expect(error?.method == .get && error?.url?.hasSuffix("/users/1") == true)
        #expect(error?.body == Data(#"{"message": "no such user"}"#.utf8))
        #expect(try Self.ids(client) == [2])
    }

    @Test func `what one of them refuses that a cache or a gateway has said deletes nothing`()
        async throws
    {
        let page = TransportResponse(
            head: HTTPResponse(status: .notFound, headerFields: [.contentType: "text/html"]),
            body: Data("<html>Log in</html>".utf8))
        let gateway = try Self.client(validating: page)
        await #expect(throws: ClientError.self) { try await gateway.enqueue(OneUser()).value }
        #expect(try Self.ids(gateway) == [1, 2])
        let client = try Self.client(
            validating: .json(
                "{}", status: .notFound, headerFields: [.cacheControl: "max-age=600"]))
        await #expect(throws: ClientError.self) {
            try await client.enqueue(.get("users/1")).value
        }
        let error = await #expect(throws: ClientError.self) {
            try await client.enqueue(OneUser(method: .get)).value
        }
        #expect(error?.status == .notFound && error?.headerFields?[.age] != nil)
        #expect(try Self.ids(client) == [1, 2])
    }
}
