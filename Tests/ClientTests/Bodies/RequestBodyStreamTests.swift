import Foundation
import HTTPTypes
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

@Suite struct RequestBodyStreamTests {
    private struct Cut: Error {}

    private struct Parts: AsyncSequence, Sendable {
        struct Iterator: AsyncIteratorProtocol {
            var rest: ArraySlice<[UInt8]>
            mutating func next() async -> [UInt8]? { rest.popFirst() }
        }

        let parts: [[UInt8]]
        func makeAsyncIterator() -> Iterator { Iterator(rest: parts[...]) }
    }

    /// The law: what is sent is what came, one behind the other.
    @Test(arguments: 0..<30)
    func `parts are sent one behind the other, whatever their sizes`(_ seed: Int) async throws {
        var random = SplitMix(seed: UInt64(seed))
        let largest = [3, 1_000, 400_000][seed % 3]
        let parts = (0..<Int.random(in: 0...8, using: &random)).map { _ in
            (0..<Int.random(in: 0...largest, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
        }
        let expected = Data(parts.joined())
        let whole = try await RequestBody.stream(Parts(parts: parts)).gathered().encoded()
        #expect(whole.data == expected)
        #expect(whole.contentType == "application/octet-stream")
        guard largest < 400_000 else { return }
        let bytes = AsyncStream { continuation in
            for byte in expected { continuation.yield(byte) }
            continuation.finish()
        }
        let single = try await RequestBody.stream(bytes, contentType: nil).gathered().encoded()
        #expect(single.data == expected)
        #expect(single.contentType == nil)
    }

    @Test func `a server gets it with its length, also behind a redirect`() async throws {
        let server = try await LoopbackServer()
        server.route(
            .post, "/a", .init(status: .temporaryRedirect, headerFields: [.location: "/b"]))
        server.route(.post, "/b") { request in
            let length = request.headerFields[.contentLength] ?? ""
            let text = "\(length) \(request.body.count) \(request.body.first ?? 0)"
            return .init(status: .ok, body: Data(text.utf8))
        }
        let client = try TestClient.client(at: server.baseURL)
        let parts = Parts(parts: (0..<40).map { Array(repeating: $0 + 1, count: 50_000) })
        let answer: String = try await client.enqueue(.post("a", body: .stream(parts))).value
        #expect(answer == "2000000 2000000 1")
        #expect(server.requests.map(\.body.count) == [2_000_000, 2_000_000])
        await server.stop()
    }

    @Test func `what a sequence throws is the cause, and nothing is sent`() async throws {
        let transport = HeldTransport()
        let client = try TestClient.client(over: transport)
        let parts = AsyncThrowingStream<Data, any Error> { continuation in
            continuation.yield(Data([1]))
            continuation.finish(throwing: Cut())
        }
        let promise: Promise<Void> = client.enqueue(.post("x", body: .stream(parts)))
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.reason == .invalidRequest)
        #expect(error?.underlying is Cut)
        #expect(transport.requests.isEmpty && client.requestsInFlight.isEmpty)
    }

    @Test func `cancelling ends the sequence, and nothing is sent`() async throws {
        let transport = HeldTransport()
        let client = try TestClient.client(over: transport)
        let ended = Gate()
        let (parts, continuation) = AsyncStream.makeStream(of: Data.self)
        continuation.onTermination = { _ in ended.open() }
        continuation.yield(Data([1]))
        let promise: Promise<Void> = client.enqueue(.post("x", body: .stream(parts)))
        promise.cancel()
        await #expect(throws: CancellationError.self) { try await promise.value }
        try await ended.wait()
        #expect(transport.requests.isEmpty && client.requestsInFlight.isEmpty)
    }

    @Test func `sequences that bring nothing hold up no other request`() async throws {
        let client = try TestClient.client(over: StubTransport(.json("[]")))
        let (never, continuation) = AsyncStream.makeStream(of: Data.self)
        let waiting: [Promise<Void>] = (0..<2 * Client.maximumLongEncodings).map { _ in
            client.enqueue(.post("x", body: .multipart([.body("a", .stream(never))])))
        }
        let file = try TemporaryFile(named: "a.txt", Data([1]))
        try await client.enqueue(.post("y", body: .file(file.url)), as: Void.self).value
        try await client.enqueue(.post("z", body: .text("a")), as: Void.self).value
        for promise in waiting { promise.cancel() }
        continuation.finish()
    }

    private struct Counted: Endpoint {
        let asked: Seen<Void>
        let isStream: Bool
        let method = HTTPRequest.Method.post
        let path = "x"
        var body: RequestBody? {
            asked.note(())
            return isStream ? .stream(Parts(parts: [[1]])) : .json(["a": 1])
        }
    }

    @Test(arguments: [true, false], [true, false])
    func `an endpoint is asked for its content once, however often that is sent`(
        isStream: Bool, isPaged: Bool
    ) async throws {
        let transport = StubTransport(.json("[]"))
        let client = try TestClient.client(over: transport) {
            $0.interceptors = [
                ClosureInterceptor { request, next in next(request).then { _ in next(request) } }
            ]
        }
        let asked = Seen<Void>()
        let endpoint = Counted(asked: asked, isStream: isStream)
        if isPaged {
            for try await _ in client.pages(endpoint, as: [User].self) {}
        } else {
            try await client.enqueue(endpoint, as: Void.self).value
        }
        #expect(transport.requests.count == 2 && asked.count == 1)
        let sent = isStream ? Data([1]) : Data(#"{"a":1}"#.utf8)
        #expect(transport.requests.allSatisfy { $0.body == sent })
    }

    /// An endpoint whose request is that of a changed copy.
    private struct Stamped: Endpoint {
        let asked: Seen<Void>
        let isStream: Bool
        var nonce = "none"
        let method = HTTPRequest.Method.post
        let path = "x"
        var headerFields: HTTPFields { [.named("X-Nonce"): nonce] }
        var body: RequestBody? {
            asked.note(())
            return isStream ? .stream(Parts(parts: [[1]])) : .json(["nonce": nonce])
        }

        func request(baseURL: URL) throws -> TransportRequest {
            var copy = self
            copy.nonce = "stamped"
            return try TransportRequest(copy, baseURL: baseURL)
        }
    }

    @Test func `a changed copy has its own content, and a stream is begun once`() async throws {
        let transport = StubTransport(.json("[]"))
        let client = try TestClient.client(over: transport)
        for isStream in [false, true] {
            let asked = Seen<Void>()
            try await client.enqueue(Stamped(asked: asked, isStream: isStream), as: Void.self).value
            let request = try #require(transport.requests.last)
            #expect(request.head.headerFields[.named("X-Nonce")] == "stamped")
            #expect(request.body == (isStream ? Data([1]) : Data(#"{"nonce":"stamped"}"#.utf8)))
            #expect(!isStream || asked.count == 1)
        }
    }

    private struct Outer: Endpoint {
        let client: Client
        let isOuter: Bool
        var method: HTTPRequest.Method { .post }
        var path: String {
            if isOuter { _ = client.enqueue(Outer(client: client, isOuter: false), as: Void.self) }
            return isOuter ? "outer" : "inner"
        }
        var body: RequestBody? { isOuter ? .text("outer") : nil }
    }

    @Test func `what is enqueued while another request is built has its own content`()
        async throws
    {
        let transport = StubTransport(.json("[]"))
        let client = try TestClient.client(over: transport)
        try await client.enqueue(Outer(client: client, isOuter: true), as: Void.self).value
        while transport.requests.count < 2 { await Task.yield() }
        let contents = transport.requests.map { ($0.head.path, $0.body?.count ?? 0) }
        #expect(Dictionary(contents) { $1 } == ["/outer": 5, "/inner": 0])
    }

    @Test func `it is compressed, and a part of a form`() async throws {
        let parts = Parts(parts: [Array("abc".utf8), Array("def".utf8)])
        let compressed = try await RequestBody.stream(parts).compressed().gathered().encoded()
        #expect(compressed.contentCoding == "gzip")
        #expect(try compressed.data == GzipMember.data(of: Data("abcdef".utf8)))
        let forms = [
            RequestBody.multipart([.field("n", "1"), .body("raw", .stream(parts))]),
            .multipart(fields: ["n": 1], [.body("raw", .stream(parts), fileName: "raw")]),
        ]
        for form in forms {
            let content = try await form.gathered().encoded()
            let text = String(decoding: content.data, as: UTF8.self)
            #expect(text.contains("name=\"n\"\r\n\r\n1\r\n"))
            #expect(text.contains("Content-Type: application/octet-stream\r\n\r\nabcdef\r\n"))
        }
    }

    @Test func `a request that is built without a client says what is missing`() throws {
        let endpoint = AdHocEndpoint.post("x", body: .stream(Parts(parts: [[1]])))
        let base = try #require(URL(string: "http://test.invalid/"))
        let error = #expect(throws: TransportError.self) {
            try TransportRequest(endpoint, baseURL: base)
        }
        #expect(error?.reason == .invalidRequest)
        #expect(error?.message.contains("gathered by a client") == true)
    }

    @Test func `its interceptors see the transaction and the refresh it was enqueued in`()
        async throws
    {
        let refreshes = Set([UUID()])
        let seen = Seen<Set<UUID>>()
        let client = try TestClient.client(over: StubTransport(.json("[]"))) {
            $0.interceptors = [
                ClosureInterceptor { request, next in
                    seen.note(request.provenance.refreshes)
                    return next(request)
                }
            ]
        }
        let promise: Promise<Void> = TransportRequest.Provenance.$refreshes.withValue(refreshes) {
            client.enqueue(.post("x", body: .stream(Parts(parts: [[1]]))))
        }
        try await promise.value
        #expect(seen.values == [refreshes])
    }
}
