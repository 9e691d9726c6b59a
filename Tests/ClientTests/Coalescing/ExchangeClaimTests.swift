import HTTPTypes
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// Orders of which the first attempt fails, and others that come meanwhile.
@Suite struct ExchangeClaimTests {
    private struct Setting {
        let clock = ManualClock()
        let transport: StubTransport
        let client: Client
        /// The last is what all attempts from then on bear.
        let tokens = Seen<String>()

        init(_ method: HTTPRequest.Method = .post, holding gate: Gate? = nil) throws {
            let count = Seen<Void>()
            transport = StubTransport { _ in
                if count.add(()) == 0 { throw TransportError(.connectionLost, "Lost.") }
                try await gate?.wait()
                return .json("{}")
            }
            client = try TestClient.client(over: transport) { [clock, tokens] in
                $0.coalescing = .refusing.covering([method])
                $0.interceptors = [
                    RetryInterceptor(
                        backoff: .constant(.seconds(2)), addsIdempotencyKeys: true, clock: clock),
                    ClosureInterceptor { request, next in
                        var request = request
                        request.head.headerFields[.authorization] = tokens.values.last
                        return next(request)
                    },
                ]
            }
        }

        /// Orders, and waits for the failure of the first attempt.
        func first(_ method: HTTPRequest.Method = .post) async -> Promise<Void> {
            let promise = order(method)
            await clock.sleepers(atLeast: 1)
            return promise
        }

        func order(_ method: HTTPRequest.Method = .post) -> Promise<Void> {
            client.enqueue(AdHocEndpoint(method, "orders", body: .json(["item": 7])))
        }
    }

    @Test func `who waits for its next attempt is in flight, until it has its response`()
        async throws
    {
        let setting = try Setting()
        let first = await setting.first()
        let error = await #expect(throws: ClientError.self) { try await setting.order().value }
        #expect(error?.reason == .duplicate)
        setting.clock.advance(by: .seconds(2))
        try await first.value
        let keys = setting.transport.requests.map {
            $0.head.headerFields[.named("Idempotency-Key")]
        }
        #expect(keys.count == 2 && keys.first == keys.last)
        try await setting.order().value
        #expect(setting.transport.requests.count == 3)
    }

    @Test func `who has given up is not`() async throws {
        let setting = try Setting()
        let first = await setting.first()
        first.cancel()
        try await setting.order().value
        #expect(setting.transport.requests.count == 2)
        #expect(setting.client.configuration.exchangesInFlight.count == 0)
    }

    @Test func `nothing is claimed once all attempts have failed`() async throws {
        let transport = StubTransport { _ in throw TransportError(.connectionLost, "Lost.") }
        let client = try TestClient.client(over: transport) {
            $0.coalescing = .refusing.covering([.post])
            $0.interceptors = [RetryInterceptor(backoff: .none, addsIdempotencyKeys: true)]
        }
        for _ in 0..<2 {
            let error = await #expect(throws: ClientError.self) {
                try await client.enqueue(.post("orders")).value
            }
            #expect(error?.reason == .transport)
        }
        #expect(client.configuration.exchangesInFlight.count == 0)
    }

    @Test func `what is made invalid meanwhile makes no other write of one`() async throws {
        let setting = try Setting()
        let first = await setting.first()
        try await setting.client.invalidate(tag: "x").value
        let error = await #expect(throws: ClientError.self) { try await setting.order().value }
        #expect(error?.reason == .duplicate)
        first.cancel()
    }

    @Test func `what was asked for before a flush of the cache is joined by nobody`() async throws {
        let gate = Gate()
        let transport = StubTransport { _ in
            try await gate.wait()
            return .json("[]")
        }
        let cache = ResponseCache.inMemory()
        let client = try TestClient.client(over: transport) {
            ($0.coalescing, $0.cache) = (.joining, cache)
        }
        let first: Promise<Void> = client.enqueue(.get("users"))
        while transport.requests.isEmpty { await Task.yield() }
        try await cache.flush().value
        let second: Promise<Void> = client.enqueue(.get("users"))
        while transport.requests.count < 2 { await Task.yield() }
        gate.open()
        try await first.value
        try await second.value
    }

    /// With another credential it is another request, whose place has been taken meanwhile.
    @Test(arguments: [HTTPRequest.Method.post, .put])
    func `who is refused at its next attempt is told what became of the last`(
        _ method: HTTPRequest.Method
    ) async throws {
        let gate = Gate()
        let setting = try Setting(method, holding: gate)
        let first = await setting.first(method)
        setting.tokens.note("2")
        let second = setting.order(method)
        while setting.transport.requests.count < 2 { await Task.yield() }
        setting.clock.advance(by: .seconds(2))
        let error = await #expect(throws: ClientError.self) { try await first.value }
        #expect(error?.reason == .transport)
        #expect((error?.underlying as? TransportError)?.reason == .connectionLost)
        gate.open()
        try await second.value
        #expect(setting.transport.requests.count == 2)
    }
}
