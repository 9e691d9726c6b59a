import Foundation
import HTTPTypes
import LarderClient
import LarderPromises
import LarderTesting
import Logging
import Testing

@Suite struct LogTests {
    let lines = Seen<String>()

    @Test func `the log names requests and responses, and no secret`() async throws {
        let client = try client(answering: .json("[]", status: .notFound), level: .debug)
        let promise: Promise<Void> = client.enqueue(Resource("users?token=hidden"))
        _ = await promise.result
        let url = "http://test.invalid/users?token=…"
        #expect(lines.values.prefix(2) == ["debug GET \(url)", "debug 404 2 bytes from \(url)"])
        #expect(lines.count == 3)
        #expect(lines.values.last?.hasPrefix("debug failed: GET \(url): the status") == true)
        #expect(!lines.values.contains { $0.contains("hidden") })
    }

    @Test func `at level trace it has the header fields, without what is secret`() async throws {
        let client = try client(
            answering: .json("[]", headerFields: [.setCookie: "hidden", .eTag: "\"1\""]),
            level: .trace)
        let promise: Promise<Void> = client.enqueue(Resource("x"))
        try await promise.value
        #expect(
            lines.values == [
                "debug GET http://test.invalid/x",
                "trace Accept: application/json, User-Agent: Larder, Authorization: …, X-Api-Key: …",
                "debug 200 2 bytes from http://test.invalid/x",
                "trace Set-Cookie: …, ETag: \"1\", Content-Type: application/json",
                "trace []",
            ])
    }

    @Test func `what a credential makes secret is so in every line`() async throws {
        let client = try client(
            answering: .json("[]", headerFields: [.location: "http://h/?appid=hidden"]),
            level: .trace)
        let authorized = client.configured {
            $0.interceptors.append(
                AuthorizationInterceptor(.apiKey("hidden", queryItem: "appid")))
        }
        let promise: Promise<Void> = authorized.enqueue(Resource("x"))
        try await promise.value
        #expect(lines.values.contains { $0.contains("appid=…") })
        #expect(!lines.values.contains { $0.contains("hidden") })
    }

    @Test func `what a transport says is told without secrets`() async throws {
        let transport = StubTransport { _ in
            throw TransportError(.other, "GET https://u:hidden@h/?token=hidden failed")
        }
        let client = try TestClient.client(over: transport) { configure(&$0, .debug) }
        let promise: Promise<Void> = client.enqueue(Resource("x"))
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(!"\(String(describing: error))".contains("hidden"))
        #expect(!lines.values.contains { $0.contains("hidden") })
    }

    @Test func `and the beginning of the content, without what is secret`() async throws {
        let name = String(repeating: "a", count: 300)
        let client = try client(
            answering: .json(#"{"token": "hidden", "name": "\#(name)"}"#), level: .trace)
        let body = RequestBody.json(["password": "hidden", "name": "ann"])
        try await client.enqueue(.post("x", body: body)).value
        let content = lines.values.filter { $0.hasPrefix("trace {") }
        #expect(content.count == 2)
        #expect(content.first?.contains("ann") == true)
        #expect(content.last?.contains("bytes)") == true)
        #expect(!content.contains { $0.contains("hidden") })
    }

    /// Whether it was sent or not.
    @Test(arguments: [true, false])
    func `an error of an interceptor's says nothing that a credential makes secret`(
        _ isSent: Bool
    ) async throws {
        struct Refusal: Error, CustomStringConvertible {
            let description: String
        }
        let client = try TestClient.client(over: StubTransport(.json("[]"))) {
            configure(&$0, .debug)
            $0.interceptors = [
                AuthorizationInterceptor(.apiKey("hidden", queryItem: "tenant")),
                ClosureInterceptor { request, next in
                    let refusal = Refusal(description: "No: \(request.head.path ?? "")")
                    guard isSent else { return .rejected(refusal) }
                    return next(request).then { _ -> TransportResponse in throw refusal }
                },
            ]
        }
        let promise: Promise<Void> = client.enqueue(Resource("x"))
        await #expect(throws: (any Error).self) { try await promise.value }
        #expect(lines.values.contains { $0.contains("failed: ") && $0.contains("No: /x?tenant=…") })
        #expect(!lines.values.contains { $0.contains("hidden") })
    }

    @Test func `a cancelled request is none that failed`() async throws {
        let gate = Gate()
        let arrived = Gate()
        let transport = StubTransport { _ in
            arrived.open()
            try? await gate.wait()
            return .json("[]")
        }
        let client = try TestClient.client(over: transport) { configure(&$0, .debug) }
        let promise: Promise<Void> = client.enqueue(Resource("x"))
        try await arrived.wait()
        promise.cancel()
        _ = await promise.result
        #expect(lines.values.contains("debug cancelled: GET http://test.invalid/x"))
        #expect(!lines.values.contains { $0.contains("failed") })
        gate.open()
    }

    @Test(arguments: [
        ("localhost:8801", "\"localhost:8801\""), ("h/a", "\"h/a\""), ("", "\"\""),
        ("u:hidden@h.example/", "\"…@h.example/\""), ("a..b/", "\"a..b/\""), (".b", "\".b\""),
        ("http://u:hidden@h/?token=hidden", "\"…@h/\""), ("http://u:hidden#x@h/", "\"…\""),
        ("http://u:hidden?x@h/a/", "\"…\""), ("http://h /", "\"http://h /\""),
    ])
    func `a base URL that is none is an error when the client is made`(
        _ baseURL: String, _ shown: String
    ) async throws {
        let client = try TestClient.client(over: StubTransport(.json("[]")), at: baseURL) {
            configure(&$0, .warning)
        }
        #expect(lines.count == 1)
        let line = try #require(lines.values.first)
        #expect(line.hasPrefix("error The base URL \(shown) is no absolute http or https URL: "))
        let promise: Promise<Void> = client.enqueue(Resource("a"))
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect("\(error, default: "")".contains("The base URL \(shown) is no absolute"))
        #expect(!line.contains("hidden"))
    }

    @Test(arguments: [
        ("api.example.com", "https://api.example.com/a"),
        ("api.example.com:8443/v1/", "https://api.example.com:8443/v1/a"),
        ("127.0.0.1/", "https://127.0.0.1/a"),
    ])
    func `a host's name alone is asked over https`(
        _ baseURL: String, _ url: String
    ) async throws {
        let transport = StubTransport(.json("[]"))
        let client = try TestClient.client(over: transport, at: baseURL) {
            configure(&$0, .warning)
        }
        try await client.enqueue(Resource("a"), as: Void.self).value
        let head = try #require(transport.requests.last?.head)
        #expect("\(head.scheme ?? "")://\(head.authority ?? "")\(head.path ?? "")" == url)
        #expect(lines.values == [])
    }

    @Test(arguments: [
        ("http://h/api", 1), ("http://h/api/", 0), ("http://h", 0), ("http://h/", 0),
        ("http://h/a/b", 1), ("http://h/api/?k=1", 0), ("http://h/api/#f", 0), ("http://h?x=1", 0),
        ("http://h/api?x=/", 1),
    ])
    func `a base URL that does not end in a slash is a warning`(
        _ baseURL: String, _ count: Int
    ) throws {
        _ = try TestClient.client(over: StubTransport(.json("[]")), at: baseURL) {
            configure(&$0, .warning)
        }
        #expect(lines.count == count)
        let shown = baseURL.prefix { $0 != "?" }
        #expect(lines.values.allSatisfy { $0.contains("\"\(shown)\" does not end in a slash") })
    }

    @Test func `a base URL may have a name that is not ASCII, as text as well`() async throws {
        let text = "https://b\u{FC}cher.example/"
        let transport = StubTransport(.json("[]"))
        let client = try TestClient.client(over: transport, at: text) {
            configure(&$0, .warning)
        }
        let promise: Promise<Void> = client.enqueue(Resource("a"))
        try await promise.value
        #expect(lines.count == 0)
        #expect(transport.requests.first?.head.authority == "xn--bcher-kva.example")
    }

    private func client(
        answering response: TransportResponse, level: Logger.Level
    ) throws -> Client {
        try TestClient.client(over: StubTransport(response)) {
            configure(&$0, level)
            $0.headerFields[.authorization] = "Bearer hidden"
            $0.headerFields[.named("X-Api-Key")] = "hidden"
        }
    }

    private func configure(_ configuration: inout Client.Configuration, _ level: Logger.Level) {
        configuration.logger = LineHandler.logger(lines, level: level)
    }
}
