import Foundation
import HTTPTypes
import LarderClient
import LarderPromises
import LarderTesting
import Testing

/// The progress of requests where they are enqueued.
@Suite(.platformTransport) struct ClientProgressTests {
    private struct Upload: Endpoint {
        let path = "files"
        var method: HTTPRequest.Method { .post }
        var body: RequestBody? { .data(Data(count: 200_000)) }
    }

    @Test func `reports count up, and the last has all of both`() async throws {
        let server = try await LoopbackServer { _ in .init(body: Data(count: 300_000)) }
        let seen = Seen<TransferProgress>()
        let client = try TestClient.client(at: server.baseURL)
        let data = try await client.reportingProgress { seen.note($0) }
            .enqueue(Upload(), as: Data.self).value
        #expect(data.count == 300_000)
        let last = try #require(seen.values.last)
        #expect(
            last
                == TransferProgress(
                    sent: 200_000, expectedToSend: 200_000, received: 300_000,
                    expectedToReceive: 300_000))
        #expect((last.fractionSent, last.fractionReceived) == (1, 1))
        for (before, after) in zip(seen.values, seen.values.dropFirst()) {
            #expect(before.sent <= after.sent && before.received <= after.received)
        }
        // The client itself reports nothing.
        let count = seen.values.count
        _ = try await client.enqueue(Upload(), as: Data.self).value
        #expect(seen.values.count == count)
        await server.stop()
    }

    @Test func `progress can be awaited, and ends with the request`() async throws {
        let server = try await LoopbackServer { _ in .init(body: Data(count: 300_000)) }
        let client = try TestClient.client(at: server.baseURL)
        let upload = client.progress { $0.enqueue(Upload(), as: Data.self) }
        var last: TransferProgress?
        for await progress in upload.progress { last = progress }
        #expect(last?.fractionReceived == 1)
        #expect(try await upload.promise.value.count == 300_000)
        await server.stop()
    }

    @Test func `a request that fails has no last report, and its sequence ends`() async throws {
        let client = try TestClient.client(
            over: StubTransport { _ in throw TransportError(.connectionLost, "Gone.") })
        let upload = client.progress { $0.enqueue(Upload(), as: Data.self) }
        for await progress in upload.progress { Issue.record("\(progress)") }
        await #expect(throws: ClientError.self) { try await upload.promise.value }
    }

    @Test func `an answer from elsewhere is whole at once`() async throws {
        let client = try TestClient.client(answering: "[]")
        let seen = Seen<TransferProgress>()
        _ = try await client.reportingProgress { seen.note($0) }.enqueue(Upload(), as: Data.self)
            .value
        #expect(seen.values.map(\.fractionSent) == [1])
        #expect(seen.values.map(\.fractionReceived) == [1])
    }

    @Test func `cancelling the promise stops the request and ends the sequence`() async throws {
        let transport = HeldTransport()
        let client = try TestClient.client(over: transport)
        let upload = client.progress { $0.enqueue(Upload(), as: Data.self) }
        upload.promise.cancel()
        for await progress in upload.progress { Issue.record("\(progress)") }
        await #expect(throws: CancellationError.self) { try await upload.promise.value }
        #expect(transport.open.isEmpty)
    }

    // MARK: - Beside other reports, interceptors and attempts

    @Test func `each of several reports has all of it`() async throws {
        let server = try await LoopbackServer { _ in .init(body: Data(count: 300_000)) }
        let (first, second, own) = (
            Seen<TransferProgress>(), Seen<TransferProgress>(), Seen<TransferProgress>()
        )
        let client = try TestClient.client(at: server.baseURL) {
            $0.interceptors = [
                ClosureInterceptor { request, next in
                    var request = request
                    request.onProgress = { own.note($0) }
                    return next(request)
                }
            ]
        }
        _ = try await client.reportingProgress { first.note($0) }
            .reportingProgress { second.note($0) }.enqueue(Upload(), as: Data.self).value
        #expect(first.values == second.values)
        #expect(own.values.last?.received == 300_000)
        for seen in [first, second] {
            #expect(seen.values.count > 1)
            #expect(seen.values.last?.sent == 200_000)
            #expect(seen.values.last?.received == 300_000)
        }
        await server.stop()
    }

    @Test func `what interceptors make anew is reported, whichever there are`() async throws {
        let server = try await LoopbackServer { _ in .init(body: Data(count: 300_000)) }
        let seen = Seen<TransferProgress>()
        let client = try TestClient.client(at: server.baseURL).reportingProgress { seen.note($0) }
            .configured {
                $0.interceptors = [
                    ClosureInterceptor { request, next in
                        next(TransportRequest(head: request.head, body: request.body))
                    }
                ]
            }
        _ = try await client.enqueue(Upload(), as: Data.self).value
        #expect(seen.values.count > 1)
        #expect(seen.values.last?.received == 300_000)
        await server.stop()
    }

    @Test func `an attempt that is not the last has no last report`() async throws {
        let transport = StubTransport(routes: [
            .get("a", .status(503), .failure(.connectionLost))
        ])
        let retry = RetryInterceptor(
            attempts: 2, backoff: .constant(.zero), deadline: .seconds(3600))
        let client = try TestClient.client(over: transport)
        let seen = Seen<TransferProgress>()
        let promise = client.reportingProgress { seen.note($0) }
            .enqueue(.get("a", interceptors: [retry]), as: Data.self)
        await #expect(throws: ClientError.self) { try await promise.value }
        #expect(transport.requests.count == 2)
        #expect(seen.values == [])
    }

    @Test func `a response that is refused among the interceptors has come as well`() async throws {
        let client = try TestClient.client(over: StubTransport(routes: [.get("a", .status(404))])) {
            $0.interceptors = [Validator.status(200..<300)]
        }
        let seen = Seen<TransferProgress>()
        let promise = client.reportingProgress { seen.note($0) }.enqueue(.get("a"), as: Data.self)
        await #expect(throws: ClientError.self) { try await promise.value }
        #expect(seen.values.map(\.fractionReceived) == [1])
    }

    /// What comes back, by its path.
    private static let responses: [String: LoopbackServer.Response] = [
        "/empty": .init(), "/204": .status(.noContent), "/304": .status(.notModified),
        "/404": .init(status: .notFound, body: Data(count: 70_000)),
        "/gzip": .init(
            headerFields: [.contentEncoding: "gzip"],
            body: Data(Gzip.stored([UInt8](repeating: 7, count: 90_000)))),
        "/307": .init(status: .temporaryRedirect, headerFields: [.location: "/404"]),
        "/303": .init(status: .seeOther, headerFields: [.location: "/gzip"]),
    ]

    @Test(
        arguments: responses.keys.sorted(), [HTTPRequest.Method.get, .head, .post]
    )
    func `whatever comes back, counts count up and the last has all of both`(
        _ path: String, _ method: HTTPRequest.Method
    ) async throws {
        let server = try await LoopbackServer { request in
            Self.responses[request.path] ?? .status(.badRequest)
        }
        let seen = Seen<TransferProgress>()
        let client = try TestClient.client(at: server.baseURL).reportingProgress { seen.note($0) }
        let body = method == .post ? RequestBody.data(Data(count: 150_000)) : nil
        let endpoint = AdHocEndpoint(
            method, URLPath(path), body: body, acceptedStatuses: [200, 204, 304, 404])
        _ = try await client.enqueue(endpoint, as: Data.self).value
        let last = try #require(seen.values.last)
        #expect((last.fractionSent, last.fractionReceived) == (1, 1))
        #expect(last.sent == (method == .post && path != "/303" ? 150_000 : 0))
        let fallen = zip(seen.values, seen.values.dropFirst()).filter { before, after in
            before.sent > after.sent || before.received > after.received
        }
        #expect(fallen.count <= (path.hasPrefix("/30") && path != "/304" ? 1 : 0))
        await server.stop()
    }

    @Test func `nothing keeps a report once its request has ended`() async throws {
        final class Mark: Sendable {
            let gate: Gate
            init(_ gate: Gate) { self.gate = gate }
            deinit { gate.open() }
        }
        let server = try await LoopbackServer { _ in .init(body: Data(count: 300_000)) }
        let client = try TestClient.client(at: server.baseURL)
        let isGone = Gate()
        func enqueue() -> Promise<Data> {
            let mark = Mark(isGone)
            return client.reportingProgress { _ in withExtendedLifetime(mark) {} }
                .enqueue(Upload(), as: Data.self)
        }
        let promise = enqueue()
        _ = try await promise.value
        try await isGone.wait()
        #expect(promise.isFulfilled)
        await server.stop()
    }

    @Test func `a report that cancels its request is the last but what is under way`() async throws
    {
        let server = try await LoopbackServer { _ in .init(body: Data(count: 300_000)) }
        let client = try TestClient.client(at: server.baseURL)
        let promise = client.reportingProgress { [weak client] _ in client?.cancelAll() }
            .enqueue(Upload(), as: Data.self)
        await #expect(throws: CancellationError.self) { try await promise.value }
        #expect(client.requestsInFlight.isEmpty)
        await server.stop()
    }

    @Test func `fractions are known where sizes are`() {
        #expect(TransferProgress(sent: 3, expectedToSend: 4).fractionSent == 0.75)
        #expect(TransferProgress(sent: 3).fractionSent == nil)
        #expect(TransferProgress(received: 9, expectedToReceive: 8).fractionReceived == 1)
        #expect(TransferProgress(expectedToReceive: 0).fractionReceived == 1)
        #expect(TransferProgress(received: -1, expectedToReceive: 8).fractionReceived == 0)
    }
}
