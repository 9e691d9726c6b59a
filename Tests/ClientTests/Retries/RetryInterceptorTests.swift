import Foundation
import HTTPTypes
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

@Suite struct RetryInterceptorTests {
    /// A client that retries by a clock that stands still, over a server that answers from a list.
    private struct Setting {
        let clock = ManualClock()
        let transport: StubTransport
        let client: Client

        init(
            _ answers: [Answer], attempts: Int = 3, deadline: Duration = .seconds(60),
            keys: Bool = false, budget: RetryBudget = RetryBudget(),
            _ configure: (inout Client.Configuration) -> Void = { _ in }
        ) throws {
            let turn = Seen<Void>()
            transport = StubTransport { _ throws(TransportError) in
                turn.note(())
                return try answers[min(turn.count, answers.count) - 1].response
            }
            let retrying = RetryInterceptor(
                attempts: attempts, backoff: .constant(.seconds(2)), deadline: deadline,
                addsIdempotencyKeys: keys, budget: budget, clock: clock,
                date: { Date(timeIntervalSince1970: 1_000_000_000) })
            client = try TestClient.client(over: transport) {
                $0.interceptors = [retrying]
                configure(&$0)
            }
        }

        /// Waits for each pause to have begun, and lets it pass.
        func pass(_ pauses: Duration...) async {
            for pause in pauses {
                await clock.sleepers(atLeast: 1)
                clock.advance(by: pause - .milliseconds(1))
                #expect(clock.sleeperCount == 1, "not before \(pause)")
                clock.advance(by: .milliseconds(1))
            }
        }
    }

    enum Answer: Sendable {
        case status(Int, retryAfter: String? = nil)
        case failure(TransportError.Reason)

        var response: TransportResponse {
            get throws(TransportError) {
                switch self {
                case .status(let code, let retryAfter):
                    var response = TransportResponse.json("[]", status: .init(code: code))
                    response.head.headerFields[.retryAfter] = retryAfter
                    return response
                case .failure(let reason):
                    throw TransportError(reason, "Failed.")
                }
            }
        }
    }

    @Test(arguments: [408, 425, 429, 502, 503, 504])
    func `a status that may pass is tried again`(_ code: Int) async throws {
        let setting = try Setting([.status(code), .status(code), .status(200)])
        let promise: Promise<Void> = setting.client.enqueue(Resource("x"))
        await setting.pass(.seconds(2), .seconds(2))
        try await promise.value
        #expect(setting.transport.requests.count == 3)
    }

    @Test(arguments: [400, 401, 403, 404, 409, 500, 501])
    func `a status that says what it means is not`(_ code: Int) async throws {
        let setting = try Setting([.status(code)])
        let promise: Promise<Void> = setting.client.enqueue(Resource("x"))
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.status?.code == code)
        #expect(setting.transport.requests.count == 1)
    }

    @Test func `the last response is handed over`() async throws {
        let setting = try Setting([.status(503), .status(502), .status(504)])
        let promise: Promise<Void> = setting.client.enqueue(Resource("x"))
        await setting.pass(.seconds(2), .seconds(2))
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.reason == .unacceptableStatus)
        #expect(error?.status?.code == 504)
        #expect(setting.transport.requests.count == 3)
    }

    @Test(arguments: [
        TransportError.Reason.timedOut, .connectionLost, .truncatedBody, .cannotConnect,
        .cannotFindHost,
    ])
    func `what fails on its way is tried again`(_ reason: TransportError.Reason) async throws {
        let setting = try Setting([.failure(reason), .status(200)])
        let promise: Promise<Void> = setting.client.enqueue(Resource("x"))
        await setting.pass(.seconds(2))
        try await promise.value
    }

    @Test(arguments: [
        TransportError.Reason.secureConnectionFailed, .clientCertificateRefused,
        .malformedResponse, .limitExceeded, .invalidRequest, .unsupportedContentEncoding,
    ])
    func `what would fail again is not`(_ reason: TransportError.Reason) async throws {
        let setting = try Setting([.failure(reason), .status(200)])
        let promise: Promise<Void> = setting.client.enqueue(Resource("x"))
        await #expect(throws: ClientError.self) { try await promise.value }
        #expect(setting.transport.requests.count == 1)
    }

    @Test(arguments: [
        (Answer.status(503), false), (.failure(.connectionLost), false),
        (.failure(.timedOut), false), (.failure(.cannotConnect), true),
        (.failure(.cannotFindHost), true),
    ])
    func `a POST is sent again only where it can't have arrived`(
        _ answer: Answer, _ isTriedAgain: Bool
    ) async throws {
        let setting = try Setting([answer, .status(200)])
        let promise: Promise<Void> = setting.client.enqueue(Posted())
        if isTriedAgain {
            await setting.pass(.seconds(2))
            try await promise.value
        } else {
            await #expect(throws: ClientError.self) { try await promise.value }
        }
        #expect(setting.transport.requests.count == (isTriedAgain ? 2 : 1))
    }

    @Test func `with a key it is sent again, and the key is the same`() async throws {
        let setting = try Setting([.status(503), .status(200), .status(200)], keys: true)
        let promise: Promise<Void> = setting.client.enqueue(Posted())
        await setting.pass(.seconds(2))
        try await promise.value
        try await setting.client.enqueue(Posted(), as: Void.self).value
        let keys = setting.transport.requests.map {
            $0.head.headerFields[.named("Idempotency-Key")]
        }
        #expect(keys.count == 3 && keys[0] != nil && keys[0] == keys[1] && keys[1] != keys[2])
    }

    @Test func `a key of the endpoint's own is enough and stays; a GET needs none`() async throws {
        let setting = try Setting([.status(503), .status(200)], keys: true)
        let promise: Promise<Void> = setting.client.enqueue(
            Posted(headerFields: [.named("Idempotency-Key"): "mine"]))
        await setting.pass(.seconds(2))
        try await promise.value
        try await setting.client.enqueue(Resource("x"), as: Void.self).value
        #expect(
            setting.transport.requests.map { $0.head.headerFields[.named("Idempotency-Key")] }
                == ["mine", "mine", nil])
    }

    @Test(arguments: [
        ("7", 7), ("0", 0), (" 12 ", 12), ("Sun, 09 Sep 2001 01:46:45 GMT", 5),
        ("Sun, 09 Sep 2001 01:46:00 GMT", 0),
        ("Sunday, 09-Sep-01 01:46:45 GMT", 5), ("Sun Sep  9 01:46:45 2001", 5), ("soon", 2),
        ("-1", 2), ("", 2),
    ])
    func `the server's wish comes before the backoff`(
        _ field: String, _ seconds: Int
    ) async throws {
        let setting = try Setting([.status(503, retryAfter: field), .status(200)])
        let promise: Promise<Void> = setting.client.enqueue(Resource("x"))
        if seconds > 0 { await setting.pass(.seconds(seconds)) }
        try await promise.value
        #expect(setting.transport.requests.count == 2)
    }

    @Test(arguments: ["86400", "60", "99999999999999999999", "Mon, 10 Sep 2001 01:46:40 GMT"])
    func `a wish for more than the time that is left ends it at once`(
        _ field: String
    ) async throws {
        let setting = try Setting([.status(503, retryAfter: field), .status(200)])
        let promise: Promise<Void> = setting.client.enqueue(Resource("x"))
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.status == .serviceUnavailable)
        #expect(error?.headerFields?[.retryAfter] == field)
    }

    @Test func `all attempts have one time, and each what is left of it`() async throws {
        let setting = try Setting([.status(503)], attempts: 100, deadline: .seconds(5)) {
            $0.timeout = .seconds(4)
        }
        let promise: Promise<Void> = setting.client.enqueue(Resource("x"))
        await setting.pass(.seconds(2), .seconds(2))
        await #expect(throws: ClientError.self) { try await promise.value }
        #expect(
            setting.transport.requests.map(\.timeout) == [.seconds(4), .seconds(3), .seconds(1)])
    }

    @Test func `who gives an endpoint more time has it for an attempt, too`() async throws {
        let setting = try Setting([.status(200)])
        let upload = AdHocEndpoint.post("files", body: .text("content"))
            .setting(\.timeout, to: .seconds(600))
        try await setting.client.enqueue(upload, as: Void.self).value
        #expect(setting.transport.requests.map(\.timeout) == [.seconds(600)])
    }

    /// Also where an interceptor between them makes requests anew.
    @Test(arguments: [false, true])
    func `its time is that of a wait for the network inside of it, too`(
        _ isAnew: Bool
    ) async throws {
        let (clock, held) = (ManualClock(), HeldTransport())
        let network = NetworkState(isOnline: false)
        let client = try TestClient.client(over: held) {
            $0.interceptors = [
                RetryInterceptor(attempts: 2, backoff: .none, deadline: .seconds(10), clock: clock),
                ClosureInterceptor { request, next in
                    next(isAnew ? TransportRequest(head: request.head) : request)
                },
                OfflineInterceptor(network, waiting: .seconds(30), clock: clock),
            ]
        }
        let promise: Promise<Void> = client.enqueue(Resource("x"))
        held.end(0, .failure(TransportError(.cannotFindHost, "Failed.")))
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(4))
        network.isOnline = true
        while held.requests.count < 2 { await Task.yield() }
        network.isOnline = false
        held.end(1, .failure(TransportError(.cannotConnect, "Failed again.")))
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .milliseconds(5_999))
        #expect(clock.sleeperCount == 1)
        try #require(clock.advance(by: .milliseconds(1)) == 1)
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect((error?.underlying as? TransportError)?.reason == .cannotConnect)
        #expect(held.requests.map(\.timeout) == [.seconds(10), .seconds(6)])
    }

    @Test func `with an idle timeout, it is the time of all waits together`() async throws {
        let (clock, held) = (ManualClock(), HeldTransport())
        let network = NetworkState(isOnline: false)
        let client = try TestClient.client(over: held) {
            $0.idleTimeout = .seconds(5)
            $0.interceptors = [
                RetryInterceptor(
                    backoff: .constant(.seconds(2)), deadline: .seconds(10), clock: clock),
                OfflineInterceptor(network, waiting: .seconds(7), clock: clock),
            ]
        }
        let promise: Promise<Void> = client.enqueue(Resource("x"))
        // What moves takes as long as it may.
        clock.advance(by: .seconds(600))
        for (attempt, waits) in [[7, 2], [1]].enumerated() {
            while held.requests.count == attempt { await Task.yield() }
            held.end(attempt, .failure(TransportError(.connectionLost, "Failed.")))
            for wait in waits {
                await clock.sleepers(atLeast: 1)
                try #require(clock.advance(by: .seconds(wait)) == 1)
            }
        }
        await #expect(throws: ClientError.self) { try await promise.value }
        #expect(held.requests.count == 2)
    }

    @Test func `cancelling ends the pause`() async throws {
        let setting = try Setting([.status(503)])
        let promise: Promise<Void> = setting.client.enqueue(Resource("x"))
        await setting.clock.sleepers(atLeast: 1)
        promise.cancel()
        await #expect(throws: CancellationError.self) { try await promise.value }
        #expect(setting.transport.requests.count == 1)
    }

    @Test func `several of them are as one`() async throws {
        let setting = try Setting([.status(503)]) {
            $0.interceptors.append(
                RetryInterceptor(attempts: 5, backoff: .none, clock: ManualClock()))
        }
        struct Retried: Endpoint {
            let path = "x"
            let interceptors: [any Interceptor] = [
                RetryInterceptor(attempts: 2, backoff: .none, clock: ManualClock())
            ]
        }
        let promise: Promise<Void> = setting.client.enqueue(Retried())
        await #expect(throws: ClientError.self) { try await promise.value }
        #expect(setting.transport.requests.count == 2)
    }

    @Test func `a validator behind it has the same outcome`() async throws {
        let setting = try Setting([.status(503, retryAfter: "3"), .status(404)]) {
            $0.interceptors.append(Validator.status(200..<300))
        }
        let promise: Promise<Void> = setting.client.enqueue(Resource("x"))
        await setting.pass(.seconds(3))
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.status == .notFound)
        #expect(setting.transport.requests.count == 2)
    }

    @Test func `a server in distress is asked no more than its budget allows`() async throws {
        let budget = RetryBudget(capacity: 2, refund: 0.5)
        let setting = try Setting([.status(503, retryAfter: "0")], attempts: 2, budget: budget)
        for (index, sent) in [2, 4, 5, 6].enumerated() {
            let promise: Promise<Void> = setting.client.enqueue(Resource("x"))
            await #expect(throws: ClientError.self) { try await promise.value }
            #expect(setting.transport.requests.count == sent, "request \(index)")
        }
        // Another origin has its own.
        let other: Promise<Void> = setting.client.enqueue(Link("http://other.invalid/"))
        await #expect(throws: ClientError.self) { try await other.value }
        #expect(setting.transport.requests.count == 8)
    }

    @Test func `what a cache has gives back nothing of a budget`() async throws {
        let transport = StubTransport { request in
            guard request.head.path == "/kept" else {
                return .json("", status: .serviceUnavailable, headerFields: [.retryAfter: "0"])
            }
            return .json("1", headerFields: [.cacheControl: "max-age=60"])
        }
        let cache = ResponseCache.inMemory()
        let client = try TestClient.client(over: transport) {
            $0.cache = cache
            $0.interceptors = [
                RetryInterceptor(attempts: 2, budget: RetryBudget(capacity: 1, refund: 1))
            ]
        }
        func ask() async throws {
            await #expect(throws: ClientError.self) {
                try await client.enqueue(Resource("x"), as: Void.self).value
            }
        }
        _ = try await client.enqueue(Resource("kept"), as: Int.self).value
        _ = try await cache.settled().value
        try await ask()
        for _ in 0..<3 { _ = try await client.enqueue(Resource("kept"), as: Int.self).value }
        try await ask()
        #expect(transport.requests.map(\.head.path) == ["/kept", "/x", "/x", "/x"])
    }

    /// The first exchange may have been acted on, and what an interceptor asks for beside is another request.
    @Test(arguments: [true, false])
    func `a failure behind the exchange does not send a POST again`(
        _ isRedirected: Bool
    ) async throws {
        let transport = StubTransport { request throws(TransportError) in
            guard request.head.method == .post else {
                throw TransportError(.cannotConnect, "Nobody is there.")
            }
            var response = TransportResponse.json("[]", status: isRedirected ? .seeOther : .ok)
            response.head.headerFields[.location] = "/elsewhere"
            return response
        }
        let other = try TestClient.client(over: transport)
        let client = try TestClient.client(over: transport) {
            $0.interceptors = [
                RetryInterceptor(attempts: 3, backoff: .none, clock: ManualClock()),
                ClosureInterceptor { request, next in
                    next(request).then { response in
                        other.enqueue(Resource("audit"), as: Void.self).then { response }
                    }
                },
            ]
        }
        let promise: Promise<Void> = client.enqueue(Posted())
        await #expect(throws: ClientError.self) { try await promise.value }
        #expect(transport.requests.count { $0.head.method == .post } == 1)
    }

    /// What the condition was not met by may be what the first attempt has written.
    @Test(arguments: [
        (Answer.failure(.connectionLost), ClientError.Reason.transport),
        (.failure(.timedOut), .transport), (.status(504), .unacceptableStatus),
        (.failure(.cannotConnect), .preconditionFailed), (.status(503), .preconditionFailed),
    ])
    func `a write that may have been done is not said to have met another's change`(
        _ first: Answer, _ expected: ClientError.Reason
    ) async throws {
        let setting = try Setting([first, .status(412)])
        let promise: Promise<Void> = setting.client.enqueue(.put("x", ifMatch: .tag("\"1\"")))
        await setting.pass(.seconds(2))
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.reason == expected)
        #expect(setting.transport.requests.count == 2)
    }

    /// That the last attempt was not sent says nothing of the one before.
    @Test func `a write that may have been done is not said not to have been sent`() async throws {
        let setting = try Setting(
            [.failure(.connectionLost), .failure(.cannotConnect)], attempts: 2)
        let promise: Promise<Void> = setting.client.enqueue(.put("x"))
        await setting.pass(.seconds(2))
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect((error?.underlying as? TransportError)?.reason == .connectionLost)
        #expect(setting.transport.requests.count == 2)
    }

    /// Nil stands for a connection that can't be made.
    @Test(arguments: [nil, HTTPResponse.Status.serviceUnavailable])
    func `what may have been done inside is not forgotten outside`(
        _ status: HTTPResponse.Status?
    ) async throws {
        let (clock, held) = (ManualClock(), HeldTransport())
        let network = NetworkState(isOnline: false)
        let client = try TestClient.client(over: held) {
            $0.interceptors = [
                RetryInterceptor(attempts: 3, backoff: .none, clock: clock),
                OfflineInterceptor(network, waiting: .seconds(30), clock: clock),
            ]
        }
        let promise: Promise<Void> = client.enqueue(.put("x", ifMatch: .tag("\"1\"")))
        while held.requests.isEmpty { await Task.yield() }
        held.end(0, .failure(TransportError(.connectionLost, "Failed.")))
        while network.waitingCount == 0 { await Task.yield() }
        network.isOnline = true
        while held.requests.count < 2 { await Task.yield() }
        held.end(
            1,
            status.map { .success(.json("", status: $0)) }
                ?? .failure(TransportError(.cannotConnect, "Failed.")))
        while held.requests.count < 3 { await Task.yield() }
        held.end(2, .success(.json("", status: .preconditionFailed)))
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.reason == .transport)
    }

    @Test(arguments: [408, 425, 429, 503])
    func `that a server can't now says nothing of what it did before`(_ code: Int) async throws {
        let setting = try Setting([.failure(.timedOut), .status(code)], attempts: 2)
        let promise: Promise<Void> = setting.client.enqueue(.put("x"))
        await setting.pass(.seconds(2))
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect((error?.underlying as? TransportError)?.reason == .timedOut)
    }

    @Test(arguments: [TransportError.Reason.secureConnectionFailed, .proxyFailed, .offline])
    func `nor is it where the last attempt failed for good before it was sent`(
        _ reason: TransportError.Reason
    ) async throws {
        let setting = try Setting([.failure(.connectionLost), .failure(reason)], attempts: 2)
        let promise: Promise<Void> = setting.client.enqueue(.put("x"))
        await setting.pass(.seconds(2))
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect((error?.underlying as? TransportError)?.reason == .connectionLost)
    }

    /// What was to come first has failed, not the write.
    @Test(arguments: [false, true])
    func `a failed refresh is no write that may have been done`(_ mayBeDone: Bool) async throws {
        let puts = Seen<Void>()
        let transport = StubTransport { request throws(TransportError) in
            guard request.head.method == .put else {
                throw TransportError(.connectionLost, "Lost.")
            }
            puts.note(())
            if mayBeDone, puts.count == 1 { throw TransportError(.connectionLost, "First.") }
            return .json("[]", status: puts.count < 3 ? .unauthorized : .preconditionFailed)
        }
        let accounts = try TestClient.client(over: transport)
        let client = try TestClient.client(over: transport) {
            $0.interceptors = [
                RetryInterceptor(attempts: 2, backoff: .none, clock: ManualClock()),
                AuthorizationInterceptor(.bearer("a")) { _ in
                    accounts.enqueue(Resource("refresh"), as: Void.self).then { .bearer("b") }
                },
            ]
        }
        let promise: Promise<Void> = client.enqueue(.put("x"))
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        let reason = error?.underlying as? TransportError
        #expect(reason?.message == (mayBeDone ? "First." : "Lost."))
        #expect((error?.url?.hasSuffix("/refresh") == true) == !mayBeDone)
    }

    @Test func `a write behind which something else failed has not met another's change`()
        async throws
    {
        let puts = Seen<Void>()
        let transport = StubTransport { request throws(TransportError) in
            guard request.head.method == .put else {
                throw TransportError(.connectionLost, "Lost.")
            }
            puts.note(())
            return .json("[]", status: puts.count == 1 ? .ok : .preconditionFailed)
        }
        let other = try TestClient.client(over: transport)
        let client = try TestClient.client(over: transport) {
            $0.interceptors = [
                RetryInterceptor(attempts: 3, backoff: .none, clock: ManualClock()),
                ClosureInterceptor { request, next in
                    next(request).then { response -> Promise<TransportResponse> in
                        guard response.head.status == .ok else { return .fulfilled(response) }
                        return other.enqueue(Resource("audit"), as: Void.self).then { response }
                    }
                },
            ]
        }
        let promise: Promise<Void> = client.enqueue(.put("x", ifMatch: .tag("\"1\"")))
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.reason == .transport && puts.count == 2)
    }

    @Test func `a POST whose time has run out before its turn is sent again`() async throws {
        let (clock, held) = (ManualClock(), HeldTransport())
        let client = try TestClient.client(over: held) {
            $0.queue = RequestQueue(maximumRequests: 1, clock: clock)
            $0.interceptors = [RetryInterceptor(attempts: 2, backoff: .none, clock: clock)]
        }
        let first: Promise<Void> = client.enqueue(Resource("first"))
        let promise: Promise<Void> = client.enqueue(
            .post("x", body: .text("a"), timeout: .seconds(5)))
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(5))
        // Until it waits again.
        while promise.isPending, clock.sleeperCount == 0 { await Task.yield() }
        held.end(1, .success(.json("[]")))
        held.end(0, .success(.json("[]")))
        try await first.value
        try await promise.value
        #expect(held.requests.map(\.head.path) == ["/first", "/x"])
    }

    @Test func `errors are equal whatever is known of what was sent`() {
        let sent = TransportError(.timedOut, "Late.")
        var unsent = sent
        unsent.isUnsent = true
        #expect(sent == unsent && sent.hashValue == unsent.hashValue)
        #expect(sent != TransportError(.timedOut, "Late.", code: 28))
    }

    /// Whether a validator behind it has made an error of it, or not.
    @Test(arguments: [false, true])
    func `what a cache says of itself is not asked for again`(_ isValidated: Bool) async throws {
        let attempts = Seen<Void>()
        let transport = StubTransport(.json("[]"))
        let client = try TestClient.client(over: transport) {
            $0.cache = .inMemory()
            $0.interceptors = [
                RetryInterceptor(attempts: 3, backoff: .none, clock: ManualClock())
            ]
            if isValidated { $0.interceptors.append(Validator.status(200..<300)) }
            $0.interceptors.append(
                ClosureInterceptor { request, next in
                    attempts.note(())
                    return next(request)
                })
        }
        let promise: Promise<Void> = client.enqueue(
            .get("x", headerFields: [.cacheControl: "only-if-cached"]))
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.status == .gatewayTimeout)
        #expect(attempts.count == 1 && transport.requests.isEmpty)
    }

    /// Of both the first and the second response a server says how long they may be kept.
    @Test func `what was refused and kept is no answer when it is sent again`() async throws {
        let count = Seen<Void>()
        let transport = StubTransport { _ in
            count.note(())
            return .json(
                "1", status: count.count == 1 ? .serviceUnavailable : .ok,
                headerFields: [.cacheControl: "max-age=60", .eTag: "\"1\"", .retryAfter: "0"])
        }
        let cache = ResponseCache.inMemory()
        let client = try TestClient.client(over: transport) {
            $0.cache = cache
            $0.interceptors = [
                RetryInterceptor(attempts: 3, backoff: .none, clock: ManualClock())
            ]
        }
        for source in [ResponseSource.network, .cache] {
            let response: Response<Int> = try await client.enqueue(Resource("x")).value
            #expect(response.source == source)
            _ = try await cache.settled().value
        }
        #expect(transport.requests.count == 2)
        #expect(transport.requests.last?.head.headerFields.contains(.ifNoneMatch) == false)
    }

    @Test func `what an interceptor throws is its own affair`() async throws {
        struct NoToken: Error {}
        let setting = try Setting([.status(200)]) {
            $0.interceptors.append(ClosureInterceptor { _, _ in .rejected(NoToken()) })
        }
        let promise: Promise<Void> = setting.client.enqueue(Resource("x"))
        await #expect(throws: NoToken.self) { try await promise.value }
    }
}

private struct Posted: Endpoint {
    let path = "x"
    let method = HTTPRequest.Method.post
    var headerFields: HTTPFields = [:]
    let body = RequestBody.json(["a": 1])
}
