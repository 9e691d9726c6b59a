#if !canImport(Darwin)
import Foundation
import HTTPTypes
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// Connections of HTTP/2 by prior knowledge, which requests share, and what becomes of these where one ends.
@Suite struct CurlSharingTests {
    private let transport = HostileFramesTests.transport()

    @Test func `64 cold requests are under way at once over one connection`() async throws {
        let server = try RawServer { connection in
            let peer = try HTTP2Peer(connection)
            while true {
                let streams = try (0..<64).map { _ in try peer.request() }
                for stream in streams.reversed() { try peer.answer(stream, "\(stream)") }
            }
        }
        defer { server.stop() }
        for _ in 0..<3 {
            let responses = try await transport.responses(
                toAll: Array(repeating: .to(server.baseURL), count: 64))
            #expect(Set(responses.map(\.body)).count == 64)
        }
        #expect(server.connectionCount == 1)
    }

    /// libcurl 7.88 keeps what it holds back on its handle where others use the connection.
    @Test(.enabled(if: CurlHandle.pausesConnections))
    func `a stream that is left while it is held up leaves nothing to the next one`() async throws {
        @Sendable func content(_ name: String) -> [String] {
            Array(repeating: String(repeating: name, count: 5_000), count: 40)
        }
        let (begun, held) = (Gate(), [Gate(), Gate()])
        let server = try RawServer { connection in
            let peer = try HTTP2Peer(connection)
            _ = try peer.request()
            begun.open()
            for (name, gate) in zip(["ann", "bob"], held) {
                let stream = try peer.request()
                try peer.send(HTTP2Frame.fields(HPACK.ok, stream: stream))
                for part in content(name) {
                    try peer.send(HTTP2Frame.data(part, [], stream: stream))
                }
                // Who answers this has read all that came before.
                try peer.send(HTTP2Frame.bytes(.ping, [], Array(repeating: 0, count: 8)))
                while try peer.frame().kind != HTTP2Frame.Kind.ping.rawValue {}
                gate.open()
                if name == "bob" { try peer.send(HTTP2Frame.data("", stream: stream)) }
            }
            peer.waitForClose()
        }
        defer { server.stop() }
        let client = try TestClient.client(over: transport, at: server.baseURL.absoluteString)
        let beside = client.enqueue(.get("beside"), as: Data.self)
        try await begun.wait()
        do {
            var left = client.stream(.get("ann")).makeAsyncIterator()
            _ = try await left.next()
            try await held[0].wait()
        }
        var parts = client.stream(.get("bob")).makeAsyncIterator()
        var received = try #require(try await parts.next())
        try await held[1].wait()
        while let part = try await parts.next() { received += part }
        #expect(received == Data(content("bob").joined().utf8))
        beside.cancel()
    }

    @Test func `only the hosts that are set speak HTTP-2 by prior knowledge`() async throws {
        let server = try RawServer(sending: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]")
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.httpVersionsOfHosts["localhost"] = .priorKnowledge
        let transport = CurlTransport(configuration: configuration)
        let response = try await transport.response(to: .to(server.baseURL))
        #expect(response.body == Data("[]".utf8))
        var request = TransportRequest.to(server.baseURL)
        request.head.authority = "localhost:\(server.port)"
        let error = await transport.error(of: request)
        #expect(error?.reason == .connectionLost)
    }

    @Test(arguments: ["GET", "POST", "PATCH", "DELETE"])
    func `content goes over HTTP-2 where nothing else is spoken`(_ name: String) async throws {
        let server = try RawServer { connection in
            let peer = try HTTP2Peer(connection)
            while true {
                let stream = try peer.request()
                try peer.answer(stream, "\(try peer.readContent(of: stream))")
            }
        }
        defer { server.stop() }
        let method = try #require(HTTPRequest.Method(name))
        for count in [1, 1000, 60_000] {
            let response = try await transport.response(
                to: .to(server.baseURL, method: method, body: Data(count: count)))
            #expect(String(decoding: response.body, as: UTF8.self) == "\(count)")
        }
    }

    @Test(arguments: [
        ("GET", false), ("POST", false), ("SEARCH", false), ("GET", true), ("DELETE", true),
    ])
    func `a request that was not looked at is sent again once`(
        _ name: String, _ byGoAway: Bool
    ) async throws {
        let requests = Seen<UInt32>()
        let server = try Self.serverRefusing(requests, times: 1, byGoAway: byGoAway)
        defer { server.stop() }
        let method = try #require(HTTPRequest.Method(name))
        let response = try await transport.response(to: .to(server.baseURL, method: method))
        #expect(response.body == Data("[]".utf8))
        #expect(requests.count == 2)
    }

    @Test(arguments: [
        ("GET", false), ("POST", false), ("SEARCH", false), ("GET", true), ("DELETE", true),
    ])
    func `a request that is never looked at is given up`(
        _ name: String, _ byGoAway: Bool
    ) async throws {
        let requests = Seen<UInt32>()
        let server = try Self.serverRefusing(requests, times: .max, byGoAway: byGoAway)
        defer { server.stop() }
        let method = try #require(HTTPRequest.Method(name))
        let error = await transport.error(of: .to(server.baseURL, method: method))
        #expect(error?.reason == .connectionLost)
        #expect(requests.count == 2)
    }

    @Test(arguments: ["GET", "POST", "SEARCH"])
    func `requests that share a connection which goes away, and stays open, all end`(
        _ name: String
    ) async throws {
        let connections = Seen<Int>()
        let server = try RawServer { connection in
            let isFirst = connections.add(1) == 0
            let peer = try HTTP2Peer(connection)
            if isFirst {
                for _ in 0..<8 { _ = try peer.request() }
                try peer.send(HTTP2Frame.goAway(0, last: 0))
                peer.waitForClose()
            }
            while true { try peer.answer(try peer.request()) }
        }
        defer { server.stop() }
        let method = try #require(HTTPRequest.Method(name))
        let request = TransportRequest.to(
            server.baseURL, method: method, timeout: .seconds(60))
        let reasons = Seen<TransportError.Reason?>()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { reasons.note(await transport.error(of: request)?.reason) }
            }
        }
        // Nobody tells whether those that are not idempotent were looked at.
        let isIdempotent = method == .get
        #expect(
            reasons.values == Array(repeating: isIdempotent ? nil : .connectionLost, count: 8))
    }

    @Test(arguments: [("GET", 1), ("GET", 8), ("POST", 1), ("POST", 8)])
    func `requests behind a connection's last one all end, also where it stays open`(
        _ name: String, _ count: Int
    ) async throws {
        let connections = Seen<Int>()
        let server = try RawServer { connection in
            let isFirst = connections.add(1) == 0
            let peer = try HTTP2Peer(connection)
            if isFirst {
                let stream = try peer.request()
                try peer.answer(stream)
                try peer.send(HTTP2Frame.goAway(0, last: stream))
                peer.waitForClose()
            }
            while true { try peer.answer(try peer.request()) }
        }
        defer { server.stop() }
        let method = try #require(HTTPRequest.Method(name))
        let request = TransportRequest.to(
            server.baseURL, method: method, timeout: .seconds(20))
        let reasons = Seen<TransportError.Reason?>()
        for _ in 0..<20 {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<count {
                    group.addTask { reasons.note(await transport.error(of: request)?.reason) }
                }
            }
        }
        let others = reasons.values.filter { $0 != nil && $0 != .connectionLost }
        #expect(reasons.count == 20 * count && others.isEmpty)
    }

    @Test(arguments: [0, 11] as [UInt32])
    func `64 requests cause no storm where a server always goes away`(
        _ code: UInt32
    ) async throws {
        let requests = Seen<UInt32>()
        let server = try RawServer { connection in
            let peer = try HTTP2Peer(connection)
            requests.note(try peer.request())
            try peer.send(HTTP2Frame.goAway(code, last: 0))
            while true { requests.note(try peer.request()) }
        }
        defer { server.stop() }
        let failures = Seen<TransportError.Reason?>()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<64 {
                group.addTask {
                    failures.note(await transport.error(of: .to(server.baseURL))?.reason)
                }
            }
        }
        #expect(failures.values == Array(repeating: .connectionLost, count: 64))
        #expect(requests.count <= 128)
    }

    @Test func `requests above the last stream go elsewhere, those below are answered`()
        async throws
    {
        let requests = Seen<UInt32>()
        let connections = Seen<Int>()
        let server = try RawServer { connection in
            let isFirst = connections.add(1) == 0
            let peer = try HTTP2Peer(connection)
            guard isFirst else {
                while true {
                    let stream = try peer.request()
                    requests.note(stream)
                    try peer.answer(stream)
                }
            }
            let streams = try (0..<64).map { _ in try peer.request() }
            try peer.send(HTTP2Frame.goAway(0, last: streams[31]))
            for stream in streams[..<32] { try peer.answer(stream) }
            peer.waitForClose()
        }
        defer { server.stop() }
        let responses = try await transport.responses(
            toAll: Array(repeating: .to(server.baseURL), count: 64))
        #expect(responses.count == 64)
        #expect((32...64).contains(requests.count))
    }

    /// Above the last stream nothing has been processed; below it, where no answer came, anything may have been.
    @Test func `a server that goes away has processed no POST twice, and each GET is answered`()
        async throws
    {
        let processed = Seen<String>()
        let connections = Seen<Int>()
        let server = try RawServer { connection in
            let isFirst = connections.add(1) == 0
            let peer = try HTTP2Peer(connection)
            guard isFirst else {
                while true {
                    let (stream, content) = try peer.wholeRequest()
                    processed.note(content)
                    try peer.answer(stream)
                }
            }
            let requests = try (0..<64).map { _ in try peer.wholeRequest() }
            let streams = requests.map(\.stream).sorted()
            for request in requests where request.stream <= streams[31] {
                processed.note(request.content)
            }
            try peer.send(HTTP2Frame.goAway(0, last: streams[31]))
            for stream in streams[..<16] { try peer.answer(stream) }
        }
        defer { server.stop() }
        let results = await withTaskGroup(of: (isPost: Bool, TransportError?).self) { group in
            for index in 0..<64 {
                let isPost = index % 2 == 1
                let request = TransportRequest.to(
                    server.baseURL, method: isPost ? .post : .get,
                    body: isPost ? Data("\(index)".utf8) : nil)
                group.addTask { (isPost, await transport.error(of: request)) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let posts = processed.values.filter { !$0.isEmpty }
        #expect(Set(posts).count == posts.count)
        #expect(results.count == 64 && results.allSatisfy { $0.isPost || $0.1 == nil })
        let lost = results.compactMap(\.1)
        #expect(!lost.isEmpty && lost.allSatisfy { $0.reason == .connectionLost }, "\(lost)")
    }

    @Test(arguments: ["GET", "POST"])
    func `a request that may have been looked at is sent again only if it is idempotent`(
        _ name: String
    ) async throws {
        let requests = Seen<UInt32>()
        let server = try RawServer { connection in
            let peer = try HTTP2Peer(connection)
            let isFirst = requests.add(try peer.request()) == 0
            guard isFirst else { return }
            try peer.answer(1)
            requests.note(try peer.request())
        }
        defer { server.stop() }
        let method = try #require(HTTPRequest.Method(name))
        let error = await transport.error(ofSecond: .to(server.baseURL, method: method))
        #expect(error?.reason == .connectionLost)
        #expect(requests.count == (method == .get ? 3 : 2))
    }

    @Test func `a connection through which nothing comes any more is left`() async throws {
        let connections = Seen<Int>()
        let server = try RawServer { connection in
            let isFirst = connections.add(1) == 0
            let peer = try HTTP2Peer(connection)
            try peer.answer(try peer.request())
            while true {
                let stream = try peer.request()
                if !isFirst { try peer.answer(stream) }
            }
        }
        defer { server.stop() }
        _ = try await transport.response(to: .to(server.baseURL))
        let error = await transport.error(
            of: .to(server.baseURL, timeout: .milliseconds(200)))
        #expect(error?.reason == .timedOut)
        let response = try await transport.response(to: .to(server.baseURL))
        #expect(response.body == Data("[]".utf8))
        #expect(connections.count == 2)
    }

    @Test func `a slow answer doesn't cost others their connection`() async throws {
        let server = try RawServer { connection in
            let peer = try HTTP2Peer(connection)
            var held: [UInt32] = []
            // The first is never answered, and the fourth says so.
            while true {
                let stream = try peer.request()
                held.append(stream)
                if held.count != 1 { try peer.answer(stream) }
            }
        }
        defer { server.stop() }
        let isOver = Gate()
        transport.send(.to(server.baseURL, timeout: .seconds(3))) { _ in isOver.open() }
        for _ in 0..<5 { _ = try await transport.response(to: .to(server.baseURL)) }
        try await isOver.wait()
        _ = try await transport.response(to: .to(server.baseURL))
        #expect(server.connectionCount == 1)
    }

    @Test func `requests beyond a server's streams go over further connections, or wait`()
        async throws
    {
        let server = try RawServer { connection in
            let peer = try HTTP2Peer(connection, greeting: HTTP2Frame.settings([(3, 10)]))
            while true { try peer.answer(try peer.request()) }
        }
        defer { server.stop() }
        let responses = try await transport.responses(
            toAll: Array(repeating: .to(server.baseURL), count: 64))
        #expect(responses.count == 64)
    }

    @Test(arguments: [0, 1000])
    func `a request may be answered before its content is read, where the stream is ended`(
        _ count: Int
    ) async throws {
        let server = try RawServer { connection in
            let peer = try HTTP2Peer(connection)
            while true {
                let stream = try peer.request()
                try peer.send(
                    HTTP2Frame.fields(HPACK.ok + HPACK.field("content-length", "2"), stream: stream)
                        + HTTP2Frame.data("[]", stream: stream)
                        + HTTP2Frame.reset(0, stream: stream))
            }
        }
        defer { server.stop() }
        let request = TransportRequest.to(
            server.baseURL, method: .post, body: Data(count: count), timeout: .seconds(60))
        // libcurl 7.88 drops what has come with the end where it has not sent all of the content by then: here,
        // where the thread is held up just then; always, where that is more than may be sent at once.
        try await withKnownIssue("libcurl drops what came", isIntermittent: true) {
            let response = try await transport.response(to: request)
            #expect(response.body == Data("[]".utf8))
        } when: {
            count > 0 && CurlHandle.looksAhead
        } matching: { issue in
            (issue.error as? TransportError)?.code == 92
        }
    }

    @Test func `what a server gives up is asked for again`() async throws {
        let requests = Seen<UInt32>()
        let server = try RawServer { connection in
            let peer = try HTTP2Peer(connection)
            while true {
                let stream = try peer.request()
                if requests.add(stream) < 1 {
                    try peer.send(HTTP2Frame.reset(2, stream: stream))
                } else {
                    try peer.answer(stream)
                }
            }
        }
        defer { server.stop() }
        let client = try TestClient.client(over: transport, at: server.baseURL.absoluteString) {
            $0.interceptors = [RetryInterceptor(backoff: .none)]
        }
        let content = try await client.enqueue(.get("x"), as: Data.self).value
        #expect(content == Data("[]".utf8) && requests.count == 2)
    }

    /// Says of the first requests that it has not looked at them, by the end of the stream or of the connection, and
    /// answers all others.
    private static func serverRefusing(
        _ requests: Seen<UInt32>, times: Int, byGoAway: Bool
    ) throws -> RawServer {
        try RawServer { connection in
            let peer = try HTTP2Peer(connection)
            while true {
                let stream = try peer.request()
                guard requests.add(stream) < times else {
                    try peer.answer(stream)
                    continue
                }
                try peer.send(
                    byGoAway
                        ? HTTP2Frame.goAway(0, last: stream - 1)
                        : HTTP2Frame.reset(7, stream: stream))
            }
        }
    }
}

extension Transport {
    /// Performs exchanges all at once.
    func responses(toAll requests: [TransportRequest]) async throws -> [TransportResponse] {
        try await withThrowingTaskGroup(of: TransportResponse.self) { group in
            for request in requests {
                group.addTask { try await response(to: request) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}
#endif
