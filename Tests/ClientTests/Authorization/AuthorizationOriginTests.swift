import Foundation
import HTTPTypes
import LarderPromises
import LarderTesting
import Logging
import Testing

@testable import LarderClient

/// What credentials are for: their origins, and what redirects make of them.
@Suite struct AuthorizationOriginTests {
    private static let bearer = Credential.bearer("secret")

    private static func redirect(
        _ location: String, _ status: HTTPResponse.Status = .temporaryRedirect
    ) -> TransportResponse {
        .json("moved", status: status, headerFields: [.location: location])
    }

    /// Sends an endpoint to a server, and says what went out and how often there was a refresh.
    private static func send(
        _ endpoint: some Endpoint, credential: Credential = bearer, origins: [String]? = nil,
        at baseURL: String = "https://a.invalid/",
        _ server: @escaping @Sendable (TransportRequest) -> TransportResponse = { _ in .json("[]") }
    ) async throws -> (sent: [TransportRequest], refreshes: Int, error: ClientError?) {
        let transport = StubTransport { server($0) }
        let refreshes = Seen<Credential>()
        let client = try TestClient.client(over: transport, at: baseURL) {
            $0.redirects.allowsInsecure = true
            $0.interceptors = [
                AuthorizationInterceptor(credential, origins: origins) { old in
                    refreshes.note(old)
                    return .fulfilled(.bearer("new"))
                }
            ]
        }
        do {
            try await client.enqueue(endpoint, as: Void.self).value
            return (transport.requests, refreshes.count, nil)
        } catch let error as ClientError {
            return (transport.requests, refreshes.count, error)
        }
    }

    @Test(arguments: [
        "", "https://", "https://a b", "ftp://a.invalid/%", "https://*.a.invalid", "*",
    ])
    func `what is no origin is no reason to send without a word`(_ origin: String) async throws {
        let (sent, _, error) = try await Self.send(
            Link("x"), origins: ["https://a.invalid", origin])
        #expect(sent.isEmpty)
        let cause = error?.underlying as? TransportError
        #expect(cause?.reason == .invalidRequest)
        #expect(cause?.message.contains("origins[1]") == true)
    }

    @Test(arguments: ["https://bücher.invalid", "BÜCHER.invalid", "xn--bcher-kva.invalid"])
    func `a name in another script is the one that it is in a base URL`(
        _ origin: String
    ) async throws {
        let (sent, _, error) = try await Self.send(
            Link("x"), origins: [origin], at: "https://bücher.invalid/")
        #expect(sent.map { $0.head.headerFields.contains(.authorization) } == [true])
        #expect(error == nil)
    }

    @Test(arguments: [
        ("x", true), ("https://a.invalid/x", true), ("https://A.Invalid:443/x", true),
        ("http://a.invalid/x", false), ("https://a.invalid:444/x", false),
        ("https://b.a.invalid/x", false), ("https://a.invalid.b/x", false),
        ("//b.invalid/x", false),
    ])
    func `unless told otherwise it is for the base URL's origin`(
        _ path: String, _ isSent: Bool
    ) async throws {
        let (sent, _, _) = try await Self.send(Link(path))
        #expect(sent.map { $0.head.headerFields.contains(.authorization) } == [isSent])
    }

    @Test(arguments: [
        ("x", false), ("https://b.invalid/x", true), ("https://c.invalid:8443/x", true),
        ("http://b.invalid/x", false), ("https://c.invalid/x", false),
        ("http://localhost:80/x", true),
    ])
    func `origins that are given stand in for it`(_ path: String, _ isSent: Bool) async throws {
        let (sent, _, _) = try await Self.send(
            Link(path),
            origins: ["b.invalid", "https://C.invalid:8443/api/", "http://localhost"])
        #expect(sent.map { $0.head.headerFields.contains(.authorization) } == [isSent])
    }

    @Test func `another origin's 401 is its own`() async throws {
        let (sent, refreshes, error) = try await Self.send(Link("https://b.invalid/x")) { _ in
            .json("", status: .unauthorized)
        }
        #expect(sent.count == 1 && refreshes == 0 && error?.status == .unauthorized)
    }

    @Test func `a request that an interceptor makes anew is the client's all the same`()
        async throws
    {
        let transport = StubTransport(.json("[]"))
        let client = try TestClient.client(over: transport) {
            $0.interceptors = [
                ClosureInterceptor { request, next in next(TransportRequest(head: request.head)) },
                AuthorizationInterceptor(Self.bearer),
            ]
        }
        try await client.enqueue(Resource("x"), as: Void.self).value
        #expect(
            transport.requests.map { $0.head.headerFields[.authorization] } == ["Bearer secret"])
    }

    @Test(arguments: [
        Credential.bearer("secret"), .basic(user: "ann", password: "secret"),
        .apiKey("secret", field: .named("X-Key")), .apiKey("secret", queryItem: "key"),
    ])
    func `it follows no redirect to another origin, whose 401 does not count`(
        _ credential: Credential
    ) async throws {
        let (sent, refreshes, error) = try await Self.send(
            Resource("x?a=1"), credential: credential
        ) {
            $0.head.authority == "a.invalid"
                ? Self.redirect("https://b.invalid/y") : .json("", status: .unauthorized)
        }
        #expect(sent.map { credential.isBorne(by: $0) } == [true, false])
        #expect(sent.last?.urlText == "https://b.invalid/y")
        #expect(refreshes == 0 && error?.status == .unauthorized)
    }

    @Test func `nor does the 401 of an origin that a detour leads back to`() async throws {
        let (sent, refreshes, _) = try await Self.send(Resource("x")) { request in
            switch request.urlText {
            case "https://a.invalid/x": Self.redirect("http://b.invalid/y")
            case "http://b.invalid/y": Self.redirect("https://a.invalid/z")
            default: .json("", status: .unauthorized)
            }
        }
        #expect(sent.count == 3 && refreshes == 0)
        #expect(sent.last?.head.headerFields.contains(.authorization) == false)
    }

    @Test func `within its origin it follows, and a 401 there is answered from the start`()
        async throws
    {
        let (sent, refreshes, error) = try await Self.send(Resource("x")) { request in
            if request.head.path == "/x" { return Self.redirect("/y") }
            let isNew = request.head.headerFields[.authorization] == "Bearer new"
            return .json("[]", status: isNew ? .ok : .unauthorized)
        }
        #expect(sent.map(\.head.path) == ["/x", "/y", "/x", "/y"])
        #expect(refreshes == 1 && error == nil)
    }

    @Test func `a key in the query is not the Location's, and without it a 401 is none of ours`()
        async throws
    {
        let (sent, refreshes, _) = try await Self.send(
            Resource("x"), credential: .apiKey("secret", queryItem: "key")
        ) { $0.head.path == "/y" ? .json("", status: .unauthorized) : Self.redirect("/y") }
        #expect(sent.map(\.head.path) == ["/x?key=secret", "/y"] && refreshes == 0)
    }

    @Test(arguments: [(HTTPResponse.Status.seeOther, 2), (.temporaryRedirect, 4)])
    func `a POST that was acted on before the 401 is not sent again`(
        _ status: HTTPResponse.Status, _ count: Int
    ) async throws {
        struct Posted: Endpoint {
            let path = "x"
            let method = HTTPRequest.Method.post
            let body = RequestBody.data(Data("a".utf8))
        }
        let (sent, _, error) = try await Self.send(Posted()) {
            $0.head.path == "/x" ? Self.redirect("/y", status) : .json("", status: .unauthorized)
        }
        #expect(sent.count == count)
        #expect(error?.status == .unauthorized)
    }

    @Test(arguments: [true, false])
    func `a validator's refusal after a redirect is not weighed`(_ isRedirected: Bool) async throws
    {
        let refreshes = Seen<Void>()
        let transport = StubTransport {
            $0.head.path == "/x" && isRedirected
                ? Self.redirect("https://b.invalid/y") : .json("", status: .unauthorized)
        }
        let client = try TestClient.client(over: transport, at: "https://a.invalid/") {
            $0.interceptors = [
                AuthorizationInterceptor(Self.bearer) { _ in
                    refreshes.note(())
                    return .fulfilled(.bearer("new"))
                }, Validator.status(200..<300),
            ]
        }
        let promise: Promise<Void> = client.enqueue(Resource("x"))
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.status == .unauthorized)
        #expect(refreshes.count == (isRedirected ? 0 : 1))
        // It has the credential.
        #expect(error?.sent == nil)
    }

    @Test func `a validator's refusal behind a redirect to its own origin is refreshed`()
        async throws
    {
        let refreshes = Seen<Void>()
        let transport = StubTransport { request in
            guard request.head.path == "/y" else { return Self.redirect("/y") }
            let isNew = request.head.headerFields[.authorization] == "Bearer new"
            return .json("[]", status: isNew ? .ok : .unauthorized)
        }
        let client = try TestClient.client(over: transport, at: "https://a.invalid/") {
            $0.interceptors = [
                AuthorizationInterceptor(Self.bearer) { _ in
                    refreshes.note(())
                    return .fulfilled(.bearer("new"))
                }, Validator.status(200..<300),
            ]
        }
        try await client.enqueue(Resource("x"), as: Void.self).value
        #expect(transport.requests.map(\.head.path) == ["/x", "/y", "/x", "/y"])
        #expect(refreshes.count == 1)
    }

    @Test func `a key of whatever name is in no error and no log`() async throws {
        let lines = Heard()
        let transport = StubTransport {
            $0.head.path?.hasPrefix("/x") == true
                ? Self.redirect("/y?\($0.head.path?.split(separator: "?").last ?? "")")
                : .json("no", status: .notFound)
        }
        let client = try TestClient.client(over: transport) {
            $0.interceptors = [AuthorizationInterceptor(.apiKey("s3cr3t", queryItem: "appid"))]
            $0.logger = LineHandler.logger(lines, level: .trace)
        }
        let promise: Promise<Void> = client.enqueue(Resource("x"))
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(transport.requests.last?.head.path == "/y?appid=s3cr3t")
        #expect(error?.url == "http://test.invalid/y?appid=…")
        #expect(
            lines.count > 2
                && !(lines.texts + ["\(error as Any)"]).contains { $0.contains("s3cr3t") })
    }
}
