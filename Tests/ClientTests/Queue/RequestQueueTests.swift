import Foundation
import HTTPTypes
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

@Suite struct RequestQueueTests {
    private struct Ranked: Endpoint {
        let path: String
        let priority: RequestPriority
    }

    private static func client(
        over transport: any Transport, _ queue: RequestQueue,
        _ configure: (inout Client.Configuration) -> Void = { _ in }
    ) throws -> Client {
        try TestClient.client(over: transport) {
            $0.queue = queue
            configure(&$0)
        }
    }

    private static func paths(_ transport: HeldTransport) -> [String] {
        transport.requests.map { $0.head.path ?? "" }
    }

    @Test func `no more than allowed are under way, in all and for a host`() async throws {
        let transport = HeldTransport()
        let queue = RequestQueue(maximumRequests: 3, maximumRequestsPerHost: 2)
        let client = try Self.client(over: transport, queue)
        let hosts = [
            "http://a.invalid/", "http://a.invalid/", "http://a.invalid/", "http://b.invalid/",
        ]
        let promises: [Promise<Void>] = (hosts + hosts).map { client.enqueue(Link($0)) }
        #expect(
            transport.requests.map(\.head.authority) == ["a.invalid", "a.invalid", "b.invalid"])
        #expect(queue.underWayCount == 3 && queue.waitingCount == 5)
        while let number = transport.open.first {
            #expect(transport.open.count <= 3)
            transport.end(number, .success(.json("[]")))
        }
        _ = try await Promise.all(promises).value
        #expect(transport.requests.count == 8)
        #expect(queue.underWayCount == 0 && queue.waitingCount == 0)
    }

    @Test func `one host has several names, and several have one`() async throws {
        let transport = HeldTransport()
        let client = try Self.client(over: transport, RequestQueue(maximumRequestsPerHost: 1))
        let same = ["http://a.invalid/", "http://A.invalid:80/x"]
        let others = ["https://a.invalid/", "http://a.invalid:81/", "http://b.invalid/"]
        let promises: [Promise<Void>] = (same + others).map { client.enqueue(Link($0)) }
        #expect(transport.requests.count == 4)
        for promise in promises { promise.cancel() }
    }

    @Test func `ten thousand requests to a dead host leave a live one alone`() async throws {
        let transport = HeldTransport()
        let queue = RequestQueue()
        let client = try Self.client(over: transport, queue)
        let dead: [Promise<Void>] = (0..<10_000).map {
            client.enqueue(Link("http://dead.invalid/\($0)"))
        }
        #expect(transport.open.count == queue.maximumRequestsPerHost)
        var live: [Promise<Void>] = []
        for number in 0..<100 {
            live.append(client.enqueue(Link("http://live.invalid/\(number)")))
            // None has waited for anything.
            let sent = transport.requests.count - 1
            #expect(transport.requests[sent].head.path == "/\(number)")
            transport.end(sent, .success(.json("[]")))
        }
        _ = try await Promise.all(live).value
        #expect(transport.open.count == queue.maximumRequestsPerHost)
        client.cancelAll()
        #expect(dead.allSatisfy { !$0.isPending })
        #expect(queue.waitingCount == 0 && queue.underWayCount == 0)
        // None has been sent in the place of one that was cancelled before it.
        #expect(transport.requests.count == 100 + queue.maximumRequestsPerHost)
    }

    @Test func `all that is cancelled at once is not sent, whichever client has the queue`()
        async throws
    {
        let transport = HeldTransport()
        let client = try TestClient.client(over: transport)
        let configured = (0..<3).map { _ in
            client.configured { $0.queue = RequestQueue(maximumRequests: 1) }
        }
        let promises: [Promise<Void>] = (0..<30).map {
            configured[$0 % 3].enqueue(Resource("\($0)"))
        }
        client.cancelAll()
        #expect(promises.allSatisfy { !$0.isPending })
        #expect(transport.requests.count == 3)
    }

    @Test func `all is cancelled at once, whatever the number of queues`() throws {
        struct Waiting: Interceptor {
            let network = NetworkState(isOnline: false)

            func intercept(
                _ request: TransportRequest, for endpoint: any Endpoint, next: @escaping Next
            ) -> Promise<TransportResponse> {
                network.online().then { next(request) }
            }
        }
        let client = try TestClient.client(over: HeldTransport()) {
            $0.interceptors = [Waiting()]
        }
        let promises: [Promise<Void>] = (0..<30_000).map { _ in
            client.configured { $0.queue = RequestQueue() }.enqueue(Resource("x"))
        }
        client.cancelAll()
        #expect(promises.allSatisfy { !$0.isPending })
    }

    @Test func `who waits goes by priority, then by arrival`() async throws {
        let transport = HeldTransport()
        let client = try Self.client(over: transport, RequestQueue(maximumRequests: 1))
        var promises: [Promise<Void>] = [client.enqueue(Resource("first"))]
        let ranks: [RequestPriority] = [.low, .normal, .high, .normal, .high]
        for (number, rank) in ranks.enumerated() {
            promises.append(client.enqueue(Ranked(path: "\(number)", priority: rank)))
        }
        let urgent = client.configured { $0.priority = .init(rawValue: 200) }
        promises.append(urgent.enqueue(Ranked(path: "urgent", priority: .low)))
        while let number = transport.open.first { transport.end(number, .success(.json("[]"))) }
        _ = try await Promise.all(promises).value
        #expect(Self.paths(transport) == ["/first", "/urgent", "/2", "/4", "/1", "/3", "/0"])
    }

    @Test func `cancelled in the queue, it is never sent`() async throws {
        let transport = HeldTransport()
        let queue = RequestQueue(maximumRequests: 1)
        let client = try Self.client(over: transport, queue)
        let promises: [Promise<Void>] = (0..<3).map { client.enqueue(Resource("\($0)")) }
        promises[1].cancel()
        await #expect(throws: CancellationError.self) { try await promises[1].value }
        #expect(queue.waitingCount == 1)
        transport.end(0, .success(.json("[]")))
        transport.end(1, .success(.json("[]")))
        try await promises[2].value
        #expect(Self.paths(transport) == ["/0", "/2"])
    }

    @Test func `time in the queue counts`() async throws {
        let clock = ManualClock()
        let transport = HeldTransport()
        let queue = RequestQueue(maximumRequests: 1, clock: clock)
        let client = try Self.client(over: transport, queue) { $0.timeout = .seconds(60) }
        let first: Promise<Void> = client.enqueue(Resource("first"))
        let hasty: Promise<Void> = client.enqueue(.get("hasty", timeout: .seconds(5)))
        let patient: Promise<Void> = client.enqueue(Resource("patient"))
        await clock.sleepers(atLeast: 2)
        clock.advance(by: .seconds(5))
        let error = await #expect(throws: ClientError.self) { try await hasty.value }
        #expect((error?.underlying as? TransportError)?.reason == .timedOut)
        clock.advance(by: .seconds(5))
        transport.end(0, .success(.json("[]")))
        #expect(Self.paths(transport) == ["/first", "/patient"])
        #expect(transport.requests.map(\.timeout) == [.seconds(60), .seconds(50)])
        transport.end(1, .success(.json("[]")))
        try await patient.value
        try await first.value
        #expect(clock.sleeperCount == 0)
    }

    @Test func `redirects share one time, and a place at their host`() async throws {
        let clock = ManualClock()
        let transport = HeldTransport()
        let client = try Self.client(
            over: transport, RequestQueue(maximumRequests: 1, clock: clock)
        ) {
            $0.timeout = .seconds(60)
        }
        let led: Promise<Void> = client.enqueue(Resource("0"))
        let other: Promise<Void> = client.enqueue(Resource("other"))
        for hop in 1...3 {
            clock.advance(by: .seconds(10))
            transport.end(
                hop - 1, .success(.json("", status: .found, headerFields: [.location: "/\(hop)"])))
        }
        transport.end(3, .success(.json("[]")))
        transport.end(4, .success(.json("[]")))
        try await led.value
        try await other.value
        #expect(Self.paths(transport) == ["/0", "/1", "/2", "/3", "/other"])
        #expect(
            transport.requests.map(\.timeout)
                == [.seconds(60), .seconds(50), .seconds(40), .seconds(30), .seconds(30)])
    }

    @Test func `what waits for another attempt keeps nobody waiting, and then goes first`()
        async throws
    {
        let clock = ManualClock()
        let attempts = Seen<Void>()
        let isTriedAgain = Gate()
        let transport = HeldTransport()
        let client = try Self.client(over: transport, RequestQueue(maximumRequests: 1)) {
            $0.interceptors = [
                RetryInterceptor(backoff: .constant(.seconds(1)), clock: clock),
                ClosureInterceptor { request, next in
                    let promise = next(request)
                    if request.head.path == "/0" { attempts.note(()) }
                    if attempts.count == 2 { isTriedAgain.open() }
                    return promise
                },
            ]
        }
        let promises: [Promise<Void>] = (0..<3).map { client.enqueue(Resource("\($0)")) }
        transport.end(0, .success(.json("[]", status: .serviceUnavailable)))
        await clock.sleepers(atLeast: 1)
        #expect(Self.paths(transport) == ["/0", "/1"])
        clock.advance(by: .seconds(1))
        try await isTriedAgain.wait()
        #expect(transport.requests.count == 2)
        for number in 1...3 { transport.end(number, .success(.json("[]"))) }
        _ = try await Promise.all(promises).value
        #expect(Self.paths(transport) == ["/0", "/1", "/0", "/2"])
    }

    @Test func `a refresh has its turn while those that wait for it have none`() async throws {
        struct Token: Endpoint {
            let path = "token"
            let needsAuthorization = false
        }
        let transport = StubTransport { request in
            if request.head.path == "/token" { return .json(#""new""#) }
            let isNew = request.head.headerFields[.authorization] == "Bearer new"
            return .json("[]", status: isNew ? .ok : .unauthorized)
        }
        let queue = RequestQueue(maximumRequests: 1)
        let plain = try Self.client(over: transport, queue)
        let authorization = AuthorizationInterceptor(.bearer("old", refreshToken: "r")) { _ in
            plain.enqueue(Token(), as: String.self, at: nil).then { _ in .bearer("new") }
        }
        let client = plain.configured { $0.interceptors = [authorization] }
        let promises: [Promise<Void>] = (0..<10).map { client.enqueue(Resource("\($0)")) }
        _ = try await Promise.all(promises).value
        #expect(transport.requests.count { $0.head.path == "/token" } == 1)
    }

    @Test func `what is shared has one place, by the best rank of those who share it`() async throws
    {
        let transport = HeldTransport()
        let queue = RequestQueue(maximumRequests: 1)
        let client = try Self.client(over: transport, queue) { $0.coalescing = .joining }
        var promises: [Promise<Void>] = ["first", "shared", "other"].map {
            client.enqueue(Resource($0))
        }
        promises.append(client.enqueue(Ranked(path: "shared", priority: .low)))
        promises.append(client.enqueue(Ranked(path: "other", priority: .high)))
        #expect(queue.waitingCount == 2)
        while let number = transport.open.first { transport.end(number, .success(.json("[]"))) }
        _ = try await Promise.all(promises).value
        #expect(Self.paths(transport) == ["/first", "/other", "/shared"])
    }

    @Test func `who joins from another queue has no place in this one's line`() async throws {
        let transport = HeldTransport()
        let client = try Self.client(over: transport, RequestQueue(maximumRequests: 1)) {
            $0.coalescing = .joining
        }
        var promises: [Promise<Void>] = (0..<4).map { client.enqueue(Resource("\($0)")) }
        let other = client.configured { $0.queue = RequestQueue() }
        promises.append(other.enqueue(Resource("3")))
        promises.append(other.enqueue(Ranked(path: "2", priority: .high)))
        while let number = transport.open.first { transport.end(number, .success(.json("[]"))) }
        _ = try await Promise.all(promises).value
        #expect(Self.paths(transport) == ["/0", "/2", "/1", "/3"])
    }

    @Test func `a rank that comes before the exchange has begun counts`() {
        let transport = HeldTransport()
        let queue = RequestQueue(maximumRequests: 1)
        let configuration = Client.Configuration(transport: transport)
        func request(_ path: String) -> TransportRequest {
            TransportRequest(
                head: HTTPRequest(
                    method: .get, scheme: "http", authority: "a.invalid", path: path))
        }
        func exchange(_ priority: RequestPriority) -> RedirectedExchange {
            RedirectedExchange(
                over: configuration, queue.ticket(priority), onStep: { _ in },
                completion: { _ in })
        }
        exchange(.normal).send(request("/first"))
        exchange(.normal).send(request("/other"))
        let shared = SharedExchange(timeout: .seconds(60), stopwatch: Stopwatch(ContinuousClock()))
        _ = shared.join(
            .init(request: request("/shared"), onStep: { _ in }, completion: { _ in }))
        // Another thread's, which has joined in between.
        shared.raise(to: queue.ticket(.high))
        #expect(shared.begin(exchange(.low), with: request("/shared")))
        transport.end(0, .success(.json("")))
        #expect(Self.paths(transport) == ["/first", "/shared"])
    }

    @Test func `limits below one let one through`() async throws {
        let queue = RequestQueue(maximumRequests: 0, maximumRequestsPerHost: -1)
        let client = try Self.client(over: StubTransport(.json("[]")), queue)
        try await client.enqueue(Resource("x")).value
        #expect(queue.maximumRequests == 1 && queue.maximumRequestsPerHost == 1)
    }

    @Test func `threads that enqueue, answer and cancel at once lose nothing`() async throws {
        let transport = StubTransport { request in
            if request.head.path?.hasSuffix("7") == true {
                throw TransportError(.connectionLost, "")
            }
            return .json("[]")
        }
        let queue = RequestQueue(maximumRequests: 5, maximumRequestsPerHost: 2)
        let client = try Self.client(over: transport, queue)
        let promises: [Promise<Void>] = await withTaskGroup { group in
            for worker in 0..<8 {
                group.addTask {
                    (0..<200).map { number in
                        let host = "http://h\((worker + number) % 4).invalid/\(number)"
                        let promise = client.enqueue(Link(host), as: Void.self)
                        if number % 5 == 0 { promise.cancel() }
                        return promise
                    }
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        for promise in promises { _ = await promise.result }
        #expect(promises.count { $0.isFulfilled } >= 8 * 200 * 6 / 10)
        #expect(queue.waitingCount == 0)
    }

    @Test func `what is refreshed meanwhile keeps to the limits`() async throws {
        let (transport, queue) = (HeldTransport(), RequestQueue(maximumRequests: 1))
        let cache = ResponseCache.inMemory()
        let client = try TestClient.client(over: transport) {
            ($0.cache, $0.queue) = (cache, queue)
        }
        let fields: HTTPFields = [.cacheControl: "max-age=0, stale-while-revalidate=600"]
        for number in 0..<4 {
            if number < 2 { transport.end(number, .success(.json("1", headerFields: fields))) }
            _ = try await client.enqueue(Resource("\(number % 2)"), as: String.self).value
        }
        // Whoever has sent the one before may still be about to.
        while transport.requests.count < 3 { await Task.yield() }
        #expect(transport.requests.count == 3 && queue.waitingCount == 1)
        transport.end(2, .success(.json("2", headerFields: fields)))
        while transport.requests.count < 4 { await Task.yield() }
        #expect(queue.waitingCount == 0)
        transport.end(3, .success(.json("2", headerFields: fields)))
        _ = try await cache.settled().value
        #expect(queue.underWayCount == 0)
    }
}
