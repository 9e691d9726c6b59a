import Foundation
import HTTPTypes
import LarderClient
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

/// The interceptors, validators and processors of an endpoint, and what it accepts.
@Suite struct EndpointStagesTests {
    @Test func `its interceptors are outside the client's`() async throws {
        let seen = Seen<String>()
        let client = try TestClient.client(over: StubTransport(.json("[]"))) {
            $0.interceptors = [.noting("client", seen)]
        }
        let call = client.configured { $0.interceptors.insert(.noting("call", seen), at: 0) }
        let endpoint = Staged(interceptors: [.noting("endpoint", seen)])
        try await client.enqueue(endpoint, as: Void.self).value
        #expect(seen.values == ["endpoint", "client"])
        try await call.enqueue(endpoint, as: Void.self).value
        #expect(seen.values.dropFirst(2) == ["endpoint", "call", "client"])
        try await client.enqueue(Resource("x"), as: Void.self).value
        #expect(seen.values.dropFirst(5) == ["client"])
    }

    @Test func `an interceptor is told what was enqueued`() async throws {
        let seen = Seen<String>()
        let client = try TestClient.client(over: StubTransport(.json("[]"))) {
            $0.interceptors = [
                ClosureInterceptor(endpoint: { request, endpoint, next in
                    seen.note((endpoint as? Staged)?.name ?? "\(type(of: endpoint))")
                    return next(request)
                })
            ]
        }
        try await client.enqueue(Staged(name: "mine"), as: Void.self).value
        try await client.enqueue(Resource("x"), as: Void.self).value
        #expect(seen.values == ["mine", "Resource"])
    }

    @Test func `its validators and processors come before the client's`() async throws {
        let seen = Seen<String>()
        let client = try TestClient.client(over: StubTransport(.json("[]"))) {
            $0.validators.append(Validator { _, _ in seen.note("client validates") })
            $0.processors = [
                ResponseProcessor { response, _ in
                    seen.note("client processes")
                    return response
                }
            ]
        }
        let endpoint = Staged(
            validators: [Validator { _, _ in seen.note("validates") }],
            processors: [
                ResponseProcessor { response, _ in
                    seen.note("processes")
                    return response
                }
            ])
        try await client.enqueue(endpoint, as: Void.self).value
        #expect(
            seen.values == ["validates", "client validates", "processes", "client processes"])
    }

    @Test(arguments: [(200, false), (404, true), (304, true), (503, false)])
    func `its statuses stand in for the client's`(_ code: Int, _ isAccepted: Bool) async throws {
        let seen = Seen<Int>()
        let client = try TestClient.client(
            over: StubTransport(.json("[]", status: .init(code: code)))
        ) {
            $0.validators.append(Validator { response, _ in seen.note(response.head.status.code) })
        }
        let promise = client.enqueue(
            Staged(acceptedStatuses: [404, 304]), as: Response<Void>.self)
        if isAccepted {
            #expect(try await promise.value.status.code == code)
            #expect(seen.values == [code], "other validators stay in force")
        } else {
            let error = await #expect(throws: ClientError.self) { try await promise.value }
            #expect(error?.reason == .unacceptableStatus)
            #expect(error?.status?.code == code)
        }
    }

    @Test func `statuses that are not optional count as well`() async throws {
        struct Definite: Endpoint {
            let path = "x"
            let acceptedStatuses = StatusCodes.success.union([404])
        }
        struct Optional: Endpoint {
            let path = "x"
            let acceptedStatuses: StatusCodes? = .all
        }
        let client = try TestClient.client(
            over: StubTransport(.json("[]", status: .notFound)))
        try await client.enqueue(Definite(), as: Void.self).value
        try await client.enqueue(Optional(), as: Void.self).value
        let promise: Promise<Void> = client.enqueue(Resource("x"))
        await #expect(throws: ClientError.self) { try await promise.value }
    }

    @Test func `a status validator among the interceptors has its say all the same`() async throws {
        let client = try TestClient.client(
            over: StubTransport(.json("[]", status: .notFound))
        ) {
            $0.interceptors = [Validator.status(200..<300)]
        }
        let promise = client.enqueue(Staged(acceptedStatuses: .all), as: Void.self)
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.reason == .unacceptableStatus)
    }

    @Test(arguments: [
        ("application/json", true), ("APPLICATION/JSON; charset=utf-8", true),
        ("image/png", true), (" application/json ;a=b", true), ("text/html", false),
        ("application/jsonp", false), ("application", false), ("", false), ("*/*", false),
    ])
    func `content of another type is refused`(_ type: String, _ isAccepted: Bool) async throws {
        var response = TransportResponse.json("[]")
        response.head.headerFields[.contentType] = type.isEmpty ? nil : type
        let client = try TestClient.client(over: StubTransport(response))
        let endpoint = Staged(acceptedContentTypes: ["application/json", "image/*"])
        let promise = client.enqueue(endpoint, as: Data.self)
        if isAccepted {
            #expect(try await promise.value == Data("[]".utf8))
        } else {
            let error = await #expect(throws: ClientError.self) { try await promise.value }
            #expect(error?.reason == .unacceptableContentType)
            #expect(error?.body == Data("[]".utf8))
        }
    }

    @Test func `no content is of no type, and the types are asked for`() async throws {
        let transport = StubTransport { _ in
            TransportResponse(head: HTTPResponse(status: .noContent))
        }
        let client = try TestClient.client(over: transport)
        let endpoint = Staged(acceptedContentTypes: ["application/json", "image/*"])
        try await client.enqueue(endpoint, as: Void.self).value
        #expect(
            transport.requests.first?.head.headerFields[.accept] == "application/json, image/*")
        let own = Staged(headerFields: [.accept: "text/css"], acceptedContentTypes: ["text/css"])
        try await client.enqueue(own, as: Void.self).value
        #expect(transport.requests.last?.head.headerFields[.accept] == "text/css")
    }

    @Test func `stored properties of other types are refused`() async throws {
        struct Listed: Endpoint {
            let path = "x"
            let acceptedStatuses = [200, 404]
        }
        struct Narrow: Endpoint {
            let path = "x"
            let interceptors = [Validator.status(200..<300)]
        }
        let client = try TestClient.client(over: StubTransport(.json("[]")))
        for promise in [
            client.enqueue(Listed(), as: Void.self), client.enqueue(Narrow(), as: Void.self),
        ] {
            let error = await #expect(throws: ClientError.self) { try await promise.value }
            #expect(error?.reason == .invalidRequest)
        }
    }

    @Test func `a client with other settings is of the same API, store and transport`() async throws
    {
        let transport = StubTransport(.json(#"{"id": 1, "login": "ann"}"#))
        let client = try TestClient.client(over: transport)
        let other = client.configured {
            $0.headerFields[.userAgent] = "other"
            $0.timeout = .seconds(7)
        }
        _ = try await other.enqueue(Resource("me"), as: User.self).value
        #expect(try client.store.first(User.all)?.login == "ann")
        #expect(transport.requests.first?.timeout == .seconds(7))
        #expect(transport.requests.first?.head.headerFields[.userAgent] == "other")
        #expect(other.baseURL == client.baseURL)
        #expect(client.configuration.timeout == .seconds(600))
    }
}

/// An endpoint with stages of its own.
private struct Staged: Endpoint {
    let path = "x"
    var name = ""
    var headerFields: HTTPFields = [:]
    var acceptedStatuses: StatusCodes?
    var acceptedContentTypes: [String] = []
    var interceptors: [any Interceptor] = []
    var validators: [Validator] = []
    var processors: [ResponseProcessor] = []
}

extension Interceptor where Self == ClosureInterceptor {
    fileprivate static func noting(_ name: String, _ seen: Seen<String>) -> ClosureInterceptor {
        ClosureInterceptor { request, next in
            seen.note(name)
            return next(request)
        }
    }
}
