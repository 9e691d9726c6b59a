#if !canImport(Darwin)
import CLarderCurl
import Foundation
import HTTPTypes
import LarderTesting
import Testing

@testable import LarderClient

/// What happens when a kept connection turns out to be gone.
@Suite struct CurlHandleTests {
    @Test(arguments: [1, 128, .max])
    func `a connection closed between exchanges is replaced`(_ maximum: Int) async throws {
        let server = try RawServer { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]")
        }
        defer { server.stop() }
        let transport = CurlTransport(configuration: .init(maximumExchanges: maximum))
        for _ in 0..<10 {
            let response = try await transport.response(to: TransportRequest.to(server.baseURL))
            #expect(response.body == Data("[]".utf8))
        }
        #expect(server.connectionCount == 10)
    }

    @Test func `a connection is replaced that ends once the next request has come`() async throws {
        let server = try RawServer { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]")
            _ = try connection.readRequest()
        }
        defer { server.stop() }
        for maximum in [1, 128, Int.max] {
            let transport = CurlTransport(configuration: .init(maximumExchanges: maximum))
            for _ in 0..<2 {
                let response = try await transport.response(
                    to: TransportRequest.to(server.baseURL))
                #expect(response.body == Data("[]".utf8))
            }
        }
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

    @Test(
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nstale",
            "HTTP/1.1 408 Late\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", "\r\n",
        ], [HTTPRequest.Method.get, .post])
    func `what comes unasked over a kept connection answers no request`(
        _ unasked: String, _ method: HTTPRequest.Method
    ) async throws {
        let isAnswered = Gate()
        let isSent = Gate()
        let server = try RawServer { connection in
            while true {
                let path = try connection.readRequest().split(separator: " ")[1]
                try connection.send(
                    "HTTP/1.1 200 OK\r\nContent-Length: \(path.utf8.count)\r\n\r\n\(path)")
                guard path == "/0" else { continue }
                try isAnswered.block()
                try connection.send(unasked)
                isSent.open()
            }
        }
        defer { server.stop() }
        let transport = CurlTransport()
        for path in ["/0", "/1", "/2"] {
            let response = try await transport.response(
                to: TransportRequest.to(server.baseURL, path, method: method))
            #expect(String(decoding: response.body, as: UTF8.self) == path)
            isAnswered.open()
            try await isSent.wait()
        }
        #expect(server.connectionCount >= 2)
    }

    /// libcurl hands a connection on to the next request before it says that the one before it has been answered.
    @Test func `content that is longer than it is said to be spoils no other response`()
        async throws
    {
        @Sendable func padded(_ path: Substring) -> String {
            path + String(repeating: " ", count: 20_000 - path.utf8.count)
        }
        let server = try RawServer { connection in
            while true {
                let path = try connection.readRequest().split(separator: " ")[1]
                try connection.send(
                    "HTTP/1.1 200 OK\r\nContent-Length: 20000\r\n\r\n\(padded(path))"
                        + "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nstale")
            }
        }
        defer { server.stop() }
        let paths = (0..<400).map { "/\($0)" }
        let texts = try await CurlTransport().texts(
            of: paths.map { TransportRequest.to(server.baseURL, $0) }, atOnce: 8)
        #expect(zip(paths, texts).filter { padded($0[...]) != $1 }.map(\.0) == [])
    }

    @Test func `a head that ends with its connection is no bad one, wherever it does`()
        async throws
    {
        let head = Array(
            "HTTP/1.1 103 Early\r\nLink: <a>\r\n\r\nHTTP/1.1 200 OK\r\nA: b\r\n\r\n".utf8)
        let connections = Seen<Void>()
        let server = try RawServer { connection in
            _ = try connection.readRequest()
            try connection.send(Array(head.prefix(connections.add(()))))
        }
        defer { server.stop() }
        let transport = CurlTransport()
        for count in 0..<head.count {
            let error = await transport.error(of: TransportRequest.to(server.baseURL))
            #expect(error?.reason == .connectionLost, "after \(count) bytes")
        }
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
        #expect(error?.reason == .truncatedBody)
        #expect(requests.count == 2)
    }

    @Test(
        arguments: ["POST", "PATCH", "SEARCH", "PUT", "DELETE"],
        [nil, Data(), Data("{\"a\": 1}".utf8)])
    func `over a gone connection, only an idempotent request is sent again`(
        _ name: String, _ body: Data?
    ) async throws {
        let isIdempotent = name == "PUT" || name == "DELETE"
        let requests = Heard()
        let server = try Self.serverHangingUp(requests, after: "")
        defer { server.stop() }
        let transport = CurlTransport()
        let method = try #require(HTTPRequest.Method(name))
        let request = TransportRequest.to(server.baseURL, method: method, body: body)
        let error = await transport.error(ofSecond: request)
        #expect(error?.reason == (isIdempotent ? nil : .connectionLost))
        #expect(requests.count == (isIdempotent ? 3 : 2))
        let content = String(decoding: body ?? Data(), as: UTF8.self)
        #expect(requests.texts.allSatisfy { $0.hasSuffix("\r\n\r\n" + content) })
    }

    /// What it is not met by may be what the first sending has written.
    @Test func `a condition that is not met once a write was sent again says nothing`()
        async throws
    {
        let requests = Heard()
        let server = try RawServer { connection in
            requests.note(try connection.readRequest())
            let isAgain = requests.count == 3
            try connection.send(
                "HTTP/1.1 \(isAgain ? 412 : 200) A\r\nContent-Length: 2\r\n\r\n[]")
            requests.note(try connection.readRequest())
        }
        defer { server.stop() }
        var request = TransportRequest.to(server.baseURL, method: .put, body: Data("{}".utf8))
        request.head.headerFields[.ifMatch] = "\"1\""
        let error = await CurlTransport().error(ofSecond: request)
        #expect(error?.reason == .connectionLost)
        #expect(requests.count == 3)
    }

    @Test(arguments: ["HTTP/1.", "HTTP/1.1 200 OK"])
    func `after half a status line, a POST is not sent again`(_ part: String) async throws {
        let requests = Heard()
        let server = try Self.serverHangingUp(requests, after: part)
        defer { server.stop() }
        let transport = CurlTransport()
        let request = TransportRequest.to(server.baseURL, method: .post)
        let error = await transport.error(ofSecond: request)
        #expect(error?.reason == .connectionLost || error?.reason == .malformedResponse)
        #expect(requests.count == 2)
    }

    @Test func `any number of requests may have to be sent again`() async throws {
        let server = try Self.serverHangingUp(Heard(), after: "")
        defer { server.stop() }
        let transport = CurlTransport()
        for _ in 0..<30 {
            let response = try await transport.response(to: TransportRequest.to(server.baseURL))
            #expect(response.body == Data("[]".utf8))
        }
        #expect(server.connectionCount == 30)
    }

    /// Over HTTP/2, libcurl may have read content of which nothing could be sent any more.
    @Test func `content begins anew with each sending`() throws {
        let handle = try #require(CurlHandle(.init(), connections: CurlConnections()))
        let head = HTTPRequest(method: .put, scheme: "http", authority: "127.0.0.1:1", path: "/")
        let request = TransportRequest(head: head, body: Data("abc".utf8))
        try handle.begin(CurlExchange(request, mailbox: CurlMailbox()) { _ in })
        for _ in 0..<3 {
            let ends = CurlConnections.Ends(localPort: 2, host: "127.0.0.1", port: 1)
            #expect(handle.mayBeSent(over: ends))
            var bytes = [CChar](repeating: 0, count: 8)
            let count = bytes.withUnsafeMutableBufferPointer { handle.giveBody($0.baseAddress, 2) }
            #expect(count == 2 && bytes.prefix(2) == [0x61, 0x62])
        }
    }

    @Test(arguments: [HTTPRequest.Method.get, .post], 0...2)
    func `what libcurl had no connection for is begun anew once, where it may be sent again`(
        _ method: HTTPRequest.Method, _ sendings: Int
    ) throws {
        let configuration = CurlTransport.Configuration(maximumExchanges: 1)
        let handle = try #require(CurlHandle(configuration, connections: CurlConnections()))
        func begin() throws {
            let head = HTTPRequest(method: method, scheme: "https", authority: "a.test", path: "/")
            let exchange = CurlExchange(TransportRequest(head: head), mailbox: CurlMailbox()) { _ in
            }
            try handle.begin(exchange)
            handle.sendings = sendings
        }
        let isBegunAnew = sendings == 0 || method == .get && sendings == 1
        try begin()
        #expect(!handle.isWithoutConnection(after: CURLE_COULDNT_CONNECT))
        let isFirst = handle.isWithoutConnection(after: CURLE_FAILED_INIT)
        #expect(isFirst == (isBegunAnew && handle.noticesSendings))
        #expect(!handle.isWithoutConnection(after: CURLE_FAILED_INIT))
        guard sendings > 0 else { return }
        // It has been answered, if not in whole.
        try begin()
        var line = Array("HTTP/1.1 200 OK\r\n".utf8CString.dropLast())
        let taken = line.withUnsafeMutableBufferPointer {
            handle.receiveHead($0.baseAddress, $0.count)
        }
        #expect(taken == line.count)
        #expect(!handle.isWithoutConnection(after: CURLE_FAILED_INIT))
    }

    @Test func `libcurl's handle keeps a host's settings until it serves another one`() throws {
        var configuration = CurlTransport.Configuration()
        configuration.tls = [
            "a.test": TLSSettings(authorities: .only(Data("a".utf8))),
            "b.test": TLSSettings(authorities: .only(Data("b".utf8))),
        ]
        let routes = try #require(try CurlRoutes(configuration))
        let handle = try #require(CurlHandle(configuration, connections: CurlConnections()))
        func easy(of host: String, wasSent: Bool = true) throws -> UnsafeMutableRawPointer {
            let head = HTTPRequest(method: .get, scheme: "https", authority: host, path: "/")
            let request = TransportRequest(head: head)
            let exchange = CurlExchange(request, mailbox: CurlMailbox()) { _ in }
            try handle.begin(exchange, over: try routes.hostRoute(of: request))
            if wasSent { handle.sendings = 1 }
            _ = handle.end(CURLE_OK)
            return handle.easy
        }
        // The first is the one that it was made with.
        let first = handle.easy
        #expect(try easy(of: "a.test") == first)
        #expect(try easy(of: "a.test") == first)
        let second = try easy(of: "b.test")
        #expect(second != first)
        #expect(try easy(of: "b.test", wasSent: false) == second)
        // Whatever has failed may have left something.
        let third = try easy(of: "b.test")
        #expect(third != second)
        #expect(try easy(of: "c.test") != third)
    }

    @Test func `a folded first line is refused behind any other response`() async throws {
        let count = Seen<Int>()
        let server = try RawServer { connection in
            _ = try connection.readRequest()
            count.note(1)
            let fields = count.count.isMultiple(of: 2) ? " X-A: b\r\n" : "X-A: b\r\nX-B: c\r\n"
            try connection.send("HTTP/1.1 200 OK\r\n\(fields)Content-Length: 2\r\n\r\n[]")
        }
        defer { server.stop() }
        let transport = CurlTransport(configuration: .init(maximumExchanges: 1))
        for round in 1...50 {
            let error = await transport.error(of: TransportRequest.to(server.baseURL))
            #expect((error == nil) == (round % 2 == 1))
        }
    }

    @Test func `a folded first line is refused behind an interim response, too`() async throws {
        let count = Seen<Int>()
        let server = try RawServer { connection in
            _ = try connection.readRequest()
            count.note(1)
            let (fields, interim) = (["X-A: b\r\n", " X-A: b\r\n"], ["", "X-B: c\r\nX-C: d\r\n"])
            let head =
                "HTTP/1.1 103 Early Hints\r\n" + interim[count.count / 2 % 2] + "\r\n"
                + "HTTP/1.1 200 OK\r\n" + fields[count.count % 2]
            try connection.send(head + "X-D: e\r\nContent-Length: 2\r\n\r\n[]")
        }
        defer { server.stop() }
        let transport = CurlTransport(configuration: .init(maximumExchanges: 1))
        for round in 1...40 {
            let error = await transport.error(of: TransportRequest.to(server.baseURL))
            #expect((error == nil) == (round % 2 == 0))
        }
    }

    @Test(arguments: [nil, Data("{\"a\": 1}".utf8)])
    func `what a kept connection does not lead to is asked for over a new one`(
        _ body: Data?
    ) async throws {
        let requests = Heard()
        let server = try Self.serverMisdirecting(requests, atFirst: false)
        defer { server.stop() }
        let request = TransportRequest.to(
            server.baseURL, method: body == nil ? .get : .post, body: body)
        let responses = try await CurlTransport().responses(to: [request, request])
        #expect(responses.map(\.head.status) == [.ok, .ok])
        #expect(requests.count == 3 && server.connectionCount == 2)
        let content = String(decoding: body ?? Data(), as: UTF8.self)
        #expect(requests.texts.allSatisfy { $0.hasSuffix("\r\n\r\n" + content) })
    }

    @Test func `what a new connection does not lead to is not asked for again`() async throws {
        let requests = Heard()
        let server = try Self.serverMisdirecting(requests, atFirst: true)
        defer { server.stop() }
        let request = TransportRequest.to(server.baseURL)
        let responses = try await CurlTransport().responses(to: [request, request])
        #expect(responses.map(\.head.status) == [.misdirectedRequest, .misdirectedRequest])
        #expect(requests.count == 3 && server.connectionCount == 2)
    }

    /// Says of requests that they have come to the wrong server, of the first on a connection where it is to.
    private static func serverMisdirecting(
        _ requests: Heard, atFirst: Bool
    ) throws -> RawServer {
        try RawServer { connection in
            var isMisdirecting = atFirst
            while true {
                requests.note(try connection.readRequest())
                let status = isMisdirecting ? "421 Misdirected Request" : "200 OK"
                try connection.send("HTTP/1.1 \(status)\r\nContent-Length: 2\r\n\r\n[]")
                isMisdirecting = true
            }
        }
    }

    /// Answers the first request on each connection, and hangs up once it has read the second and
    /// sent a part of its answer.
    private static func serverHangingUp(
        _ requests: Heard, after part: String
    ) throws -> RawServer {
        try RawServer { connection in
            requests.note(try connection.readRequest())
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]")
            requests.note(try connection.readRequest())
            try connection.send(part)
        }
    }
}
#endif
