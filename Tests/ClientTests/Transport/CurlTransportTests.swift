#if !canImport(Darwin)
import Foundation
import HTTPTypes
import LarderTesting
import Testing

@testable import LarderClient

/// What libcurl's transport does beyond what all do.
@Suite struct CurlTransportTests {
    let transport = CurlTransport()

    @Test(arguments: ["a\r\nX-B: b", "a\nX-B: b", "a\rX-B: b", "a\0X-B: b", "a\r\n\r\nGET /b"])
    func `no field's value ends its line, and no name or method has a control character`(
        _ text: String
    ) async throws {
        let seen = Seen<String>()
        let server = try RawServer { connection in
            seen.note(try connection.readRequest())
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        defer { server.stop() }
        let request = TransportRequest.to(server.baseURL, headerFields: [.named("X-A"): text])
        _ = await CurlTransport().error(of: request)
        for request in seen.values {
            let lines = request.split(separator: "\r\n")
            #expect(lines.first == "GET / HTTP/1.1")
            #expect(!lines.contains { $0.hasPrefix("X-B") || $0.hasPrefix("GET /b") })
            #expect(!request.dropLast(4).contains("\r\n\r\n") && !request.contains("\0"))
            let rest = request.components(separatedBy: "\r\n").joined()
            #expect(!rest.unicodeScalars.contains { $0 == "\r" || $0 == "\n" })
        }
        #expect(HTTPField.Name(text) == nil && HTTPRequest.Method(text) == nil)
    }

    @Test func `nothing of one exchange is left over in the next`() async throws {
        let server = try await LoopbackServer()
        let transport = CurlTransport(configuration: .init(maximumExchanges: 1))
        let body = Data("{}".utf8)
        for request in [
            TransportRequest.to(
                server.baseURL, method: .post, headerFields: [.contentType: "a/b"], body: body),
            TransportRequest.to(server.baseURL, method: .get),
            TransportRequest.to(server.baseURL, method: .head),
            TransportRequest.to(server.baseURL, method: .put, body: body),
            TransportRequest.to(server.baseURL, method: .delete),
        ] {
            _ = try await transport.response(to: request)
        }
        let requests = server.requests
        #expect(requests.map(\.method) == [.post, .get, .head, .put, .delete])
        #expect(requests.map(\.body.count) == [2, 0, 0, 2, 0])
        #expect(requests.map { $0.headerFields[.contentType] } == ["a/b", nil, nil, nil, nil])
        await server.stop()
    }

    @Test(.timeLimit(.minutes(60)), arguments: [0, -1, .min])
    func `however few exchanges are allowed, one is`(_ count: Int) async throws {
        var configuration = CurlTransport.Configuration()
        configuration.maximumExchanges = count
        let server = try RawServer(sending: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]")
        defer { server.stop() }
        let transport = CurlTransport(configuration: configuration)
        let response = try await transport.response(to: TransportRequest.to(server.baseURL))
        #expect(response.body == Data("[]".utf8))
    }

    @Test func `who names a coding gets the content undecoded`() async throws {
        let gzip = Gzip.stored("[]")
        let server = try await LoopbackServer { _ in
            .init(headerFields: [.contentEncoding: "gzip"], body: Data(gzip))
        }
        let response = try await transport.response(
            to: TransportRequest.to(server.baseURL, headerFields: [.acceptEncoding: "gzip, br"]))
        #expect(response.body == Data(gzip))
        await server.stop()
    }

    @Test func `the codings that can be decoded are asked for, and content goes out with GET`()
        async throws
    {
        let server = try await LoopbackServer { .init(body: $0.body) }
        let body = Data("abc".utf8)
        let response = try await transport.response(
            to: TransportRequest.to(server.baseURL, body: body))
        #expect(response.body == body)
        #expect(server.requests.first?.headerFields[.acceptEncoding] == ContentCoding.offered)
        await server.stop()
    }
}
#endif
