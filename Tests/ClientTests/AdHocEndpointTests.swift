import Foundation
import HTTPTypes
import LarderClient
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@Suite struct AdHocEndpointTests {
    private let transport = StubTransport(.json(#"[{"id": 1, "login": "ann"}]"#))

    private var last: HTTPRequest? { transport.requests.last?.head }

    private func client() throws -> Client {
        try TestClient.client(over: transport, at: "https://h/api/")
    }

    @Test func `a path is enough, and what it becomes is said as ever`() async throws {
        let client = try client()
        let users: [User] = try await client.enqueue(.get("users")).value
        #expect(users.map(\.login) == ["ann"])
        #expect(last?.method == .get && last?.path == "/api/users")
        let again = try await client.enqueue(.get("users"), as: Response<[User]>.self).value
        #expect(again.status == .ok)
        let text = try await client.enqueue(.get("users"), as: String.self).value
        #expect(text.contains("ann"))
        let name = try await client.enqueue(.get("users")).then { (users: [User]) in users[0].login
        }
        .value
        #expect(name == "ann")
        try await client.enqueue(.get("users")).value
    }

    @Test func `names stay segments, and values of several types are the query`() async throws {
        let (client, name) = (try client(), "a/b")
        try await client.enqueue(
            .get("users/\(name)/repos", query: ["page": 2, "q": name, "open": true])
        ).value
        #expect(last?.path == "/api/users/a%2Fb/repos?page=2&q=a%2Fb&open=true")
        try await client.enqueue(
            .get("x?a=b", query: QueryParameters(["c": [1, 2]], arrays: .commas))
        )
        .value
        #expect(last?.path == "/api/x?a=b&c=1%2C2")
    }

    @Test func `each method has its own`() async throws {
        let client = try client()
        let body = RequestBody.json(["a": 1])
        let calls: [(AdHocEndpoint, HTTPRequest.Method)] = [
            (.get("x"), .get), (.head("x"), .head), (.post("x", body: body), .post),
            (.put("x", body: body), .put), (.patch("x", body: body), .patch),
            (.delete("x", body: body), .delete),
        ]
        for (endpoint, method) in calls {
            try await client.enqueue(endpoint, as: Void.self).value
            #expect(last?.method == method)
            let isEmpty = method == .get || method == .head
            #expect(transport.requests.last?.body == (isEmpty ? nil : Data(#"{"a":1}"#.utf8)))
            #expect(last?.headerFields[.contentType] == (isEmpty ? nil : "application/json"))
        }
    }

    @Test func `header fields and the timeout go along`() async throws {
        let client = try client()
        try await client.enqueue(
            .post("x", headerFields: [.accept: "text/plain"], timeout: .seconds(3))
        ).value
        #expect(last?.headerFields[.accept] == "text/plain")
        #expect(transport.requests.last?.timeout == .seconds(3))
    }

    @Test func `everything else of an endpoint is a parameter`() async throws {
        let seen = Seen<String>()
        let missing = StubTransport(.json("[]", status: .notFound))
        let client = try TestClient.client(over: missing)
        try await client.enqueue(
            .get(
                "x", acceptedStatuses: [404], acceptedContentTypes: ["application/json"],
                interceptors: [
                    ClosureInterceptor { request, next in
                        seen.note("interceptor")
                        return next(request)
                    }
                ],
                validators: [Validator { _, _ in seen.note("validator") }],
                processors: [
                    ResponseProcessor { response, _ in
                        seen.note("processor")
                        return response
                    }
                ])
        ).value
        #expect(seen.values == ["interceptor", "validator", "processor"])
        #expect(missing.requests.first?.head.headerFields[.accept] == "application/json")
        let base = try #require(URL(string: "https://h/"))
        let request = try AdHocEndpoint(.options, "y").request(baseURL: base)
        #expect(request.head.method == .options && request.head.path == "/y")
    }

    @Test func `what is no parameter is set`() async throws {
        struct Problem: Decodable, Sendable {
            let message: String
        }
        let refusing = StubTransport(.json(#"{"message": "gone"}"#, status: .gone))
        let client = try TestClient.client(over: refusing, at: "https://h/") {
            $0.interceptors = [AuthorizationInterceptor(.bearer("token"))]
        }
        let endpoint = AdHocEndpoint.get("x").setting(\.errorBody, to: .json(Problem.self))
        for needsAuthorization in [true, false] {
            let promise = client.enqueue(
                endpoint.setting(\.needsAuthorization, to: needsAuthorization), as: Void.self)
            let error = await #expect(throws: ClientError.self) { try await promise.value }
            #expect((error?.details as? Problem)?.message == "gone")
            let authorization = refusing.requests.last?.head.headerFields[.authorization]
            #expect(authorization == (needsAuthorization ? "Bearer token" : nil))
        }
    }

    @Test func `it is cancelled by tag, ranked and shared as any other`() async throws {
        let held = HeldTransport()
        let client = try TestClient.client(over: held)
        let endpoint = AdHocEndpoint.get("x").setting(\.tags, to: ["a", "b"])
            .setting(\.priority, to: .high).setting(\.coalescing, to: .refusing)
        #expect(endpoint.priority == .high && endpoint.coalescing == .refusing)
        let first = client.enqueue(endpoint, as: Void.self)
        let second = client.enqueue(endpoint, as: Void.self)
        let refusal = await #expect(throws: ClientError.self) { try await second.value }
        #expect(refusal?.reason == .duplicate)
        client.cancel(tag: "b")
        await #expect(throws: CancellationError.self) { try await first.value }
    }

    @Test func `a whole URL is a path, such as that of a next page`() async throws {
        let client = try client()
        let next = try #require(URL(string: "https://other/x?page=2"))
        try await client.enqueue(.get(URLPath(next), query: ["per_page": 3])).value
        #expect(last?.authority == "other" && last?.path == "/x?page=2&per_page=3")
        try await client.enqueue(.get("https://cdn/\("a/b")")).value
        #expect(last?.authority == "cdn" && last?.path == "/a%2Fb")
    }

    @Test(arguments: [
        ("https", "other:8443", "/x?y", "https://other:8443/x?y"),
        (nil, "other", "/x", "https://other/x"), ("http", "other", nil, "http://other/"),
        (nil, nil, "/x/../y", "https://h/y"), (nil, nil, "x", "https://h/api/x"),
        ("https", "other", ".evil/x", "https://other/.evil/x"),
        ("https", "other", "?a", "https://other/?a"), (nil, nil, nil, "https://h/"),
        ("https", "other", "//x", "https://other//x"),
    ])
    func `a request made by hand is an endpoint`(
        _ scheme: String?, _ authority: String?, _ path: String?, _ expected: String
    ) async throws {
        let request = HTTPRequest(
            method: .put, scheme: scheme, authority: authority, path: path,
            headerFields: [.accept: "text/plain"])
        try await client().enqueue(.request(request, body: .text("a"))).value
        let sent = try #require(last)
        let url = "\(sent.scheme ?? "")://\(sent.authority ?? "")\(sent.path ?? "")"
        #expect(url == expected)
        #expect(sent.method == .put)
        #expect(sent.headerFields[.accept] == "text/plain")
        #expect(transport.requests.last?.body == Data("a".utf8))
    }

    @Test(arguments: ["//evil/", "https://evil/"])
    func `a request without an authority leads to no other origin`(_ path: String) async throws {
        let request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: path)
        let promise = try client().enqueue(.request(request), as: Void.self)
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.reason == .invalidRequest)
        #expect(transport.requests.isEmpty)
    }

    @Test func `HEAD with content is refused`() async throws {
        let promise = try client().enqueue(
            AdHocEndpoint(.head, "x", body: .text("a")), as: Void.self)
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.reason == .invalidRequest)
    }
}
