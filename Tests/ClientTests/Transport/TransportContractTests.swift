import Foundation
import HTTPTypes
import LarderTesting
import Testing

@testable import LarderClient

/// What holds of any system's transport.
@Suite(.platformTransport) struct TransportContractTests {
    let transport = PlatformTransport()

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

    @Test func `what may lead to another exchange says how long it took`() async throws {
        let server = try await LoopbackServer { request in
            .json("[]", status: request.path == "/found" ? .ok : .notFound)
        }
        let url = server.baseURL
        let found = try await transport.response(to: TransportRequest.to(url, "/found"))
        #expect(found.head.status == .ok && found.totalTime == nil)
        let lost = try await transport.response(to: TransportRequest.to(url, "/lost"))
        #expect(try #require(lost.totalTime) > .zero)
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

    @Test(arguments: ["DELETE", "PATCH", "POST", "PUT"])
    func `content goes out with any method`(_ name: String) async throws {
        let server = try await LoopbackServer { .init(body: $0.body) }
        let method = try #require(HTTPRequest.Method(name))
        let body = Data((0..<10_000).map { UInt8(truncatingIfNeeded: $0) })
        let response = try await transport.response(
            to: TransportRequest.to(server.baseURL, method: method, body: body))
        #expect(response.body == body)
        let request = try #require(server.requests.first)
        #expect(request.method == method)
        // Neither a form nor anything else that nobody said.
        let type = request.headerFields[.contentType]
        #expect(type == nil || type == "application/octet-stream")
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
        #expect(lines.contains { $0.hasPrefix("Accept-Encoding: ") && $0.contains("gzip") })
        #expect(lines.contains("Host: 127.0.0.1:\(server.port)"))
        #expect(!lines.contains { $0.hasPrefix("Content-Length") })
        #expect(!lines.contains { $0.hasPrefix("Transfer-Encoding") })
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

    @Test(arguments: [
        ("Content-Length: 2\r\n\r\n[]", true), ("Content-Length: 3\r\n\r\n[]", false),
    ])
    func `a server may answer in whole without reading the content`(
        _ answer: String, _ isWhole: Bool
    ) async throws {
        let hasArrived = Gate()
        let server = try RawServer { connection in
            try connection.send("HTTP/1.1 200 OK\r\n\(answer)")
            try hasArrived.block()
        }
        defer { server.stop() }
        // More than fits between the two.
        var request = TransportRequest.to(
            server.baseURL, method: .post, body: Data(count: 30_000_000))
        request.onProgress = { if $0.received == 2 { hasArrived.open() } }
        if isWhole {
            let response = try await transport.response(to: request)
            #expect(response.body == Data("[]".utf8))
        } else {
            let error = await transport.error(of: request)
            #expect(error?.reason == .connectionLost || error?.reason == .truncatedBody)
        }
    }

    @Test func `a server that is not there is an error`() async throws {
        let server = try RawServer { _ in }
        server.stop()
        let error = await transport.error(of: TransportRequest.to(server.baseURL))
        #expect(error?.reason == .cannotConnect || error?.reason == .connectionLost)
    }

    @Test func `a name without an address is an error`() async throws {
        var request = TransportRequest.to(URL(filePath: "/"), timeout: .seconds(600))
        request.head.authority = "no-such-host.invalid"
        let error = await transport.error(of: request)
        #expect(error?.reason == .cannotFindHost || error?.reason == .timedOut)
    }

    @Test func `a server that speaks no TLS fails a secure connection`() async throws {
        let server = try RawServer { try $0.send("HTTP/1.1 400 Bad Request\r\n\r\n") }
        defer { server.stop() }
        var request = TransportRequest.to(server.baseURL)
        request.head.scheme = "https"
        let error = await transport.error(of: request)
        #expect(error?.reason == .secureConnectionFailed)
    }

    @Test func `an exchange under way outlives its transport`() async throws {
        let gate = Gate()
        let server = try await LoopbackServer { _ in
            try await gate.wait()
            return .json("[]")
        }
        let done = Gate()
        let results = Seen<Int?>()
        do {
            let transport = PlatformTransport()
            transport.send(TransportRequest.to(server.baseURL)) { result in
                results.note(try? result.get().head.status.code)
                done.open()
            }
        }
        gate.open()
        try await done.wait()
        #expect(results.values == [200])
        await server.stop()
    }

    @Test func `cancelling ends the connection, and the exchange once`() async throws {
        let (begun, ended, done) = (Gate(), Gate(), Gate())
        let server = try RawServer { connection in
            _ = try connection.readRequest()
            begun.open()
            connection.waitForClose()
            ended.open()
        }
        defer { server.stop() }
        let results = Seen<TransportError.Reason?>()
        let task = transport.send(TransportRequest.to(server.baseURL)) { result in
            if case .failure(let error) = result { results.note(error.reason) }
            done.open()
        }
        try await begun.wait()
        task.cancel()
        task.cancel()
        try await done.wait()
        try await ended.wait()
        #expect(results.values == [.cancelled])
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"])
    func `what takes too long is given up`(_ beginning: String) async throws {
        let ended = Gate()
        let server = try RawServer { connection in
            _ = try connection.readRequest()
            try connection.send(beginning)
            connection.waitForClose()
            ended.open()
        }
        defer { server.stop() }
        let error = await transport.error(
            of: TransportRequest.to(server.baseURL, timeout: .milliseconds(300)))
        #expect(error?.reason == .timedOut)
        try await ended.wait()
    }

    @Test(arguments: ["Content-Length: 6\r\n", ""])
    func `content above the limit is given up`(_ field: String) async throws {
        let server = try RawServer(
            sending: "HTTP/1.1 200 OK\r\n\(field)Connection: close\r\n\r\nabcdef")
        defer { server.stop() }
        let limits = TransportLimits(maximumBodySize: 5)
        let error = await transport.error(of: .to(server.baseURL, limits: limits))
        #expect(error?.reason == .limitExceeded)
        let whole = try await transport.response(
            to: .to(server.baseURL, limits: TransportLimits(maximumBodySize: 6)))
        #expect(whole.body == Data("abcdef".utf8))
    }

    @Test func `content that is too large for memory is in a file`() async throws {
        let body = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let server = try await LoopbackServer { _ in .init(body: body) }
        let response = try await transport.response(
            to: .to(server.baseURL, limits: TransportLimits(maximumMemory: 1000)))
        #expect(response.body == body)
        guard case .file = response.content else {
            Issue.record("\(response.content)")
            return
        }
        await server.stop()
    }
}
