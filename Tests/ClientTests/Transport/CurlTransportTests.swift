#if !canImport(Darwin)
import Foundation
import HTTPTypes
import LarderTesting
import Testing

@testable import LarderClient

@Suite struct CurlTransportTests {
    let transport = CurlTransport()

    @Test func `a response arrives with status, fields and content`() async throws {
        let server = try await LoopbackServer { _ in
            .json("[]", status: .created, headerFields: [.eTag: "\"1\""])
        }
        let response = try await transport.response(to: TransportRequest.to(server.baseURL))
        #expect(response.head.status == .created)
        #expect(response.head.headerFields[.eTag] == "\"1\"")
        #expect(response.head.headerFields[.contentType] == "application/json")
        #expect(response.body == Data("[]".utf8))
        await server.stop()
    }

    @Test(arguments: ["GET", "DELETE", "OPTIONS", "PATCH", "POST", "PUT", "SEARCH", "patch"])
    func `a method goes out as it is`(_ name: String) async throws {
        let heard = Heard()
        let server = try RawServer { connection in
            heard.note(try connection.readRequest())
            try connection.send("HTTP/1.1 204 No\r\n\r\n")
        }
        defer { server.stop() }
        let method = try #require(HTTPRequest.Method(name))
        _ = try await transport.response(
            to: TransportRequest.to(server.baseURL, "/a?b=c", method: method))
        #expect(heard.texts.first?.hasPrefix("\(name) /a?b=c HTTP/1.1\r\n") == true)
    }

    @Test(arguments: ["GET", "DELETE", "PATCH", "POST", "PUT"])
    func `content goes out with any method`(_ name: String) async throws {
        let server = try await LoopbackServer { .init(body: $0.body) }
        let method = try #require(HTTPRequest.Method(name))
        let body = Data((0..<10_000).map { UInt8(truncatingIfNeeded: $0) })
        let response = try await transport.response(
            to: TransportRequest.to(server.baseURL, method: method, body: body))
        #expect(response.body == body)
        let request = try #require(server.requests.first)
        #expect(request.method == method)
        #expect(!request.headerFields.contains(.contentType))
        #expect(!request.headerFields.contains(.expect))
        await server.stop()
    }

    @Test(arguments: ["PUT", "POST", "GET"])
    func `nothing is asked of a server before content is sent`(_ name: String) async throws {
        let heard = Heard()
        let server = try RawServer { connection in
            while true {
                let request = try connection.readRequest()
                heard.note(request)
                let isAsked = request.lowercased().contains("expect:") && heard.count < 10
                try connection.send(
                    "HTTP/1.1 \(isAsked ? 417 : 204) X\r\nContent-Length: 0\r\n\r\n")
            }
        }
        defer { server.stop() }
        let response = try await transport.response(
            to: TransportRequest.to(
                server.baseURL, method: try #require(HTTPRequest.Method(name)),
                headerFields: [.expect: "100-continue"],
                body: name == "GET" ? nil : Data("a".utf8)))
        #expect(response.head.status == .noContent)
        #expect(heard.count == 1)
    }

    @Test func `content without bytes is sent as such`() async throws {
        let server = try await LoopbackServer()
        _ = try await transport.response(
            to: TransportRequest.to(server.baseURL, method: .post, body: Data()))
        #expect(server.requests.first?.headerFields[.contentLength] == "0")
        await server.stop()
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

    @Test func `fields go out as they are, an empty one too`() async throws {
        let heard = Heard()
        let server = try RawServer { connection in
            heard.note(try connection.readRequest())
            try connection.send("HTTP/1.1 204 No\r\n\r\n")
        }
        defer { server.stop() }
        let fields: HTTPFields = [
            .accept: "application/json", .named("X-Empty"): "", .named("X-Name"): "grün",
            .contentLength: "99", .transferEncoding: "chunked",
        ]
        _ = try await transport.response(
            to: TransportRequest.to(server.baseURL, headerFields: fields))
        let lines = try #require(heard.texts.first).components(separatedBy: "\r\n")
        #expect(lines.contains("Accept: application/json"))
        #expect(lines.contains("X-Empty:"))
        #expect(lines.contains("X-Name: grün"))
        #expect(lines.contains("Accept-Encoding: \(ContentCoding.offered)"))
        #expect(lines.contains("Host: 127.0.0.1:\(server.port)"))
        #expect(!lines.contains { $0.hasPrefix("Content-Length") })
        #expect(!lines.contains { $0.hasPrefix("Transfer-Encoding") })
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

    @Test(arguments: [0, 1, 4095, 4096, 4097, 16_384, 1_000_000, 20_000_000])
    func `content of any size arrives whole`(_ count: Int) async throws {
        let block = Data((0..<10_007).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let body = (0...count / block.count).reduce(into: Data()) { body, _ in body += block }
            .prefix(count)
        let server = try await LoopbackServer { _ in .init(body: body) }
        let response = try await transport.response(
            to: TransportRequest.to(server.baseURL))
        #expect(response.body == body)
        await server.stop()
    }

    @Test(arguments: [204, 304])
    func `a status without content has none`(_ code: Int) async throws {
        let server = try await LoopbackServer { _ in .init(status: .init(code: code)) }
        let response = try await transport.response(to: TransportRequest.to(server.baseURL))
        #expect(response.head.status.code == code)
        #expect(response.body.isEmpty)
        await server.stop()
    }

    @Test func `HEAD declares a length and brings nothing`() async throws {
        let server = try await LoopbackServer { _ in .json("[1, 2, 3]") }
        let response = try await transport.response(
            to: TransportRequest.to(server.baseURL, method: .head))
        #expect(response.head.headerFields[.contentLength] == "9")
        #expect(response.body.isEmpty)
        await server.stop()
    }

    @Test func `HEAD takes a length beyond the limit for what it is`() async throws {
        let server = try RawServer(
            sending:
                "HTTP/1.1 200 OK\r\nContent-Length: 9000000000\r\nContent-Encoding: gzip\r\n\r\n")
        defer { server.stop() }
        let response = try await transport.response(
            to: TransportRequest.to(server.baseURL, method: .head))
        #expect(response.head.status == .ok)
    }

    @Test func `a method that is meant to have content says that it has none`() async throws {
        let server = try await LoopbackServer()
        for method in [HTTPRequest.Method.post, .put, .patch, .delete, .get] {
            _ = try await transport.response(
                to: TransportRequest.to(server.baseURL, method: method))
        }
        #expect(
            server.requests.map { $0.headerFields[.contentLength] } == ["0", "0", "0", nil, nil])
        await server.stop()
    }

    @Test func `redirects, cookies and challenges come back as they are`() async throws {
        let server = try await LoopbackServer()
        server.route(.get, "/redirect", .init(status: .found, headerFields: [.location: "/target"]))
        server.route(
            .get, "/challenge",
            .init(status: .unauthorized, headerFields: [.wwwAuthenticate: "Basic realm=\"a\""]))
        server.route(.get, "/cookie", .init(headerFields: [.setCookie: "a=b"]))
        for (path, code) in [("/redirect", 302), ("/challenge", 401), ("/cookie", 200)] {
            let response = try await transport.response(
                to: TransportRequest.to(server.baseURL, path))
            #expect(response.head.status.code == code)
        }
        _ = try await transport.response(to: TransportRequest.to(server.baseURL, "/cookie"))
        #expect(server.requests.map(\.path) == ["/redirect", "/challenge", "/cookie", "/cookie"])
        #expect(server.requests.allSatisfy { !$0.headerFields.contains(.cookie) })
        await server.stop()
    }

    @Test func `progress counts up to the whole`() async throws {
        let server = try await LoopbackServer { _ in .init(body: Data(count: 300_000)) }
        let seen = Seen<TransferProgress>()
        var request = TransportRequest.to(server.baseURL, method: .post, body: Data(count: 100_000))
        request.onProgress = { seen.note($0) }
        _ = try await transport.response(to: request)
        let last = try #require(seen.values.last)
        #expect(last.received == 300_000)
        #expect(last.sent == 100_000)
        #expect(last.expectedToReceive == 300_000)
        #expect(zip(seen.values, seen.values.dropFirst()).allSatisfy { $0.received <= $1.received })
        await server.stop()
    }
}
#endif
