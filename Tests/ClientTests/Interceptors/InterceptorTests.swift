import Foundation
import HTTPTypes
import LarderClient
import LarderObjectStore
import LarderPromises
import LarderTesting
import Synchronization
import Testing

@Suite struct InterceptorTests {
    @Test func `interceptors see the request inwards and the response outwards`() async throws {
        let seen = Seen<String>()
        let transport = StubTransport { request in
            seen.note("sent " + (request.head.headerFields[.named("X-Trace")] ?? ""))
            return .json("[]")
        }
        let client = try TestClient.client(over: transport) {
            $0.interceptors = [
                Tracing(name: "a", seen: seen), Tracing(name: "b", seen: seen),
                Tracing(name: "c", seen: seen),
            ]
        }
        let promise: Promise<Void> = client.enqueue(Resource("x"))
        try await promise.value
        #expect(seen.values == ["> a", "> b", "> c", "sent abc", "< c", "< b", "< a"])
    }

    @Test func `an interceptor may wait for something first`() async throws {
        let gate = Gate()
        let transport = StubTransport(.json("[]"))
        let client = try TestClient.client(over: transport) {
            $0.interceptors = [
                ClosureInterceptor { request, next in
                    Promise {
                        try await gate.wait()
                        return "token"
                    }.then { token in
                        var request = request
                        request.head.headerFields[.authorization] = "Bearer \(token)"
                        return next(request)
                    }
                }
            ]
        }
        let promise: Promise<Void> = client.enqueue(Resource("x"))
        #expect(transport.requests.isEmpty)
        gate.open()
        try await promise.value
        #expect(transport.requests.first?.head.headerFields[.authorization] == "Bearer token")
    }

    @Test func `an interceptor that blocks the queue of content is told so`() async throws {
        let own = Seen<Client>()
        let client = try TestClient.client(over: StubTransport(.json("[]"))) {
            $0.interceptors = [
                ClosureInterceptor { request, next in
                    guard request.head.path != "/refresh", let client = own.values.first else {
                        return next(request)
                    }
                    do {
                        let refresh: Promise<Void> = client.enqueue(Posted(path: "refresh"))
                        try refresh.wait()
                        return next(request)
                    } catch {
                        return .rejected(error)
                    }
                }
            ]
        }
        own.note(client)
        let promise: Promise<Void> = client.enqueue(Posted(path: "x"))
        await #expect(throws: PromiseError.wouldDeadlock) { try await promise.value }
    }

    @Test func `an interceptor may answer by itself`() async throws {
        let transport = StubTransport(.json("[]"))
        let client = try TestClient.client(over: transport) {
            $0.interceptors = [
                ClosureInterceptor { _, _ in .fulfilled(.json(#"{"id": 1, "login": "x"}"#)) }
            ]
        }
        let user: User = try await client.enqueue(Resource("x")).value
        #expect(user.login == "x")
        #expect(transport.requests.isEmpty)
    }

    @Test func `an interceptor may try again`() async throws {
        let attempts = Seen<Int>()
        let transport = StubTransport { _ in
            attempts.note(1)
            return .json("[]", status: attempts.count < 3 ? .serviceUnavailable : .ok)
        }
        let client = try TestClient.client(over: transport) {
            $0.interceptors = [Retrying()]
        }
        let promise: Promise<Void> = client.enqueue(Resource("x"))
        try await promise.value
        #expect(transport.requests.count == 3)
    }

    @Test func `an interceptor may change the response`() async throws {
        let client = try TestClient.client(over: StubTransport(.json("", status: .notFound))) {
            $0.interceptors = [
                ClosureInterceptor { request, next in
                    next(request).then { response in
                        response.head.status == .notFound ? .json("[]") : response
                    }
                }
            ]
        }
        let users: Many<User> = try await client.enqueue(Resource("x")).value
        #expect(try users.count == 0)
    }

    @Test func `an interceptor's own error arrives unchanged`() async throws {
        struct NoToken: Error, Equatable { let code = 7 }
        let client = try TestClient.client(over: StubTransport(.json("[]"))) {
            $0.interceptors = [ClosureInterceptor { _, _ in .rejected(NoToken()) }]
        }
        let promise: Promise<Void> = client.enqueue(Resource("x"))
        let error = await #expect(throws: NoToken.self) { try await promise.value }
        #expect(error == NoToken())
    }

    @Test func `a transport's error is completed on its way out`() async throws {
        let client = try TestClient.client(
            over: StubTransport { _ throws(TransportError) in
                throw TransportError(.connectionLost, "Gone.")
            }
        ) {
            $0.interceptors = [ClosureInterceptor { request, next in next(request) }]
        }
        let promise: Promise<Void> = client.enqueue(Resource("x"))
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.reason == .transport)
        #expect(error?.url == "http://test.invalid/x")
    }

    @Test func `a promise that several requests share goes on for those not cancelled`()
        async throws
    {
        let arrived = Gate()
        let gate = Gate()
        let transport = StubTransport { _ in
            arrived.open()
            try? await gate.wait()
            return .json("[]")
        }
        let client = try TestClient.client(over: transport) { $0.interceptors = [Coalescing()] }
        let promises: [Promise<Void>] = (0..<3).map { _ in client.enqueue(Resource("x")) }
        try await arrived.wait()
        promises[0].cancel()
        await #expect(throws: CancellationError.self) { try await promises[0].value }
        promises[1].cancel()
        gate.open()
        try await promises[2].value
        #expect(transport.requests.count == 1)
        #expect(transport.cancellationCount == 0)
    }

    @Test func `the last request to be cancelled stops what is shared`() async throws {
        let arrived = Gate()
        let transport = StubTransport { _ in
            arrived.open()
            try? await Gate().wait()
            return .json("[]")
        }
        let client = try TestClient.client(over: transport) { $0.interceptors = [Coalescing()] }
        let promises: [Promise<Void>] = (0..<3).map { _ in client.enqueue(Resource("x")) }
        try await arrived.wait()
        for promise in promises { promise.cancel() }
        #expect(transport.cancellationCount == 1)
    }

    @Test func `what was sent is what the stages, the response and errors know`() async throws {
        let seen = Seen<String>()
        let transport = StubTransport { request throws(TransportError) in
            guard request.head.method == .get else {
                throw TransportError(.connectionLost, "Gone.")
            }
            return .json("[]", headerFields: [.named("Link"): "<next>; rel=next"])
        }
        let client = try TestClient.client(over: transport) {
            $0.interceptors = [
                ClosureInterceptor { request, next in
                    var request = request
                    request.head.authority = "other.invalid"
                    request.head.path = "/moved/to"
                    return next(request)
                }
            ]
            $0.validators = [Validator { seen.note($1.head.path ?? "") }]
            $0.processors = [
                ResponseProcessor { response, request in
                    seen.note(request.head.authority ?? "")
                    return response
                }
            ]
        }
        let response: Response<Void> = try await client.enqueue(Resource("x")).value
        #expect(seen.values == ["/moved/to", "other.invalid"])
        #expect(response.url?.absoluteString == "http://other.invalid/moved/to")
        #expect(response.link(rel: "next")?.absoluteString == "http://other.invalid/moved/next")
        let lost: Promise<Void> = client.enqueue(Sending(method: .post))
        let error = await #expect(throws: ClientError.self) { try await lost.value }
        #expect(error?.url == "http://other.invalid/moved/to")
    }

    @Test func `an answer of the interceptor's own is one to the request as it was`() async throws {
        let client = try TestClient.client(over: StubTransport(.json("{"))) {
            $0.interceptors = [ClosureInterceptor { _, _ in .fulfilled(.json("[]")) }]
        }
        let response: Response<Void> = try await client.enqueue(Resource("x")).value
        #expect(response.url?.absoluteString == "http://test.invalid/x")
    }

    @Test func `a response that is made anew is one to the request that was sent`() async throws {
        var links = HTTPFields()
        links[.named("Link")] = "<users?page=2>; rel=\"next\""
        let client = try TestClient.client(over: StubTransport(.json("[]", headerFields: links))) {
            $0.interceptors = [
                ClosureInterceptor { request, next in
                    var request = request
                    request.head.authority = "mirror.invalid"
                    request.head.path = "/v2/users"
                    return next(request).then { TransportResponse(head: $0.head, body: $0.body) }
                }
            ]
        }
        let response: Response<Void> = try await client.enqueue(Resource("users")).value
        #expect(response.url?.absoluteString == "http://mirror.invalid/v2/users")
        #expect(
            response.link(rel: "next")?.absoluteString == "http://mirror.invalid/v2/users?page=2")
    }

    @Test func `cancelling stops the exchange behind the interceptors`() async throws {
        let arrived = Gate()
        let gate = Gate()
        let transport = StubTransport { _ in
            arrived.open()
            try? await gate.wait()
            return .json("[]")
        }
        let client = try TestClient.client(over: transport) {
            $0.interceptors = [
                Tracing(name: "a", seen: Seen()),
                ClosureInterceptor { request, next in next(request) },
            ]
        }
        let promise: Promise<Void> = client.enqueue(Resource("x"))
        try await arrived.wait()
        promise.cancel()
        await #expect(throws: CancellationError.self) { try await promise.value }
        #expect(transport.cancellationCount == 1)
        gate.open()
    }

    @Test(arguments: [false, true])
    func `what an interceptor sends on behind a cancellation is not sent`(
        _ isByHandler: Bool
    ) async throws {
        let transport = HeldTransport()
        let goOn = Guarded<(@Sendable () -> Void)?>(nil)
        let client = try TestClient.client(over: transport) {
            $0.interceptors = [
                ClosureInterceptor { request, next in
                    Promise { resolver in
                        goOn.withLock {
                            $0 = {
                                guard isByHandler else {
                                    return resolver.resolve(with: next(request))
                                }
                                next(request).tap(on: .immediate) { resolver.resolve(with: $0) }
                            }
                        }
                    }
                }
            ]
        }
        let promise: Promise<Void> = client.enqueue(.post("orders"))
        promise.cancel()
        goOn.withLock { $0.take() }?()
        #expect(transport.requests.isEmpty)
    }

    /// An interceptor that waits for another task's work, which goes on whoever is cancelled.
    private struct Patient: AsyncInterceptor {
        let asked = Gate()
        let gate = Gate()
        let left = Gate()

        func intercept(
            _ request: TransportRequest, for endpoint: any Endpoint, next: @escaping AsyncNext
        ) async throws -> TransportResponse {
            defer { left.open() }
            asked.open()
            _ = await Task { [gate] in try? await gate.wait() }.value
            return try await next(request)
        }
    }

    @Test func `what was cancelled while an interceptor awaits something is not sent`()
        async throws
    {
        let (transport, patient) = (HeldTransport(), Patient())
        let client = try TestClient.client(over: transport) { $0.interceptors = [patient] }
        let promise: Promise<Void> = client.enqueue(.post("orders"))
        try await patient.asked.wait()
        promise.cancel()
        patient.gate.open()
        try await patient.left.wait()
        #expect(transport.requests.isEmpty)
    }
}

private struct Sending: Endpoint {
    let path = "x"
    let method: HTTPRequest.Method
}

/// Lets one exchange answer all requests.
private final class Coalescing: Interceptor {
    private let shared = Mutex<Promise<TransportResponse>?>(nil)

    func intercept(
        _ request: TransportRequest, for endpoint: any Endpoint, next: @escaping Next
    ) -> Promise<TransportResponse> {
        shared.withLock { shared in
            let promise = shared ?? next(request)
            shared = promise
            return promise
        }
    }
}

private struct Tracing: Interceptor {
    let name: String
    let seen: Seen<String>

    func intercept(
        _ request: TransportRequest, for endpoint: any Endpoint, next: @escaping Next
    ) -> Promise<TransportResponse> {
        let (name, seen) = (name, seen)
        seen.note("> \(name)")
        var request = request
        let trace = request.head.headerFields[.named("X-Trace")] ?? ""
        request.head.headerFields[.named("X-Trace")] = trace + name
        return next(request).then(on: .immediate) { response in
            seen.note("< \(name)")
            return response
        }
    }
}

private struct Retrying: Interceptor {
    func intercept(
        _ request: TransportRequest, for endpoint: any Endpoint, next: @escaping Next
    ) -> Promise<TransportResponse> {
        next(request).then { response in
            response.head.status == .serviceUnavailable
                ? self.intercept(request, for: endpoint, next: next) : .fulfilled(response)
        }
    }
}

private struct Posted: Endpoint {
    let path: String
    let method = HTTPRequest.Method.post
    let body = RequestBody.json(["a": 1])
}
