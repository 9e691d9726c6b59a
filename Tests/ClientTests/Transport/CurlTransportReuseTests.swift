#if !canImport(Darwin)
import Foundation
import HTTPTypes
import LarderClient
import LarderTesting
import Testing

/// What happens when a kept connection turns out to be gone.
@Suite struct CurlTransportReuseTests {
    @Test func `a connection closed between exchanges is replaced`() async throws {
        let server = try RawServer { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]")
        }
        defer { server.stop() }
        let transport = CurlTransport()
        for _ in 0..<10 {
            let response = try await transport.response(to: TransportRequest.to(server.baseURL))
            #expect(response.body == Data("[]".utf8))
        }
        #expect(server.connectionCount == 10)
    }

    @Test func `a connection that the server wants closed is not kept`() async throws {
        let server = try RawServer { connection in
            _ = try connection.readRequest()
            try connection.send(
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n[]")
            connection.waitForClose()
        }
        defer { server.stop() }
        let transport = CurlTransport()
        for _ in 0..<3 {
            _ = try await transport.response(to: TransportRequest.to(server.baseURL))
        }
        #expect(server.connectionCount == 3)
    }

    @Test func `a cut response is not asked for again`() async throws {
        let requests = Heard()
        let server = try RawServer { connection in
            while true {
                requests.note(try connection.readRequest())
                let isFirst = requests.count == 1
                try connection.send(
                    "HTTP/1.1 200 OK\r\nContent-Length: \(isFirst ? 2 : 100)\r\n\r\n[]")
                if !isFirst { return }
            }
        }
        defer { server.stop() }
        let transport = CurlTransport()
        _ = try await transport.response(to: TransportRequest.to(server.baseURL))
        let error = await transport.error(of: TransportRequest.to(server.baseURL))
        #expect(error?.kind == .truncatedBody)
        #expect(requests.count == 2)
    }

    @Test(arguments: [
        ("POST", 2, false), ("PATCH", 2, false), ("PUT", 3, true), ("DELETE", 3, true),
    ])
    func `over a gone connection, only an idempotent request is sent again`(
        _ name: String, _ count: Int, _ succeeds: Bool
    ) async throws {
        let requests = Heard()
        let server = try RawServer { connection in
            requests.note(try connection.readRequest())
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]")
            // The next request is heard, and the connection closed without an answer.
            requests.note(try connection.readRequest())
        }
        defer { server.stop() }
        let transport = CurlTransport()
        let method = try #require(HTTPRequest.Method(name))
        let request = TransportRequest.to(
            server.baseURL, method: method, body: Data("{\"a\": 1}".utf8))
        _ = try await transport.response(to: request)
        let error = await transport.error(of: request)
        #expect(error?.kind == (succeeds ? nil : .connectionLost))
        #expect(requests.count == count)
        #expect(requests.texts.allSatisfy { $0.hasSuffix("\r\n\r\n{\"a\": 1}") })
    }
}
#endif
