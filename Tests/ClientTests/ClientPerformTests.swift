import Foundation
import HTTPTypes
import LarderClient
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

/// The client over the platform's transport, with the ways in which content travels.
@Suite(.platformTransport) struct ClientPerformTests {
    static let users = #"[{"id": 1, "login": "ann"}, {"id": 2, "login": "bob"}]"#

    @Test func `compressed content is stored`() async throws {
        let server = try await LoopbackServer { request in
            #expect(request.headerFields[.acceptEncoding]?.contains("gzip") == true)
            return .init(
                headerFields: [.contentEncoding: "gzip", .contentType: "application/json"],
                body: Data(Gzip.stored(Self.users)))
        }
        let client = try TestClient.client(at: server.baseURL)
        let users: Many<User> = try await client.enqueue(Resource("users")).value
        #expect(try users.fetch().map(\.login) == ["ann", "bob"])
        await server.stop()
    }

    @Test func `content in chunks is stored`() async throws {
        let chunks = Self.users.map { "1\r\n\($0)\r\n" }.joined()
        let server = try RawServer(
            sending: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)0\r\n\r\n")
        defer { server.stop() }
        let client = try TestClient.client(at: server.baseURL)
        let users: Many<User> = try await client.enqueue(Resource("users")).value
        #expect(try users.count == 2)
    }

    @Test func `content beyond the client's limit is not stored`() async throws {
        let server = try await LoopbackServer { _ in .json(Self.users) }
        let client = try TestClient.client(at: server.baseURL) {
            $0.limits = TransportLimits(maximumBodySize: Self.users.utf8.count - 1)
        }
        let users: Promise<Many<User>> = client.enqueue(Resource("users"))
        let error = await #expect(throws: ClientError.self) { try await users.value }
        #expect((error?.underlying as? TransportError)?.reason == .limitExceeded)
        #expect(try client.store.count(User.all) == 0)
        await server.stop()
    }

    @Test func `a server that takes too long is given up`() async throws {
        let server = try RawServer { $0.waitForClose() }
        defer { server.stop() }
        let client = try TestClient.client(at: server.baseURL) { $0.timeout = .milliseconds(100) }
        let users: Promise<Many<User>> = client.enqueue(Resource("users"))
        let error = await #expect(throws: ClientError.self) { try await users.value }
        #expect((error?.underlying as? TransportError)?.reason == .timedOut)
    }

    @Test func `what an endpoint describes is what arrives`() async throws {
        struct NewUser: RespondingEndpoint {
            typealias Response = User
            let path = "users?notify=yes"
            let login: String
            var method: HTTPRequest.Method { .post }
            var query: [URLQueryItem] { [URLQueryItem(name: "note", value: "a&b+c ü")] }
            var headerFields: HTTPFields { [.named("X-Request"): "7"] }
            var body: RequestBody? { .json(["login": login]) }
        }
        let server = try await LoopbackServer()
        server.route(.post, "/users") { request in
            let text = String(decoding: request.body, as: UTF8.self)
            return .json(#"{"id": 9, "login": "\#(text.count)"}"#, status: .created)
        }
        let client = try TestClient.client(at: server.baseURL)
        let user = try await client.enqueue(NewUser(login: "ann")).value
        #expect(user.id == 9)
        let request = try #require(server.requests.first)
        #expect(request.body == Data(#"{"login":"ann"}"#.utf8))
        #expect(request.headerFields[.contentType] == "application/json")
        #expect(request.headerFields[.named("X-Request")] == "7")
        #expect(request[query: "notify"] == "yes")
        #expect(request[query: "note"] == "a&b+c ü")
        await server.stop()
    }

    @Test func `a body that takes long holds up no other`() async throws {
        let client = try TestClient.client(answering: "{}")
        let semaphore = DispatchSemaphore(value: 0)
        let body = RequestBody(contentType: nil) {
            semaphore.wait()
            return Data("x".utf8)
        }
        let long = client.enqueue(.post("long", body: body), as: Data.self)
        let others = [RequestBody.json([1]), .text("x").compressed(), .text("x")]
        for other in others {
            _ = try await client.enqueue(.post("short", body: other), as: Data.self).value
        }
        #expect(long.isPending)
        semaphore.signal()
        _ = try await long.value
    }

    @Test func `pages are followed by their links`() async throws {
        let server = try await LoopbackServer()
        server.route(.get, "/users") { request in
            let page = Int(request[query: "page"] ?? "1") ?? 1
            let links = page < 5 ? "</users?page=\(page + 1)>; rel=\"next\"" : ""
            return .json(
                #"[{"id": \#(page), "login": "user \#(page)"}]"#,
                headerFields: [.named("Link"): links])
        }
        let client = try TestClient.client(at: server.baseURL)
        var path: String? = "users"
        var pages = 0
        while let next = path, pages < 10 {
            let page: Response<Many<User>> = try await client.enqueue(Resource(next)).value
            path = page.link(rel: "next")?.absoluteString
            pages += 1
        }
        #expect(pages == 5)
        #expect(try client.store.count(User.all) == 5)
        await server.stop()
    }

    @Test func `several clients share a store`() async throws {
        let first = try await LoopbackServer { _ in .json(#"[{"id": 1, "login": "ann"}]"#) }
        let second = try await LoopbackServer { _ in .json(#"[{"id": 2, "login": "bob"}]"#) }
        let store = try TestClient.store()
        let clients = [first, second].map { Client(baseURL: $0.baseURL, store: store) }
        for _ in 0..<20 {
            for client in clients {
                let _: Many<User> = try await client.enqueue(Resource("users")).value
            }
        }
        #expect(try store.count(User.all) == 2)
        await first.stop()
        await second.stop()
    }
}
