#if !canImport(Darwin)
import Foundation
import HTTPTypes
import LarderPromises
import LarderTesting
import Synchronization
import TestProgram
import Testing

@testable import LarderClient

/// What holds over TLS, against servers that are processes of their own.
@Suite(.enabled(if: TLSServer.isPossible, "There is no python3 or no openssl on the PATH."))
struct CurlTransportTLSTests {
    @Test
    func `over TLS the handshake has its own time`() async throws {
        let server = try await TLSServer(.echo)
        defer { server.stop() }
        let requests = ["/0", "/1"].map { path in
            var request = TransportRequest.secure(server.baseURL, path)
            request.isTimed = true
            return request
        }
        let transport = CurlTransport(configuration: server.configuration)
        let responses = try await transport.responses(to: requests)
        let timings = try responses.map { try #require($0.timings) }
        #expect(timings.map(\.isConnectionReused) == [false, true])
        #expect(timings[0].connect != nil && timings[0].secureConnect != nil)
        #expect(timings[1].secureConnect == nil)
    }

    @Test func `a connection is used again`() async throws {
        let server = try await TLSServer(.echo)
        defer { server.stop() }
        let transport = CurlTransport(configuration: server.configuration)
        let paths = ["/0", "/1", "/2", "/3", "/4", "/5"]
        let requests = paths.enumerated().map { index, path in
            TransportRequest.secure(
                server.baseURL, path, method: index.isMultiple(of: 2) ? .get : .post)
        }
        let texts = try await transport.responses(to: requests)
            .map { String(decoding: $0.body, as: UTF8.self) }
        #expect(texts == paths.map { "1 \($0)" })
    }

    /// libcurl hands a connection on to the next request before it says that the one before it has been answered.
    @Test func `requests that overlap need no more connections than there are at once`()
        async throws
    {
        let server = try await TLSServer(.echo)
        defer { server.stop() }
        let requests = (0..<500).map {
            TransportRequest.secure(
                server.baseURL, "/\($0)", method: .post, body: Data("a".utf8))
        }
        let texts = try await CurlTransport(configuration: server.configuration)
            .texts(of: requests, atOnce: 16)
        #expect(texts.enumerated().allSatisfy { $1.hasSuffix(" /\($0)") })
        let numbers = Set(texts.compactMap { $0.split(separator: " ").first })
        #expect(numbers.count <= 24)
    }

    @Test func `what a server ends in its handshake is begun again`() async throws {
        let server = try await TLSServer(.restarting)
        defer { server.stop() }
        let clock = ManualClock()
        let client = try TestClient.client(at: server.baseURL) {
            $0.transport = CurlTransport(configuration: server.configuration)
            $0.interceptors = [RetryInterceptor(attempts: 2, backoff: .none, clock: clock)]
        }
        var texts: [String] = []
        for _ in 0..<3 {
            texts.append(try await client.enqueue(.post("post"), as: String.self).value)
        }
        #expect(texts == [1, 3, 5].map { "data: \($0) /post\n\n" })
        let passing = Task {
            while !Task.isCancelled {
                await clock.sleepers(atLeast: 1)
                clock.advance(by: .seconds(3))
            }
        }
        defer { passing.cancel() }
        let events = client.configured { $0.interceptors = [] }
            .events(.get("feed"), reconnection: Reconnection(backoff: .none, clock: clock))
        var data: [String] = []
        for try await event in events {
            data.append(event.data)
            if data.count == 3 { break }
        }
        #expect(data == [7, 9, 11].map { "\($0) /feed" })
    }

    @Test(arguments: [TLSServer.Behaviour.unaskedBehindLength, .unaskedBehindChunks])
    func `what comes unasked behind the content answers no request`(
        _ behaviour: TLSServer.Behaviour
    ) async throws {
        let server = try await TLSServer(behaviour)
        defer { server.stop() }
        let transport = CurlTransport(configuration: server.configuration)
        for path in ["/0", "/1", "/2", "/3", "/4"] {
            for method in [HTTPRequest.Method.get, .post] {
                #expect(try await text(of: transport, server, path, method) == path)
            }
        }
    }

    @Test func `content that is longer than it is said to be spoils no other response`()
        async throws
    {
        let server = try await TLSServer(.long)
        defer { server.stop() }
        let transport = CurlTransport(configuration: server.configuration)
        for path in ["/0", "/1", "/2", "/3", "/4"] {
            for method in [HTTPRequest.Method.get, .post] {
                #expect(try await text(of: transport, server, path, method) == path)
            }
        }
    }

    @Test(arguments: [
        TLSServer.Behaviour.earlyWithoutContent, .earlyWithLength, .earlyWithoutLength,
    ])
    func `a request may be answered before its content is read`(
        _ behaviour: TLSServer.Behaviour
    ) async throws {
        let server = try await TLSServer(behaviour)
        defer { server.stop() }
        let transport = CurlTransport(configuration: server.configuration)
        let isEmpty = behaviour == .earlyWithoutContent
        for size in Array(repeating: 5, count: 20) + [0, 70_000, 0, 70_000] {
            #expect(try await text(of: transport, server, "/") == (isEmpty ? "" : "2"))
            let body = Data(repeating: 0x20, count: size)
            let text = try await text(of: transport, server, "/", .post, body)
            #expect(text == (isEmpty ? "" : "1"))
        }
    }

    @Test func `what is read as it comes is asked for over HTTP-1, where it could stop others`()
        async throws
    {
        let server = try await TLSServer(.earlyWithLength)
        defer { server.stop() }
        let transport = CurlTransport(configuration: server.configuration)
        #expect(try await text(of: transport, server, "/") == "2")
        let client = try TestClient.client(at: server.baseURL) { $0.transport = transport }
        var content = Data()
        for try await part in client.stream(.get("")) { content += part }
        #expect(content == Data((CurlHandle.pausesConnections ? "1" : "2").utf8))
    }

    @Test func `beside one with content over HTTP-1, requests go over connections of their own`()
        async throws
    {
        let server = try await TLSServer(.paths)
        defer { server.stop() }
        let transport = CurlTransport(configuration: server.configuration)
        let isAnswered = Gate()
        let held = Seen<String>()
        // Its connection is to be the first.
        transport.send(
            .secure(server.baseURL, "/held", method: .post, body: Data("a".utf8))
        ) { result in
            held.note((try? result.get()).map { String(decoding: $0.body, as: UTF8.self) } ?? "")
            isAnswered.open()
        }
        for path in ["/0", "/1", "/2", "/3", "/4"] {
            #expect(try await text(of: transport, server, path) == path)
        }
        try await isAnswered.wait()
        #expect(held.values == ["/held"])
    }

    @Test func `a request that a server had no time for any more is sent again`() async throws {
        let server = try await TLSServer(.goingAway)
        defer { server.stop() }
        let transport = CurlTransport(configuration: server.configuration)
        for path in ["/1", "/2", "/3", "/4", "/5", "/6"] {
            #expect(try await text(of: transport, server, path) == path)
        }
    }

    @Test func `it is sent again also where nothing has come over the connection before`()
        async throws
    {
        let server = try await TLSServer(.goingAway)
        defer { server.stop() }
        let transport = CurlTransport(configuration: server.configuration)
        let isOver = Gate()
        var request = TransportRequest.secure(server.baseURL, "/0")
        request.timeout = .milliseconds(300)
        transport.send(request) { _ in isOver.open() }
        try await isOver.wait()
        for path in ["/2", "/3", "/4"] {
            #expect(try await text(of: transport, server, path) == path)
        }
    }

    @Test func `each of 2,000 requests over both versions gets its own answer`() async throws {
        let server = try await TLSServer(.paths)
        defer { server.stop() }
        let run = MixedRun(
            CurlTransport(configuration: server.configuration), to: server.baseURL, count: 2000)
        for lane in 0..<12 { run.send(in: lane) }
        try await run.isOver.wait()
        #expect(run.faults == [])
        #expect(run.answerCount > 500)
    }

    @Test(arguments: [
        (TLSServer.Certificate.expired, "The server's certificate has expired."),
        (.selfSigned, "The server's certificate is not trusted."),
        (.otherHost, "The server's certificate is for another host."),
    ])
    func `an error says what is wrong with a certificate`(
        _ certificate: TLSServer.Certificate, _ message: String
    ) async throws {
        let server = try await TLSServer(.echo, certificate: certificate)
        defer { server.stop() }
        let transport = CurlTransport(configuration: server.configuration)
        let error = await transport.error(of: .secure(server.baseURL))
        #expect(error == TransportError(.secureConnectionFailed, message, code: 60))
    }

    @Test func `an error says that nobody vouches for a certificate`() async throws {
        let server = try await TLSServer(.echo)
        defer { server.stop() }
        let other = try await TLSServer(.echo)
        defer { other.stop() }
        let transport = CurlTransport(configuration: other.configuration)
        let error = await transport.error(of: .secure(server.baseURL))
        #expect(error?.message == "The server's certificate is not trusted.")
    }

    @Test func `the environment changes nothing about trust, proxies and passwords`() async throws {
        let server = try await TLSServer(.echo)
        defer { server.stop() }
        let requests = Seen<String>()
        let plain = try RawServer { connection in
            requests.note(try connection.readRequest())
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]")
        }
        defer { plain.stop() }
        let authority = server.path(of: "authority.pem")
        try Data("machine 127.0.0.1 login ann password secret\n".utf8)
            .write(to: URL(filePath: server.path(of: ".netrc")))
        let environment =
            ["SSL_CERT_FILE", "CURL_CA_BUNDLE"].map { "\($0)=\(authority)" }
            + ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
            .map { "\($0)=http://127.0.0.1:1" }
            + ["SSL_CERT_DIR", "HOME", "CURL_HOME"].map { "\($0)=\(server.path(of: ""))" }
            + ["NETRC=\(server.path(of: ".netrc"))"]
        for (url, end) in [
            (server.baseURL.absoluteString, "secureConnectionFailed"), ("\(plain.baseURL)", "0"),
        ] {
            let run = try await TestProgram(at: URL(filePath: "/usr/bin/env")).run(
                environment + [
                    try TestProgram(builtAs: "FaultRunner").path, "exchange", url,
                    "\(plain.baseURL)", "600000", "1048576", "1.1",
                ])
            #expect(run.output.hasPrefix(end + " "), "\(url): \(run.output) \(run.errors)")
        }
        #expect(requests.count == 3)
        #expect(requests.values.allSatisfy { !$0.lowercased().contains("authorization") })
    }

    @Test func `an error says that a server is too old`() async throws {
        let server = try await TLSServer(.old)
        defer { server.stop() }
        let transport = CurlTransport(configuration: server.configuration)
        let error = await transport.error(of: .secure(server.baseURL))
        #expect(
            error
                == TransportError(
                    .secureConnectionFailed, "The server speaks no TLS version that is safe.",
                    code: 35))
    }

    @Test(arguments: [
        (
            "HTTP/1.1 400 Bad Request\r\n\r\n", TransportError.Reason.secureConnectionFailed,
            "The server does not speak TLS on this port."
        ),
        ("", .connectionLost, "The server ended the connection during the TLS handshake."),
    ])
    func `an error says that a server doesn't speak TLS`(
        _ answer: String, _ reason: TransportError.Reason, _ message: String
    ) async throws {
        let server = try RawServer { connection in
            try connection.send(answer)
            if !answer.isEmpty { connection.waitForClose() }
        }
        defer { server.stop() }
        // Where there is none of the system's, libcurl doesn't begin without an authority.
        let other = try await TLSServer(.echo)
        defer { other.stop() }
        let transport = CurlTransport(configuration: other.configuration)
        let error = await transport.error(of: .secure(server.baseURL))
        #expect(error == TransportError(reason, message, code: 35))
    }

    private func text(
        of transport: CurlTransport, _ server: TLSServer, _ path: String,
        _ method: HTTPRequest.Method = .get, _ body: Data? = nil
    ) async throws -> String {
        let response = try await transport.response(
            to: .secure(server.baseURL, path, method: method, body: body))
        return String(decoding: response.body, as: UTF8.self)
    }
}

/// Requests over HTTP/1.1 and HTTP/2 in a few lanes, one after the other in each; the end of one now and
/// then cancels that of another lane.
private final class MixedRun: Sendable {
    private struct State {
        var sent = 0
        var ended = 0
        var answered = 0
        var tasks: [Int: any TransportTask] = [:]
        var faults: [String] = []
    }

    private let transport: CurlTransport
    private let baseURL: URL
    private let count: Int
    private let state = Mutex(State())
    let isOver = Gate()

    init(_ transport: CurlTransport, to baseURL: URL, count: Int) {
        self.transport = transport
        self.baseURL = baseURL
        self.count = count
    }

    var answerCount: Int { state.withLock(\.answered) }
    var faults: [String] { state.withLock(\.faults) }

    func send(in lane: Int) {
        let index = state.withLock { state -> Int? in
            guard state.sent < count else { return nil }
            state.sent += 1
            return state.sent
        }
        guard let index else { return }
        let path = "/\(index)"
        let isPost = index % 3 == 1
        let task = transport.send(
            .secure(
                baseURL, path, method: isPost ? .post : .get,
                body: isPost ? Data("a".utf8) : nil)
        ) { result in
            self.end(result, of: path)
            self.send(in: lane)
        }
        state.withLock { $0.tasks[lane] = task }
    }

    private func end(_ result: Result<TransportResponse, TransportError>, of path: String) {
        let (other, isLast) = state.withLock { state in
            state.ended += 1
            switch result {
            case .success(let response):
                state.answered += 1
                let text = String(decoding: response.body, as: UTF8.self)
                if text != path { state.faults.append("\(text) instead of \(path)") }
            case .failure(let error):
                if error.reason != .cancelled { state.faults.append("\(error) for \(path)") }
            }
            let other = Int.random(in: 0..<3) == 0 ? state.tasks.values.randomElement() : nil
            return (other, state.ended == count)
        }
        other?.cancel()
        if isLast { isOver.open() }
    }
}
#endif
