import HTTPTypes
import LarderClient
import LarderPromises
import LarderTesting
import Testing

@Suite struct OfflineInterceptorTests {
    private let network = NetworkState(isOnline: false)
    private let clock = ManualClock()
    private let held = HeldTransport()

    private func client(
        waiting time: Duration = .seconds(30), failsAtOnce: Bool = false
    ) throws -> Client {
        try TestClient.client(over: held) {
            $0.interceptors = [
                OfflineInterceptor(
                    network, waiting: time, failsAtOnce: failsAtOnce, clock: clock)
            ]
        }
    }

    private func fail(_ number: Int, _ reason: TransportError.Reason = .cannotFindHost) {
        held.end(number, .failure(TransportError(reason, "Failed.")))
    }

    private static func reason(of promise: Promise<Void>) async throws -> TransportError.Reason? {
        let error = try #require(
            await #expect(throws: ClientError.self) { try await promise.value })
        return (error.underlying as? TransportError)?.reason
    }

    /// Waits until as many wait for a network.
    private func waiting(_ count: Int) async {
        while network.waitingCount != count { await Task.yield() }
    }

    @Test func `without a network it is tried, and sent again once there is one`() async throws {
        let promise = try client().enqueue(.get("x"))
        fail(0)
        await waiting(1)
        #expect(held.requests.count == 1)
        network.isOnline = true
        while held.requests.count < 2 { await Task.yield() }
        held.end(1, .success(.json("[]")))
        try await promise.value
        #expect(network.waitingCount == 0)
    }

    @Test func `with one, what fails has failed`() async throws {
        network.isOnline = true
        let promise = try client().enqueue(.get("x"))
        fail(0)
        #expect(try await Self.reason(of: promise) == .cannotFindHost)
        #expect(held.requests.count == 1)
    }

    @Test func `no longer than is said, in all`() async throws {
        let promise = try client().enqueue(.get("x"))
        fail(0)
        await waiting(1)
        clock.advance(by: .seconds(20))
        network.isOnline = true
        while held.requests.count < 2 { await Task.yield() }
        network.isOnline = false
        fail(1, .connectionLost)
        await waiting(1)
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .milliseconds(9_999))
        #expect(network.waitingCount == 1)
        clock.advance(by: .milliseconds(1))
        #expect(try await Self.reason(of: promise) == .connectionLost)
        #expect(held.requests.count == 2)
    }

    @Test func `unless that is said, nobody waits`() async throws {
        let promise = try client(waiting: .zero).enqueue(.get("x"))
        fail(0)
        #expect(try await Self.reason(of: promise) == .cannotFindHost)
    }

    @Test(arguments: [
        (TransportError.Reason.cannotConnect, true), (.cannotFindHost, true),
        (.connectionLost, false), (.timedOut, false),
    ])
    func `what may have been done is not sent again`(
        _ reason: TransportError.Reason, _ isSentAgain: Bool
    ) async throws {
        let promise = try client().enqueue(.post("x", body: .text("a")))
        while held.requests.isEmpty { await Task.yield() }
        fail(0, reason)
        if isSentAgain {
            await waiting(1)
            promise.cancel()
            await #expect(throws: CancellationError.self) { try await promise.value }
            await waiting(0)
        } else {
            #expect(try await Self.reason(of: promise) == reason)
        }
    }

    /// What the condition was not met by may be what the first attempt has written.
    @Test(arguments: [
        (TransportError.Reason.connectionLost, ClientError.Reason.transport),
        (.timedOut, .transport), (.cannotConnect, .preconditionFailed),
    ])
    func `a write that may have been done is not said to have met another's change`(
        _ reason: TransportError.Reason, _ expected: ClientError.Reason
    ) async throws {
        let promise: Promise<Void> = try client().enqueue(.put("x", ifMatch: .tag("\"1\"")))
        while held.requests.isEmpty { await Task.yield() }
        fail(0, reason)
        await waiting(1)
        network.isOnline = true
        while held.requests.count < 2 { await Task.yield() }
        held.end(1, .success(.json("", status: .preconditionFailed)))
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.reason == expected)
    }

    /// What a write on a condition ends by, of which nobody knows what its first attempt has done.
    private func reasonOfWrite(
        within interceptor: some Interceptor, _ answers: HTTPResponse.Status...
    ) async throws -> TransportError.Reason? {
        let client = try TestClient.client(over: held) {
            $0.interceptors = [
                interceptor, OfflineInterceptor(network, waiting: .seconds(30), clock: clock),
            ]
        }
        for answer in answers.enumerated() {
            held.end(answer.offset + 1, .success(.json("", status: answer.element)))
        }
        let promise: Promise<Void> = client.enqueue(.put("x", ifMatch: .tag("\"1\"")))
        while held.requests.isEmpty { await Task.yield() }
        fail(0, .connectionLost)
        await waiting(1)
        network.isOnline = true
        return try await Self.reason(of: promise)
    }

    @Test func `nor where it is sent once more with another credential`() async throws {
        let authorization = AuthorizationInterceptor(.bearer("a")) { _ -> Promise<Credential> in
            .fulfilled(.bearer("b"))
        }
        let reason = try await reasonOfWrite(
            within: authorization, .unauthorized, .preconditionFailed)
        #expect(reason == .connectionLost && held.requests.count == 3)
    }

    @Test func `an interceptor that tries again does not, once the answer is known`() async throws {
        let reason = try await reasonOfWrite(
            within: RetryInterceptor(backoff: .constant(.zero)), .preconditionFailed,
            .preconditionFailed)
        #expect(reason == .connectionLost && held.requests.count == 2)
    }

    /// The exchange before the redirect may have been acted on.
    @Test(arguments: [HTTPRequest.Method.get, .post])
    func `behind a redirect it waits as well, for what may be sent again`(
        _ method: HTTPRequest.Method
    ) async throws {
        let redirect = TransportResponse(
            head: HTTPResponse(status: .seeOther, headerFields: [.location: "/y"]))
        held.end(0, .success(redirect))
        held.end(1, .failure(TransportError(.cannotConnect, "Failed.")))
        held.end(2, .success(.json("[]")))
        let promise: Promise<Void> = try client().enqueue(AdHocEndpoint(method, "x"))
        if method == .get {
            await waiting(1)
            network.isOnline = true
            try await promise.value
        } else {
            #expect(try await Self.reason(of: promise) == .cannotConnect)
        }
        let isAgain = method == .get
        #expect(held.requests.map(\.head.path) == ["/x", "/y"] + (isAgain ? ["/x"] : []))
    }

    @Test func `an answer is one, whatever the network`() async throws {
        let promise = try client().enqueue(.get("x"))
        held.end(0, .success(.json("", status: .serviceUnavailable)))
        #expect(try await Self.reason(of: promise) == nil)
        #expect(held.requests.count == 1)
    }

    @Test func `failing at once, nothing is tried`() async throws {
        let client = try client(failsAtOnce: true)
        #expect(try await Self.reason(of: client.enqueue(.get("x"))) == .offline)
        #expect(held.requests.isEmpty)
        network.isOnline = true
        let promise = client.enqueue(.get("x"))
        held.end(0, .success(.json("[]")))
        try await promise.value
    }

    @Test func `those who wait go on together, and who cancels is forgotten`() async throws {
        let promises = (0..<3).map { _ in network.online() }
        promises[1].cancel()
        #expect(network.waitingCount == 2)
        network.isOnline = false
        #expect(promises[0].isPending)
        network.isOnline = true
        try await promises[0].value
        try await promises[2].value
        try await network.online().value
        #expect(network.waitingCount == 0)
    }
}
