import Foundation
import HTTPTypes
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// What becomes of those who wait for a credential that does not come.
@Suite struct AuthorizationFailureTests {
    /// A client whose token, 1, is replaced by 2 over the same transport.
    private static func client(
        over transport: StubTransport, behind outer: [any Interceptor],
        isExpired: Bool = true, before inner: [any Interceptor] = [],
        failure: TransportError? = nil
    ) throws -> Client {
        let accounts = try TestClient.client(over: transport)
        let old = Credential.bearer("1", expires: isExpired ? .distantPast : .distantFuture)
        let authorization = AuthorizationInterceptor(old) { _ -> Promise<Credential> in
            if let failure { return .rejected(failure) }
            return accounts.enqueue(Resource("token"), as: Void.self).then { .bearer("2") }
        }
        return try TestClient.client(over: transport) {
            $0.interceptors = outer + [authorization] + inner
        }
    }

    private static func answer(to request: TransportRequest) -> TransportResponse {
        let isOld = request.head.headerFields[.authorization] == "Bearer 1"
        return .json("[]", status: isOld ? .unauthorized : .ok)
    }

    @Test(arguments: [true, false])
    func `a POST whose refresh had no connection is tried again`(_ isExpired: Bool) async throws {
        let refreshes = Seen<Void>()
        let transport = StubTransport { request throws(TransportError) in
            if request.head.path == "/token", refreshes.add(()) == 0 {
                throw TransportError(.cannotConnect, "No.")
            }
            return Self.answer(to: request)
        }
        let client = try Self.client(
            over: transport, behind: [RetryInterceptor(backoff: .none, clock: ManualClock())],
            isExpired: isExpired)
        try await client.enqueue(.post("x"), as: Void.self).value
        let paths = transport.requests.map(\.head.path)
        #expect(
            paths
                == (isExpired
                    ? ["/token", "/token", "/x"] : ["/x", "/token", "/x", "/token", "/x"]))
    }

    /// Be it told by a request's error, or by the transport's own.
    @Test(arguments: [false, true])
    func `a POST that may have been done is not, though its refresh was never sent`(
        _ isBare: Bool
    ) async throws {
        let posts = Seen<Void>()
        let transport = StubTransport { request throws(TransportError) in
            guard request.head.path == "/x" else { throw TransportError(.cannotConnect, "No.") }
            if posts.add(()) == 0 { throw TransportError(.connectionLost, "Lost.") }
            return Self.answer(to: request)
        }
        let twice = ClosureInterceptor { request, next in
            ExchangeOutcome.of(next(request)).then { _ in next(request) }
        }
        let client = try Self.client(
            over: transport, behind: [RetryInterceptor(backoff: .none, clock: ManualClock())],
            isExpired: false, before: [twice],
            failure: isBare ? TransportError(.connectionLost, "No.") : nil)
        let promise: Promise<Void> = client.enqueue(.post("x"))
        await #expect(throws: ClientError.self) { try await promise.value }
        let paths = transport.requests.map(\.head.path)
        #expect(paths == ["/x", "/x"] + (isBare ? [] : ["/token"]))
    }

    @Test func `a POST waits for the network that its refresh misses`() async throws {
        let network = NetworkState(isOnline: false)
        let transport = StubTransport { request throws(TransportError) in
            if !network.isOnline { throw TransportError(.cannotFindHost, "No.") }
            return Self.answer(to: request)
        }
        let offline = OfflineInterceptor(network, waiting: .seconds(30), clock: ManualClock())
        let client = try Self.client(over: transport, behind: [offline])
        let ended = Seen<Void>()
        let promise = client.enqueue(.post("x"), as: Void.self).watch { _ in ended.note(()) }
        while network.waitingCount == 0, ended.count == 0 { await Task.yield() }
        network.isOnline = true
        try await promise.value
        #expect(transport.requests.map(\.head.path) == ["/token", "/token", "/x"])
    }

    /// Which the server has replaced its token by.
    @Test(arguments: [false, true])
    func `all that is cancelled leaves the refresh alone that the client makes itself`(
        _ isByType: Bool
    ) async throws {
        let (arrived, goOn) = (Gate(), Gate())
        let transport = StubTransport { request in
            if request.head.path == "/token" {
                arrived.open()
                try await goOn.wait()
            }
            return Self.answer(to: request)
        }
        let own = Guarded<Client?>(nil)
        // The interceptor is the client's own.
        defer { own.withLock { $0 = nil } }
        let authorization = AuthorizationInterceptor(.bearer("1")) { _ -> Promise<Credential> in
            guard let client = own.withLock(\.self) else { return .rejected(CancellationError()) }
            return client.enqueue(Resource("token"), as: Void.self).then { .bearer("2") }
        }
        let client = try TestClient.client(over: transport) { $0.interceptors = [authorization] }
        own.withLock { $0 = client }
        let first = client.enqueue(Resource("x"), as: Void.self)
        try await arrived.wait()
        if isByType { client.cancel(Resource.self) } else { client.cancelAll() }
        await #expect(throws: CancellationError.self) { try await first.value }
        let second = client.enqueue(Resource("y"), as: Void.self)
        goOn.open()
        try await second.value
        #expect(transport.requests.map(\.head.path) == ["/x", "/token", "/y"])
        #expect(authorization.credential == .bearer("2"))
    }

    /// Their own time is 30 days.
    @Test func `a download and a stream wait for it as long as for anything to move`() async throws
    {
        let clock = ManualClock()
        let (never, resolver) = Promise<Credential>.pending()
        let transport = StubTransport(.json("[]"))
        let client = try TestClient.client(over: transport) {
            $0.timeout = .seconds(10)
            $0.interceptors = [AuthorizationInterceptor(clock: clock, provider: { _ in never })]
        }
        let folder = try TemporaryFile(named: "marker", Data())
        let file = folder.url.deletingLastPathComponent().appending(path: "file")
        let download = client.download(.get("x"), to: file)
        let stream = Task { for try await _ in client.stream(.get("x")) {} }
        defer { stream.cancel() }
        await clock.sleepers(atLeast: 2)
        try #require(clock.advance(by: .seconds(10)) == 2)
        let first = await #expect(throws: ClientError.self) { try await download.value }
        let second = await #expect(throws: ClientError.self) { try await stream.value }
        for error in [first, second] {
            #expect((error?.underlying as? TransportError)?.reason == .timedOut)
        }
        #expect(transport.requests.isEmpty)
        withExtendedLifetime(resolver) {}
    }
}
