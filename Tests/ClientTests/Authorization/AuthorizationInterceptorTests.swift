import Foundation
import HTTPTypes
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

@Suite(.platformTransport) struct AuthorizationInterceptorTests {
    @Test(arguments: [HTTPRequest.Method.get, .post, .put, .delete, .patch])
    func `what is refused is sent again with a new token, whatever its method`(
        _ method: HTTPRequest.Method
    ) async throws {
        let setting = try Setting()
        let promise: Promise<Void> = setting.client.enqueue(Asked(method: method))
        try await setting.refresh(to: 2)
        try await promise.value
        #expect(setting.tokens == ["Bearer 1", "Bearer 2"])
        #expect(
            setting.transport.requests.map(\.body) == Array(repeating: Data("a".utf8), count: 2))
        #expect(setting.olds.values == [.bearer("1")])
        #expect(setting.authorization.credential == .bearer("2"))
    }

    @Test(arguments: [false, true])
    func `a 401 is refreshed before statuses are accepted`(_ isOfEndpoint: Bool) async throws {
        let setting = try Setting {
            if !isOfEndpoint { $0.validators = [.status(200..<500)] }
        }
        let promise: Promise<Response<Void>> = setting.client.enqueue(
            Asked(acceptedStatuses: isOfEndpoint ? StatusCodes(200..<500) : nil))
        try await setting.refresh(to: 2)
        #expect(try await promise.value.status == .ok)
    }

    @Test func `behind it a validator's refusal is refreshed too`() async throws {
        let setting = try Setting { $0.interceptors.append(Validator.status(200..<300)) }
        let promise: Promise<Void> = setting.client.enqueue(Resource("x"))
        try await setting.refresh(to: 2)
        try await promise.value
        #expect(setting.tokens == ["Bearer 1", "Bearer 2"])
    }

    @Test func `fifty refusals are one refresh`() async throws {
        let (refused, answered) = (Seen<Void>(), Seen<String>())
        let all = Gate()
        let server = try await LoopbackServer { request in
            guard request.headerFields[.authorization] != "Bearer 2" else {
                answered.note(request.path)
                return .init(body: Data("[]".utf8))
            }
            refused.note(())
            if refused.count == 50 { all.open() }
            // What is enqueued after a refusal waits, and is not sent to be refused.
            try? await all.wait()
            return .init(status: .unauthorized)
        }
        let refreshes = Seen<Credential>()
        let client = try TestClient.client(at: server.baseURL) {
            $0.interceptors = [
                AuthorizationInterceptor(.bearer("1")) { old in
                    refreshes.note(old)
                    return .bearer("2")
                }
            ]
        }
        let promises = (0..<50).map { client.enqueue(Resource("\($0)"), as: Void.self) }
        for promise in promises { try await promise.value }
        #expect(refreshes.values == [.bearer("1")])
        #expect(refused.count == 50)
        #expect(Set(answered.values) == Set((0..<50).map { "/\($0)" }) && answered.count == 50)
        await server.stop()
    }

    @Test func `the new token is kept though all that wait are cancelled`() async throws {
        let setting = try Setting(refusals: 3)
        let requests = (0..<3).map { number -> Promise<Void> in
            setting.client.enqueue(Resource("\(number)"))
        }
        await setting.sendings(3)
        let (_, resolver) = try await setting.nextRefresh()
        for request in requests { request.cancel() }
        for request in requests {
            await #expect(throws: CancellationError.self) { try await request.value }
        }
        #expect(!resolver.isCancelled)
        setting.server.accept(2)
        resolver.fulfill(.bearer("2"))
        try await setting.kept(1)
        #expect(setting.changes.values == [.bearer("2")])
        try await setting.client.enqueue(Resource("y"), as: Void.self).value
        // One whose refusal was being looked at may be on its way again before it hears of its end.
        #expect(setting.tokens.last == "Bearer 2")
        #expect(setting.tokens.filter { $0 == "Bearer 1" }.count == 3)
    }

    @Test func `cancelling one that waits leaves the others`() async throws {
        let transport = HeldTransport { transport, number in
            if number > 0 { transport.end(number, .success(.json("[]"))) }
        }
        let (token, resolver) = Promise<Credential>.pending()
        let client = try TestClient.client(over: transport) {
            $0.interceptors = [AuthorizationInterceptor(.bearer("1"), refreshing: { _ in token })]
        }
        let given: Promise<Void> = client.enqueue(Resource("a"))
        // It waits by the time that this returns: before, its end could come too late.
        transport.end(0, .success(.json("[]", status: .unauthorized)))
        let other: Promise<Void> = client.enqueue(Resource("b"))
        given.cancel()
        await #expect(throws: CancellationError.self) { try await given.value }
        #expect(!resolver.isCancelled)
        resolver.fulfill(.bearer("2"))
        try await other.value
        #expect(transport.requests.map(\.head.path) == ["/a", "/b"])
        #expect(
            transport.requests.map { $0.head.headerFields[.authorization] }
                == ["Bearer 1", "Bearer 2"], "the second has waited before it was sent")
    }

    @Test func `a late refusal of the old token is sent again without a refresh`() async throws {
        let late = Gate()
        let setting = try Setting(late: late)
        let slow: Promise<Void> = setting.client.enqueue(Resource("late"))
        await setting.sendings(1)
        let quick: Promise<Void> = setting.client.enqueue(Resource("x"))
        try await setting.refresh(to: 2)
        try await quick.value
        late.open()
        try await slow.value
        #expect(setting.olds.count == 1)
        #expect(setting.transport.requests.map(\.head.path) == ["/late", "/x", "/x", "/late"])
    }

    @Test func `a refresh that fails fails all that wait, and sends nothing again`() async throws {
        struct Revoked: Error {}
        let late = Gate()
        let setting = try Setting(late: late, refusals: 3)
        let slow: Promise<Void> = setting.client.enqueue(Resource("late"))
        let promises = (0..<3).map { setting.client.enqueue(Resource("\($0)"), as: Void.self) }
        await setting.sendings(4)
        let (_, resolver) = try await setting.nextRefresh()
        resolver.reject(Revoked())
        for promise in promises { await #expect(throws: Revoked.self) { try await promise.value } }
        late.open()
        await #expect(throws: Revoked.self) { try await slow.value }
        #expect(setting.transport.requests.count == 4 && setting.olds.count == 1)
        // What is asked later is another matter.
        let next: Promise<Void> = setting.client.enqueue(Resource("x"))
        try await setting.refresh(to: 2)
        try await next.value
        #expect(setting.changes.values == [.bearer("2")])
    }

    @Test func `a refusal of the new token is the answer`() async throws {
        let setting = try Setting()
        let promise: Promise<Void> = setting.client.enqueue(Resource("x"))
        let (_, resolver) = try await setting.nextRefresh()
        resolver.fulfill(.bearer("3"))
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.reason == .unacceptableStatus && error?.status == .unauthorized)
        #expect(setting.tokens == ["Bearer 1", "Bearer 3"] && setting.olds.count == 1)
    }

    @Test func `sending again runs what is behind it again, and nothing before it`() async throws {
        let (before, behind) = (Heard(), Heard())
        let setting = try Setting {
            $0.interceptors.insert(noting(before), at: 0)
            $0.interceptors.append(noting(behind))
        }
        let promise: Promise<Void> = setting.client.enqueue(Resource("x"))
        try await setting.refresh(to: 2)
        try await promise.value
        #expect(before.texts == [" 200"])
        #expect(behind.texts == ["Bearer 1 401", "Bearer 2 200"])
    }

    @Test func `other statuses that are named refuse`() async throws {
        let transport = StubTransport { request in
            let isNew = request.head.headerFields[.authorization] == "Bearer 2"
            return .json("[]", status: isNew ? .ok : .init(code: 419))
        }
        let client = try TestClient.client(over: transport) {
            $0.interceptors = [
                AuthorizationInterceptor(.bearer("1"), statuses: [401, 419]) { _ in .bearer("2") }
            ]
        }
        try await client.enqueue(Resource("x"), as: Void.self).value
        #expect(transport.requests.count == 2)
    }

    @Test func `a token that can't be sent is an error of the request`() async throws {
        let setting = try Setting(credential: .bearer("a\nb"))
        let promise: Promise<Void> = setting.client.enqueue(Resource("x"))
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.reason == .invalidRequest && setting.transport.requests.isEmpty)
    }

    // MARK: - Endpoints

    @Test func `an endpoint that needs none gets none, and its 401 is its own`() async throws {
        let setting = try Setting()
        let promise: Promise<Void> = setting.client.enqueue(Asked(needsAuthorization: false))
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.status == .unauthorized)
        #expect(setting.tokens == [nil] && setting.olds.count == 0)
    }

    @Test func `an endpoint with a field of its own authorizes itself`() async throws {
        let setting = try Setting()
        let promise: Promise<Void> = setting.client.enqueue(
            Asked(headerFields: [.authorization: "Basic own"]))
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.status == .unauthorized)
        #expect(setting.tokens == ["Basic own"] && setting.olds.count == 0)
    }

    // MARK: - Retries

    @Test(arguments: [0, 1])
    func `beside retries neither multiplies the other`(_ index: Int) async throws {
        let setting = try Setting {
            $0.interceptors.insert(
                RetryInterceptor(attempts: 3, backoff: .none, clock: ManualClock()), at: index)
        }
        setting.server.fail(next: 1)
        let promise: Promise<Void> = setting.client.enqueue(Resource("x"))
        try await setting.refresh(to: 2)
        try await promise.value
        #expect(setting.tokens == ["Bearer 1", "Bearer 1", "Bearer 2"])

        // A POST is sent again for the refusal alone.
        setting.server.accept(3)
        let posted: Promise<Void> = setting.client.enqueue(Asked(method: .post))
        let (_, resolver) = try await setting.nextRefresh()
        setting.server.fail(next: 1)
        resolver.fulfill(.bearer("3"))
        let error = await #expect(throws: ClientError.self) { try await posted.value }
        #expect(error?.status == .serviceUnavailable)
        #expect(setting.tokens.suffix(2) == ["Bearer 2", "Bearer 3"] && setting.tokens.count == 5)
    }

    @Test func `what is tried again is given the token of that moment`() async throws {
        let clock = ManualClock()
        let setting = try Setting {
            $0.interceptors.insert(
                RetryInterceptor(backoff: .constant(.seconds(2)), clock: clock), at: 0)
        }
        setting.server.fail(next: 1)
        let promise: Promise<Void> = setting.client.enqueue(Resource("x"))
        await clock.sleepers(atLeast: 1)
        let other: Promise<Void> = setting.client.enqueue(Resource("y"))
        try await setting.refresh(to: 2)
        try await other.value
        clock.advance(by: .seconds(2))
        try await promise.value
        #expect(setting.tokens == ["Bearer 1", "Bearer 1", "Bearer 2", "Bearer 2"])
    }

    // MARK: - Time

    @Test func `the wait and what follows have one time`() async throws {
        let setting = try Setting { $0.timeout = .seconds(10) }
        let promise: Promise<Void> = setting.client.enqueue(Resource("x"))
        let (_, resolver) = try await setting.nextRefresh()
        await setting.clock.sleepers(atLeast: 1)
        setting.clock.advance(by: .seconds(4))
        setting.server.accept(2)
        resolver.fulfill(.bearer("2"))
        try await promise.value
        #expect(setting.transport.requests.map(\.timeout) == [.seconds(10), .seconds(6)])
    }

    @Test func `a wait for the transport takes nothing of that time`() async throws {
        let clock = ManualClock()
        let transport = StubTransport { request in
            let isOld = request.head.headerFields[.authorization] == "Bearer 1"
            guard isOld else { return .json("[]") }
            // It was held up for 17 seconds by others.
            clock.advance(by: .seconds(20))
            var response = TransportResponse.json("{}", status: .unauthorized)
            response.totalTime = .seconds(3)
            return response
        }
        let authorization = AuthorizationInterceptor(.bearer("1"), clock: clock) {
            (_: Credential) -> Promise<Credential> in .fulfilled(.bearer("2"))
        }
        let client = try TestClient.client(over: transport) {
            ($0.timeout, $0.interceptors) = (.seconds(10), [authorization])
        }
        try await client.enqueue(Resource("x"), as: Void.self).value
        #expect(transport.requests.map(\.timeout) == [.seconds(10), .seconds(7)])
    }

    @Test func `nobody waits for longer than that, and the refresh goes on`() async throws {
        let setting = try Setting { $0.timeout = .seconds(10) }
        let promise: Promise<Void> = setting.client.enqueue(Resource("x"))
        let (_, resolver) = try await setting.nextRefresh()
        await setting.clock.sleepers(atLeast: 1)
        setting.clock.advance(by: .seconds(10))
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect((error?.underlying as? TransportError)?.reason == .timedOut)
        #expect(!resolver.isCancelled)
        setting.server.accept(2)
        resolver.fulfill(.bearer("2"))
        try await setting.client.enqueue(Resource("y"), as: Void.self).value
        #expect(setting.olds.count == 1)
    }

    @Test func `a token that is known to be over is replaced before it is sent`() async throws {
        let setting = try Setting(credential: .bearer("1", expires: Setting.now))
        setting.server.accept(2)
        let promises = (0..<3).map { setting.client.enqueue(Resource("\($0)"), as: Void.self) }
        let (_, resolver) = try await setting.nextRefresh()
        // By the server's clock it is over, too: then it is what the server says.
        resolver.fulfill(.bearer("2", expires: Setting.now))
        for promise in promises { try await promise.value }
        #expect(setting.tokens == ["Bearer 2", "Bearer 2", "Bearer 2"])
        try await setting.client.enqueue(Resource("y"), as: Void.self).value
        #expect(setting.olds.count == 1)
    }

    @Test func `one that is not yet over is sent, and one that nobody replaces`() async throws {
        let later = Setting.now + 1
        let setting = try Setting(credential: .bearer("2", expires: later))
        setting.server.accept(2)
        try await setting.client.enqueue(Resource("x"), as: Void.self).value
        let client = try TestClient.client(over: setting.transport) {
            $0.interceptors = [AuthorizationInterceptor(.bearer("2", expires: .distantPast))]
        }
        try await client.enqueue(Resource("x"), as: Void.self).value
        #expect(setting.tokens == ["Bearer 2", "Bearer 2"])
    }

    private func noting(_ heard: Heard) -> ClosureInterceptor {
        ClosureInterceptor { request, next in
            next(request).then(on: .immediate) { response in
                heard.note(
                    "\(request.head.headerFields[.authorization] ?? "") \(response.head.status.code)"
                )
                return response
            }
        }
    }
}
