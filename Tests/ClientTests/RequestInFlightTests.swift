import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

@Suite struct RequestInFlightTests {
    private struct Feed: Endpoint {
        let path = "feed"
        let tags = ["feed", "screen"]
    }

    private class Page: Endpoint, @unchecked Sendable {  // Nothing of it changes.
        let number: Int
        var path: String { "pages/\(number)" }
        var tags: [String] { ["screen"] }

        init(_ number: Int) {
            self.number = number
        }
    }

    private final class LastPage: Page, @unchecked Sendable {}  // Nothing is its own.

    private static func paths(_ client: Client) -> [String] {
        client.requestsInFlight.map { "\($0.endpoint.path)" }
    }

    @Test func `what is enqueued is in flight until it has finished`() async throws {
        let transport = HeldTransport()
        let client = try TestClient.client(over: transport)
        let feed: Promise<Void> = client.enqueue(Feed())
        let page: Promise<Void> = client.enqueue(Page(1))
        #expect(Self.paths(client) == ["feed", "pages/1"])
        let ids = client.requestsInFlight.map(\.id)
        #expect(ids[0] < ids[1])
        let request = try #require(client.requestsInFlight.first)
        #expect(!request.isFinished)
        transport.end(0, .success(.json("[]")))
        try await feed.value
        #expect(Self.paths(client) == ["pages/1"])
        #expect(request.isFinished)
        transport.end(1, .failure(TransportError(.connectionLost, "Lost.")))
        await #expect(throws: ClientError.self) { try await page.value }
        #expect(client.requestsInFlight.isEmpty)
    }

    @Test func `what one says of itself has nothing of its endpoint's values`() throws {
        let client = try TestClient.client(over: HeldTransport())
        let promise: Promise<Void> = client.enqueue(.post("log-in", body: .text("hidden")))
        let request = try #require(client.requestsInFlight.first)
        var text = "\(request) \(String(reflecting: request))"
        dump(client.requestsInFlight, to: &text)
        #expect(text.contains("AdHocEndpoint") && !text.contains("hidden"))
        promise.cancel()
    }

    @Test func `their number is told as it changes, up to the end of the client`() async throws {
        let transport = HeldTransport()
        var client: Client? = try TestClient.client(over: transport)
        let counts = try #require(client?.requestCounts())
        var iterator = counts.makeAsyncIterator()
        #expect(await iterator.next() == 0)
        let feed: Promise<Void>? = client?.enqueue(Feed())
        #expect(await iterator.next() == 1)
        let page: Promise<Void>? = client?.configured { $0.timeout = .seconds(9) }.enqueue(Page(1))
        #expect(await iterator.next() == 2)
        let late = try #require(client?.requestCounts())
        transport.end(0, .success(.json("[]")))
        try await feed?.value
        #expect(await iterator.next() == 1)
        page?.cancel()
        #expect(await iterator.next() == 0)
        client = nil
        #expect(await iterator.next() == nil)
        // Of what nobody has read, the last is there.
        #expect(await late.reduce(into: []) { $0.append($1) } == [0])
    }

    @Test func `all are cancelled, and what comes later is not`() async throws {
        let transport = HeldTransport()
        let client = try TestClient.client(over: transport)
        let promises: [Promise<Void>] = [
            client.enqueue(Feed()), client.enqueue(Page(1)),
            client.enqueue(.post("notes", body: .text("a"))),
        ]
        client.cancelAll()
        for promise in promises {
            await #expect(throws: CancellationError.self) { try await promise.value }
        }
        #expect(client.requestsInFlight.isEmpty)
        let later: Promise<Void> = client.enqueue(Feed())
        let last = transport.requests.count - 1
        transport.end(last, .success(.json("[]")))
        try await later.value
        #expect(transport.open.isEmpty)
    }

    @Test func `those of a tag are cancelled`() async throws {
        let client = try TestClient.client(over: HeldTransport())
        let feed: Promise<Void> = client.enqueue(Feed())
        let page: Promise<Void> = client.enqueue(Page(1))
        let other: Promise<Void> = client.enqueue(Resource("other"))
        client.cancel(tag: "nothing")
        client.cancel(tag: "feed")
        await #expect(throws: CancellationError.self) { try await feed.value }
        #expect(Self.paths(client) == ["pages/1", "other"])
        client.cancel(tag: "screen")
        await #expect(throws: CancellationError.self) { try await page.value }
        #expect(Self.paths(client) == ["other"])
        other.cancel()
        #expect(client.requestsInFlight.isEmpty)
    }

    @Test func `those of a type are cancelled, subclasses among them`() async throws {
        let client = try TestClient.client(over: HeldTransport())
        let promises: [Promise<Void>] = [
            client.enqueue(Page(1)), client.enqueue(LastPage(2)), client.enqueue(Feed()),
        ]
        client.cancel(LastPage.self)
        #expect(Self.paths(client) == ["pages/1", "feed"])
        client.cancel(Page.self)
        #expect(Self.paths(client) == ["feed"])
        client.cancelAll { $0.path as Any is String }
        for promise in promises {
            await #expect(throws: CancellationError.self) { try await promise.value }
        }
    }

    @Test func `one is cancelled by itself, with all that is chained to it`() async throws {
        let client = try TestClient.client(over: HeldTransport())
        let chain = client.enqueue(Feed(), as: Data.self).then { $0.count }
        let other: Promise<Void> = client.enqueue(Feed())
        let requests = client.requestsInFlight
        requests[0].cancel()
        await #expect(throws: CancellationError.self) { try await chain.value }
        #expect(client.requestsInFlight.map(\.id) == [requests[1].id])
        other.cancel()
    }

    @Test func `clients made of one share what is in flight, unless one keeps no list`() throws {
        let client = try TestClient.client(over: HeldTransport())
        let other = client.configured { $0.timeout = .seconds(1) }
        let silent = client.configured { $0.tracksRequests = false }
        let promises: [Promise<Void>] = [
            client.enqueue(Feed()), other.enqueue(Feed()), silent.enqueue(Feed()),
        ]
        #expect(other.requestsInFlight.count == 2)
        client.cancelAll()
        #expect(promises.map(\.isPending) == [false, false, true])
        promises[2].cancel()
    }

    @Test func `what is cancelled while its content is encoded goes nowhere`() async throws {
        let (begun, gate, others, gone) = (Gate(), Gate(), Gate(), Gate())
        let transport = HeldTransport()
        let intercepted = Seen<Void>()
        let client = try TestClient.client(over: transport) {
            $0.interceptors = [
                ClosureInterceptor { request, next in
                    intercepted.note(())
                    return next(request)
                }
            ]
        }
        // All turns but one are taken, so that the next one is behind it.
        for _ in 1..<Client.maximumLongEncodings {
            client.longEncodingQueues.run { try? others.block() }
        }
        let body = RequestBody(contentType: "text/plain") {
            begun.open()
            try gate.block()
            return Data()
        }
        let promise: Promise<Void> = client.enqueue(.post("x", body: body))
        try await begun.wait()
        promise.cancel()
        client.longEncodingQueues.run { gone.open() }
        gate.open()
        try await gone.wait()
        #expect(intercepted.count == 0 && transport.requests.isEmpty)
        others.open()
    }

    @Test func `what could not be built is not in flight`() async throws {
        let client = try TestClient.client(over: HeldTransport())
        let promise: Promise<Void> = client.enqueue(Resource("//evil.invalid/"))
        await #expect(throws: ClientError.self) { try await promise.value }
        #expect(client.requestsInFlight.isEmpty)
    }

    @Test func `nothing is kept of what has finished, nor of the client`() async throws {
        final class Mark: Interceptor {
            let onEnd: @Sendable () -> Void

            init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
            deinit { onEnd() }

            func intercept(
                _ request: TransportRequest, for endpoint: any Endpoint, next: @escaping Next
            ) -> Promise<TransportResponse> { next(request) }
        }
        let isGone = Gate()
        let transport = StubTransport(.json("[]"))
        var request: RequestInFlight?
        do {
            let mark = Mark { isGone.open() }
            let client = try TestClient.client(over: transport) { $0.interceptors = [mark] }
            let promise: Promise<Void> = client.enqueue(Feed())
            request = client.requestsInFlight.first
            try await promise.value
        }
        try await isGone.wait()
        #expect(request?.isFinished != false)
    }

    @Test func `places are used again`() async throws {
        let registry = RequestRegistry()
        for _ in 0..<1000 {
            let places = (0..<3).map { _ in
                registry.add(Feed(), Promise<Void>.pending().promise)
            }
            for place in places { registry.remove(place) }
        }
        #expect(registry.placeCount == 3)
    }
}
