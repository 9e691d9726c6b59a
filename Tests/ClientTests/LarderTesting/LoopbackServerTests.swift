import Foundation
import HTTPTypes
import LarderTesting
import Testing

@testable import LarderClient

@Suite struct LoopbackServerTests {
    let transport = PlatformTransport()

    @Test func `routes are found by method and pattern, the latest first`() async throws {
        let server = try await LoopbackServer()
        server.route(nil, "*", .json("0"))
        server.route(.get, "/users", .json("1"))
        server.route(.post, "/users", .json("2"))
        server.route(.get, "/users/:id") { .json("\"\($0.parameters["id"] ?? "")\"") }
        server.route(.get, "/files/*", .json("4"))
        server.route(.get, "/any/**", .json("5"))
        for (method, path, expected) in [
            (HTTPRequest.Method.get, "/users", "1"), (.post, "/users", "2"), (.put, "/users", "0"),
            (.get, "/users/a%20b", "\"a b\""), (.get, "/users/1/x", "0"), (.get, "/files/a/b", "4"),
            (.get, "/users/", "1"), (.get, "/users?a=b", "1"), (.get, "/any/a/b", "5"),
        ] {
            let response = try await transport.response(
                to: .to(server.baseURL, path, method: method))
            #expect(String(decoding: response.body, as: UTF8.self) == expected)
        }
        await server.stop()
    }

    @Test func `a route may be written decoded or as it is sent`() async throws {
        let server = try await LoopbackServer()
        server.route(.get, "/a b/ü", .json("1"))
        server.route(.get, "/c%20d", .json("2"))
        for (path, expected) in [("/a%20b/%C3%BC", "1"), ("/c%20d", "2")] {
            let response = try await transport.response(to: .to(server.baseURL, path))
            #expect(String(decoding: response.body, as: UTF8.self) == expected)
        }
        await server.stop()
    }

    @Test func `a handler may stop the server`() async throws {
        let server = try await LoopbackServer()
        let isStopped = Gate()
        server.route(.get, "/stop") { [weak server] _ in
            await server?.stop()
            isStopped.open()
            return .json("[]")
        }
        _ = await transport.error(of: .to(server.baseURL, "/stop"))
        try await isStopped.wait()
        await server.stop()
    }

    @Test func `a path without a route is not found`() async throws {
        let server = try await LoopbackServer()
        let response = try await transport.response(to: .to(server.baseURL, "/x"))
        #expect(response.head.status == .notFound)
        #expect(server.requests.map(\.path) == ["/x"])
        await server.stop()
    }

    @Test func `a handler that throws is an error of the server`() async throws {
        struct Broken: Error {}
        let server = try await LoopbackServer { _ in throw Broken() }
        let response = try await transport.response(to: .to(server.baseURL))
        #expect(response.head.status == .internalServerError)
        await server.stop()
    }

    @Test func `what was sent is recorded`() async throws {
        let server = try await LoopbackServer { _ in .status(.noContent) }
        _ = try await transport.response(
            to: .to(
                server.baseURL, "/a%2Fb?q=a%20b&q=c&flag", method: .put,
                headerFields: [.accept: "a/b"], body: Data("hello".utf8)))
        let request = try #require(server.requests.first)
        #expect(request.method == .put)
        #expect(request.path == "/a%2Fb")
        #expect(request.query == "q=a%20b&q=c&flag")
        #expect(request[query: "q"] == "a b")
        #expect(request.queryItems.count == 3)
        #expect(request.headerFields[.accept] == "a/b")
        #expect(request.body == Data("hello".utf8))
        await server.stop()
    }

    @Test func `a server that has stopped does not answer`() async throws {
        let server = try await LoopbackServer { _ in .json("[]") }
        _ = try await transport.response(to: .to(server.baseURL))
        await server.stop()
        #expect(await transport.error(of: .to(server.baseURL)) != nil)
        #expect(await PlatformTransport().error(of: .to(server.baseURL)) != nil)
    }

    @Test func `many servers run side by side`() async throws {
        let servers = try await withThrowingTaskGroup(of: LoopbackServer.self) { group in
            for index in 0..<10 {
                group.addTask { try await LoopbackServer { _ in .json("\(index)") } }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(servers.map(\.port)).count == 10)
        for server in servers {
            #expect(try await transport.response(to: .to(server.baseURL)).head.status == .ok)
            await server.stop()
        }
    }
}
