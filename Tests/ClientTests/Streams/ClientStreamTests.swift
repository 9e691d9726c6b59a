import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Logging
import Testing

@testable import LarderClient

/// Content and lines that are read as they come.
@Suite struct ClientStreamTests {
    private static func client(
        answering text: String, type: String = "text/plain",
        _ configure: (inout Client.Configuration) -> Void = { _ in }
    ) throws -> Client {
        try TestClient.client(
            over: StubTransport(.json(text, headerFields: [.contentType: type])),
            configure)
    }

    private static func all<Element>(_ stream: ResponseStream<Element>) async throws -> [Element] {
        var elements: [Element] = []
        for try await element in stream { elements.append(element) }
        return elements
    }

    @Test func `a transport that knows of no streams gives the whole as one part`() async throws {
        let client = try Self.client(answering: "a\r\nb")
        #expect(try await Self.all(client.stream(.get("x"))) == [Data("a\r\nb".utf8)])
        #expect(try await Self.all(client.stream(.get("x")).lines()) == ["a", "b"])
        #expect(try await Self.all(Self.client(answering: "").stream(.get("x"))) == [])
        let error = await #expect(throws: ClientError.self) {
            _ = try await Self.all(client.stream(.get("x"), maximumSize: 3))
        }
        #expect((error?.underlying as? TransportError)?.reason == .limitExceeded)
    }

    @Test func `a recording has what is read`() async throws {
        let server = try RawServer(
            sending: "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 4\r\n\r\na\nb\n")
        defer { server.stop() }
        let recorder = RecordingTransport(through: PlatformTransport())
        let client = try TestClient.client(at: server.baseURL) { $0.transport = recorder }
        #expect(try await Self.all(client.stream(.get("x")).lines()) == ["a", "b"])
        let replay = try TestClient.client(at: server.baseURL) {
            $0.transport = StubTransport(playing: recorder.recording)
        }
        #expect(try await Self.all(replay.stream(.get("x")).lines()) == ["a", "b"])
    }

    @Test func `lines of JSON are decoded, blank ones passed over`() async throws {
        struct Point: Decodable, Equatable { var x: Int }
        let client = try Self.client(answering: "{\"x\":1}\r\n\n \t\n{\"x\":2}\n\r")
        #expect(
            try await Self.all(client.stream(.get("x"), as: Point.self)) == [
                Point(x: 1), Point(x: 2),
            ])
    }

    @Test func `a line that fits nothing is an error that has it, behind those before it`()
        async throws
    {
        let client = try Self.client(answering: "{\"id\":1,\"login\":\"ann\"}\nnothing\n")
        var users = client.stream(.get("x"), as: User.self).makeAsyncIterator()
        #expect(try await users.next()?.login == "ann")
        let error = await #expect(throws: ClientError.self) { try await users.next() }
        #expect(error?.reason == .malformedJSON)
        #expect(error?.body == Data("nothing".utf8))
        #expect(error?.url == "http://test.invalid/x" && error?.status == .ok)
        #expect(try client.store.fetch(User.all).map(\.id) == [1])
    }

    @Test func `a line that is too long is an error`() async throws {
        let client = try Self.client(answering: "abc\nabcd\n")
        let error = await #expect(throws: ClientError.self) {
            for try await line in client.stream(.get("x")).lines(maximumSize: 3) {
                #expect(line == "abc")
            }
        }
        #expect((error?.underlying as? TransportError)?.reason == .limitExceeded)
    }

    @Test func `an entity is stored when it is handed over, and live queries see it`() async throws
    {
        let gates = (0..<3).map { _ in Gate() }
        let server = try RawServer { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            for (index, gate) in gates.enumerated() {
                let line = "{\"id\":\(index),\"login\":\"ann\"}\n"
                try connection.send("\(String(line.utf8.count, radix: 16))\r\n\(line)\r\n")
                try gate.block()
            }
            try connection.send("0\r\n\r\n")
        }
        defer { server.stop() }
        let client = try TestClient.client(at: server.baseURL)
        var live = client.store.observe(User.all.sorted { $0.id.ascending }).makeAsyncIterator()
        #expect(try await live.next() == [])
        var count = 0
        for try await user in client.stream(.get("x"), as: User.self) {
            #expect(user.id == count)
            count += 1
            #expect(try client.store.fetch(User.all).count == count)
            #expect(try await live.next()?.count == count)
            gates[count - 1].open()
        }
        #expect(count == 3)
    }

    @Test func `what is read is in flight to its end, and can be cancelled there`() async throws {
        let ended = Gate()
        let server = try RawServer { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")
            connection.waitForClose()
            ended.open()
        }
        defer { server.stop() }
        let client = try TestClient.client(at: server.baseURL)
        let stream = client.stream(.get("x"))
        #expect(client.requestsInFlight.isEmpty)
        var parts = stream.makeAsyncIterator()
        #expect(try await parts.next() == Data("abc".utf8))
        #expect(client.requestsInFlight.count == 1)
        client.cancelAll()
        // Though nobody waits for anything.
        try await ended.wait()
        await #expect(throws: CancellationError.self) { try await parts.next() }
        #expect(client.requestsInFlight.isEmpty)
    }

    @Test func `a stream keeps its turn in the queue`() async throws {
        let server = try RawServer { connection in
            while let request = try? connection.readRequest() {
                let isStream = request.hasPrefix("GET /stream")
                try connection.send(
                    "HTTP/1.1 200 OK\r\nContent-Length: \(isStream ? 9 : 2)\r\n\r\n[]")
            }
        }
        defer { server.stop() }
        let queue = RequestQueue(maximumRequests: 1)
        let client = try TestClient.client(at: server.baseURL) { $0.queue = queue }
        var parts: ResponseStream<Data>.AsyncIterator? = client.stream(.get("stream"))
            .makeAsyncIterator()
        #expect(try await parts?.next() != nil)
        #expect(queue.underWayCount == 1)
        let other = client.enqueue(.get("other"), as: Data.self)
        #expect(queue.waitingCount == 1)
        parts = nil
        #expect(try await other.value.count == 2)
    }

    @Test func `validators refuse a stream by its head, and what it says is the error's`()
        async throws
    {
        let server = try RawServer(
            sending: "HTTP/1.1 404 Gone\r\nConnection: close\r\nContent-Length: 4\r\n\r\ngone")
        defer { server.stop() }
        let client = try TestClient.client(at: server.baseURL)
        let error = await #expect(throws: ClientError.self) {
            _ = try await Self.all(client.stream(.get("x")))
        }
        #expect(error?.reason == .unacceptableStatus && error?.status == .notFound)
        #expect(error?.body == Data("gone".utf8))
    }

    /// What an app may have configured beside, for its other requests.
    enum Setting: String, CaseIterable, Sendable {
        case plain, processors, progress, cache, queue, coalescing, keeping, observed, logged
        case retrying, authorized

        func apply(to configuration: inout Client.Configuration) {
            switch self {
            case .plain, .progress, .observed: break
            case .processors:
                configuration.processors = [
                    ResponseProcessor { response, _ in
                        var response = response
                        response.body = Data("c\n".utf8)
                        return response
                    }
                ]
            case .cache: configuration.cache = .inMemory()
            case .queue: configuration.queue = RequestQueue(maximumRequests: 1)
            case .coalescing: configuration.coalescing = .joining
            case .keeping: configuration.fetchPolicy = .networkFirst()
            case .logged:
                configuration.logger = LineHandler.logger(Seen<String>(), level: .trace)
            case .retrying: configuration.interceptors = [RetryInterceptor()]
            case .authorized:
                configuration.interceptors = [AuthorizationInterceptor(.bearer("a"))]
            }
        }
    }

    @Test func `what an interceptor makes anew is read all the same`() async throws {
        let server = try RawServer(
            sending: "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 4\r\n\r\na\nb\n")
        defer { server.stop() }
        let client = try TestClient.client(at: server.baseURL) {
            $0.interceptors = [
                ClosureInterceptor { request, next in
                    next(request).then { TransportResponse(head: $0.head, body: $0.body) }
                }
            ]
        }
        #expect(try await Self.all(client.stream(.get("x")).lines()) == ["a", "b"])
    }

    @Test(.timeLimit(.minutes(60)), arguments: Setting.allCases)
    func `it is read as it comes, and left, whatever else is configured`(
        _ setting: Setting
    ) async throws {
        let ended = Gate()
        let server = try RawServer { connection in
            let isLeft = try connection.readRequest().hasPrefix("GET /left")
            try connection.send(
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: \(isLeft ? 9 : 4)\r\n\r\na\nb\n"
            )
            guard isLeft else { return }
            connection.waitForClose()
            ended.open()
        }
        defer { server.stop() }
        var client = try TestClient.client(at: server.baseURL) { configuration in
            configuration.timeout = .seconds(3600)
            setting.apply(to: &configuration)
        }
        let owner = Seen<Int>()
        if setting == .progress { client = client.reportingProgress { _ in } }
        if setting == .observed { client.observeRequests(for: owner) { owner, _ in owner.note(1) } }
        for try await _ in client.stream(.get("left")) { break }
        try await ended.wait()
        #expect(try await Self.all(client.stream(.get("x")).lines()) == ["a", "b"])
        #expect(client.requestsInFlight.isEmpty)
    }

    @Test func `content of another type than the endpoint takes is refused before it is read`()
        async throws
    {
        struct Typed: Endpoint {
            let path = "x"
            let acceptedContentTypes = ["application/x-ndjson"]
        }
        let ended = Gate()
        let server = try RawServer { connection in
            _ = try connection.readRequest()
            try connection.send(
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9\r\n\r\nabc")
            connection.waitForClose()
            ended.open()
        }
        defer { server.stop() }
        let client = try TestClient.client(at: server.baseURL)
        let error = await #expect(throws: ClientError.self) {
            _ = try await Self.all(client.stream(Typed()))
        }
        #expect(error?.reason == .unacceptableContentType)
        try await ended.wait()
    }

    @Test func `what fails before its first byte is sent again, behind it nothing is`() async throws
    {
        let attempts = Guarded(0)
        let server = try RawServer { connection in
            _ = try connection.readRequest()
            let attempt = attempts.withLock { count in
                count += 1
                return count
            }
            try connection.send(
                attempt == 1
                    ? "HTTP/1.1 503 Busy\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
                    : "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")
        }
        defer { server.stop() }
        let client = try TestClient.client(at: server.baseURL) {
            $0.interceptors = [RetryInterceptor(backoff: .none)]
        }
        var parts = client.stream(.get("x")).makeAsyncIterator()
        #expect(try await parts.next() == Data("abc".utf8))
        await #expect(throws: ClientError.self) { try await parts.next() }
        #expect(attempts.withLock(\.self) == 2)
    }

    @Test func `observers hear of its end, and no log of its content`() async throws {
        let server = try RawServer { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabcdef")
        }
        defer { server.stop() }
        let lines = Seen<String>()
        let client = try TestClient.client(at: server.baseURL) {
            $0.logger = LineHandler.logger(lines, level: .trace)
        }
        let (words, failed) = (Seen<String>(), Gate())
        let owner = Seen<Void>()
        client.observeRequests(for: owner) { _, event in
            words.note(event.word)
            if event.isEnd { failed.open() }
        }
        await #expect(throws: ClientError.self) {
            _ = try await Self.all(
                client.stream(.get("x", query: ["access_token": "hidden"])))
        }
        try await failed.wait()
        #expect(words.values == ["began", "built", "sent", "received", "validated", "failed"])
        #expect(!lines.values.contains { $0.contains("hidden") || $0.contains("abcdef") })
        #expect(lines.values.contains { $0.contains("failed: ") })
        withExtendedLifetime(owner) {}
    }

    /// A client of a server that says more than it keeps, and what its observers and its logger hear.
    private static func hearing(
        _ content: String
    ) throws -> (
        client: Client, server: RawServer, words: Seen<String>, lines: Seen<String>, ended: Gate
    ) {
        let server = try RawServer(
            sending: "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n\(content)")
        let (words, lines, ended) = (Seen<String>(), Seen<String>(), Gate())
        let client = try TestClient.client(at: server.baseURL) {
            $0.logger = LineHandler.logger(lines, level: .debug)
        }
        client.observeRequests(for: words) { words, event in
            words.note(event.word)
            if event.isEnd { ended.open() }
        }
        return (client, server, words, lines, ended)
    }

    @Test(arguments: ["nothing\n", "{\"id\":1,\"login\":\"ann\"}\n"])
    func `observers and the log hear once of an error in the middle`(
        _ content: String
    ) async throws {
        let (client, server, words, lines, ended) = try Self.hearing(content)
        defer { server.stop() }
        await #expect(throws: ClientError.self) {
            _ = try await Self.all(client.stream(.get("x"), as: User.self))
        }
        try await ended.wait()
        #expect(words.values.last == "failed")
        #expect(lines.values.filter { $0.contains("failed: ") }.count == 1)
    }

    @Test(arguments: [true, false], [true, false])
    func `lines that are there are not given once cancelled`(
        _ isByTask: Bool, _ isOverSocket: Bool
    ) async throws {
        let content = String(repeating: "a\n", count: 1000)
        let server = try RawServer(
            sending: "HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n\(content)")
        defer { server.stop() }
        let client =
            isOverSocket
            ? try TestClient.client(at: server.baseURL) : try Self.client(answering: content)
        let reading = Task {
            for try await _ in client.stream(.get("x")).lines() {
                if isByTask {
                    withUnsafeCurrentTask { $0?.cancel() }
                } else {
                    client.cancelAll()
                }
            }
        }
        await #expect(throws: CancellationError.self) { try await reading.value }
    }

    @Test func `the head of a response can be waited for, before its first part`() async throws {
        let gate = Gate()
        let server = try RawServer { connection in
            let path = try connection.readRequest().prefix { $0 != "\r" }
            if path.hasPrefix("GET /old") {
                try connection.send(
                    "HTTP/1.1 302 Found\r\nLocation: /new\r\nContent-Length: 0\r\n\r\n")
                _ = try connection.readRequest()
            }
            try connection.send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 4\r\n\r\n")
            try gate.block()
            try connection.send("a\nb\n")
        }
        defer { server.stop() }
        let client = try TestClient.client(at: server.baseURL)
        var lines = client.stream(.get("old")).lines().makeAsyncIterator()
        let response = try #require(try await lines.response())
        #expect(response.status == .ok && response.headerFields[.eTag] == "\"1\"")
        #expect(response.url?.path == "/new" && response.redirects.map(\.path) == ["/old"])
        gate.open()
        #expect(try await lines.next() == "a")
        #expect(try await lines.next() == "b")
        #expect(try await lines.next() == nil)
        // And behind the last one.
        #expect(try await lines.response()?.headerFields[.eTag] == "\"1\"")
        #expect(client.requestsInFlight.isEmpty)
    }

    @Test func `waiting for the head throws what asking for a part would`() async throws {
        let server = try RawServer(
            sending: "HTTP/1.1 404 Gone\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
        defer { server.stop() }
        let client = try TestClient.client(at: server.baseURL)
        var parts = client.stream(.get("x")).makeAsyncIterator()
        let error = await #expect(throws: ClientError.self) { try await parts.response() }
        #expect(error?.status == .notFound)
        #expect(try await parts.next() == nil)
        #expect(try await parts.response() == nil)
    }

    @Test func `who sees the head may refuse the rest`() async throws {
        struct Unwanted: Error {}
        let ended = Gate()
        let server = try RawServer { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 9\r\n\r\nabc")
            connection.waitForClose()
            ended.open()
        }
        defer { server.stop() }
        let client = try TestClient.client(at: server.baseURL)
        let seen = Seen<String?>()
        let stream = client.stream(.get("x"))
            .onResponse { seen.note($0.headerFields[.eTag]) }
            .onResponse { _ in throw Unwanted() }
        await #expect(throws: Unwanted.self) { _ = try await Self.all(stream) }
        try await ended.wait()
        #expect(seen.values == ["\"1\""])
    }
}
