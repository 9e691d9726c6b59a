#if !canImport(Darwin)
import Foundation
import HTTPTypes
import LarderClient
import LarderTesting
import Testing

@Suite struct CurlLoopTests {
    @Test func `one connection serves one exchange after the other`() async throws {
        let server = try RawServer(Self.answerForever)
        defer { server.stop() }
        let transport = CurlTransport()
        let request = TransportRequest.to(server.baseURL)
        let responses = try await transport.responses(to: Array(repeating: request, count: 20))
        #expect(responses.map(\.body) == Array(repeating: Data("[]".utf8), count: 20))
        #expect(server.connectionCount == 1)
    }

    @Test func `a connection that broke the rules is not used again`() async throws {
        let server = try RawServer { connection in
            _ = try connection.readRequest()
            try connection.send(
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]HTTP/1.1 200 OK\r\n\r\n")
            connection.waitForClose()
        }
        defer { server.stop() }
        let transport = CurlTransport()
        for _ in 0..<2 {
            let response = try await transport.response(to: TransportRequest.to(server.baseURL))
            #expect(response.body == Data("[]".utf8))
        }
        #expect(server.connectionCount == 2)
    }

    @Test func `64 exchanges run at once`() async throws {
        let gate = Gate()
        let arrived = Seen<String>()
        let server = try await LoopbackServer { request in
            arrived.note(request.path)
            if arrived.count == 64 { gate.open() }
            try await gate.wait()
            return .json("[\"\(request.path)\"]")
        }
        let transport = CurlTransport()
        let paths = (0..<64).map { "/\($0)" }
        let bodies = try await withThrowingTaskGroup(of: String.self) { group in
            for path in paths {
                group.addTask {
                    let response = try await transport.response(
                        to: TransportRequest.to(server.baseURL, path))
                    return String(decoding: response.body, as: UTF8.self)
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(bodies == Set(paths.map { "[\"\($0)\"]" }))
        await server.stop()
    }

    @Test func `more than may run at once wait their turn`() async throws {
        let server = try RawServer(Self.answerForever)
        defer { server.stop() }
        let transport = CurlTransport(configuration: .init(maximumExchanges: 3))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<300 {
                group.addTask {
                    _ = try await transport.response(
                        to: TransportRequest.to(server.baseURL))
                }
            }
            try await group.waitForAll()
        }
        #expect(server.connectionCount <= 3)
    }

    @Test func `the environment's proxy is not used`() async throws {
        let proxy = try RawServer(sending: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nproxy")
        let server = try RawServer(sending: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]")
        defer {
            proxy.stop()
            server.stop()
            unsetenv("http_proxy")
        }
        setenv("http_proxy", proxy.baseURL.absoluteString, 1)
        let response = try await CurlTransport().response(to: TransportRequest.to(server.baseURL))
        #expect(response.body == Data("[]".utf8))
        #expect(proxy.connectionCount == 0)
    }

    @Test func `the thread ends with the transport`() async throws {
        let server = try RawServer(Self.answerForever)
        defer { server.stop() }
        let name = "curl-\(UInt16.random(in: 0 ... .max))"
        do {
            let transport = CurlTransport(configuration: .init(threadName: name))
            #expect(Self.threadCount(named: name) == 0)
            _ = try await transport.response(to: TransportRequest.to(server.baseURL))
            #expect(Self.threadCount(named: name) == 1)
        }
        // The thread leaves the process a moment after it was told to.
        var remaining = 1_000_000
        while Self.threadCount(named: name) > 0, remaining > 0 {
            remaining -= 1
            await Task.yield()
        }
        #expect(Self.threadCount(named: name) == 0)
    }

    @Sendable private static func answerForever(_ connection: RawServer.Connection) throws {
        while true {
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]")
        }
    }

    static func threadCount(named name: String) -> Int {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return tasks.count { task in
            let comm = try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)
            return comm?.trimmingCharacters(in: .newlines) == name
        }
    }
}
#endif
