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
        let streams = (0..<2 * Client.maximumLongEncodings).map { _ in
            AsyncStream.makeStream(of: Data.self)
        }
        let waiting: [Promise<Void>] = streams.map { never in
            client.enqueue(.post("x", body: .multipart([.body("a", .stream(never.stream))])))
        }
        let file = try TemporaryFile(named: "a.txt", Data([1]))
        try await client.enqueue(.post("y", body: .file(file.url)), as: Void.self).value
        try await client.enqueue(.post("z", body: .text("a")), as: Void.self).value
        for promise in waiting { promise.cancel() }
        for never in streams { never.continuation.finish() }
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

    /// A retry, a loader's or a promise's, enqueues the same body again.
    @Test(arguments: [false, true])
    func `what can be walked once is not sent without its content the second time`(
        _ isForm: Bool
    ) async throws {
        let transport = StubTransport(.json("[]"))
        let client = try TestClient.client(over: transport)
        let parts = RequestBody.stream(
            AsyncStream { continuation in
                continuation.yield(Data("voice".utf8))
                continuation.finish()
            })
        let endpoint = AdHocEndpoint.post(
            "x", body: isForm ? .multipart([.body("a", parts)]) : parts)
        try await client.enqueue(endpoint, as: Void.self).value
        let promise: Promise<Void> = client.enqueue(endpoint)
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.reason == .invalidRequest)
        #expect("\(error as Any)".contains("can be walked once"))
        #expect(transport.requests.count == 1)
    }

    /// A sequence that throws the first time that it is walked.
    private struct Flaky: AsyncSequence, Sendable {
        struct Iterator: AsyncIteratorProtocol {
            let isFirst: Bool
            var count = 0

            mutating func next() async throws -> Data? {
                count += 1
                if isFirst, count == 2 { throw Cut() }
                return count < 4 ? Data([UInt8(count)]) : nil
            }
        }

        let walks = Seen<Void>()
        func makeAsyncIterator() -> Iterator { Iterator(isFirst: walks.add(()) == 0) }
    }

    @Test func `one that ended in an error is good again where it can be walked again`()
        async throws
    {
        let again = RequestBody.stream(Flaky())
        await #expect(throws: Cut.self) { _ = try await again.gathered() }
        for _ in 0..<2 {
            #expect(try await again.gathered().encoded().data == Data([1, 2, 3]))
        }
        let once = RequestBody.stream(
            AsyncThrowingStream<Data, any Error> { continuation in
                continuation.finish(throwing: Cut())
            })
        await #expect(throws: Cut.self) { _ = try await once.gathered() }
        let error = await #expect(throws: TransportError.self) { _ = try await once.gathered() }
        #expect(error?.reason == .invalidRequest)
        let empty = RequestBody.stream(Parts(parts: []))
        for _ in 0..<2 { #expect(try await empty.gathered().encoded().data.isEmpty) }
    }

    /// A sequence whose second element is an error, and which goes on behind it as it is walked again.
    private struct GoingOn<Element: Sendable>: AsyncSequence, Sendable {
        struct Iterator: AsyncIteratorProtocol {
            let all: GoingOn

            mutating func next() async throws -> Element? {
                let number = all.count.add(())
                if number == 1 { throw Cut() }
                return number < 4 ? all.element(UInt8(number)) : nil
            }
        }

        let count = Seen<Void>()
        let element: @Sendable (UInt8) -> Element
        func makeAsyncIterator() -> Iterator { Iterator(all: self) }
    }

    @Test func `one that goes on where it has thrown is not sent without its beginning`()
        async throws
    {
        let bodies = [
            RequestBody.stream(GoingOn(element: { Data([$0]) })),
            RequestBody.stream(GoingOn(element: { $0 })),
        ]
        for body in bodies {
            await #expect(throws: Cut.self) { _ = try await body.gathered() }
            let error = await #expect(throws: TransportError.self) {
                _ = try await body.gathered()
            }
            #expect(error?.reason == .invalidRequest)
        }
    }

    /// A sequence that brings less each time that it is walked.
    private struct Shrinking: AsyncSequence, Sendable {
        let walks = Seen<Void>()

        func makeAsyncIterator() -> Parts.Iterator {
            Parts.Iterator(rest: [Array(repeating: 1, count: Swift.max(3 - walks.add(()), 0))])
        }
    }

    @Test func `one that can be walked again may bring less then, but not nothing`() async throws {
        let body = RequestBody.stream(Shrinking())
        for count in [3, 2, 1] {
            #expect(try await body.gathered().encoded().data.count == count)
        }
        let error = await #expect(throws: TransportError.self) { _ = try await body.gathered() }
        #expect(error?.reason == .invalidRequest)
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
