import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// Redirects as a client follows them.
@Suite struct RedirectedExchangeTests {
    private static func redirect(
        _ location: String, _ status: HTTPResponse.Status = .found
    ) -> TransportResponse {
        .json("moved", status: status, headerFields: [.location: location])
    }

    @Test func `the last response is the one that counts, and says how it was reached`()
        async throws
    {
        let transport = StubTransport { request in
            switch request.head.path {
            case "/users": Self.redirect("/v2/users", .permanentRedirect)
            case "/v2/users": Self.redirect("people?page=1", .temporaryRedirect)
            default: .json(#"[{"id": 1, "login": "ann"}]"#)
            }
        }
        let client = try TestClient.client(over: transport)
        let response: Response<Many<User>> = try await client.enqueue(Resource("users")).value
        #expect(try response.value.fetch().map(\.login) == ["ann"])
        #expect(response.url?.absoluteString == "http://test.invalid/v2/people?page=1")
        #expect(
            response.redirects.map(\.absoluteString)
                == ["http://test.invalid/users", "http://test.invalid/v2/users"])
        #expect(transport.requests.count == 3)
    }

    @Test func `over sockets too, content and all`() async throws {
        let server = try await LoopbackServer()
        server.route(.post, "/notes") { _ in
            LoopbackServer.Response(
                status: .temporaryRedirect, headerFields: [.location: "/v2/notes"])
        }
        server.route(.post, "/v2/notes") { LoopbackServer.Response(body: $0.body) }
        let client = try TestClient.client(at: server.baseURL)
        let data: Data = try await client.enqueue(Note()).value
        #expect(data == Data("a".utf8))
        await server.stop()
    }

    @Test func `nothing is kept of exchanges that have ended`() async throws {
        let server = try await LoopbackServer()
        server.route(
            .get, "/x", LoopbackServer.Response(status: .found, headerFields: [.location: "/y"]))
        server.route(.get, "/y", .json("[]"))
        for path in ["x", "y"] {
            let isGone = Gate()
            try await Self.fetch(path, from: server, keeping: Kept(isGone))
            try await isGone.wait()
        }
        await server.stop()
    }

    /// Something that a client keeps, which says when it goes.
    private final class Kept: Sendable {
        private let isGone: Gate

        init(_ isGone: Gate) { self.isGone = isGone }

        deinit { isGone.open() }
    }

    private static func fetch(
        _ path: String, from server: LoopbackServer, keeping kept: Kept
    ) async throws {
        let client = try TestClient.client(at: server.baseURL) {
            $0.validators.append(Validator { _, _ in withExtendedLifetime(kept) {} })
        }
        try await client.enqueue(Resource(path), as: Void.self).value
    }

    @Test(arguments: [0, 1, 3, 10])
    func `a limit of n is n`(_ limit: Int) async throws {
        for count in [limit, limit + 1] {
            let transport = StubTransport { request in
                let number = Int(request.head.path?.dropFirst() ?? "") ?? 0
                return number < count ? Self.redirect("/\(number + 1)") : .json("[]")
            }
            let client = try TestClient.client(over: transport) {
                $0.redirects = RedirectPolicy(limit: limit)
            }
            let promise: Promise<Void> = client.enqueue(Resource("0"))
            guard count > limit else {
                try await promise.value
                #expect(transport.requests.count == count + 1)
                continue
            }
            let error = await #expect(throws: ClientError.self) { try await promise.value }
            #expect(error?.reason == (limit == 0 ? .unacceptableStatus : .tooManyRedirects))
            #expect(error?.status == .found)
            #expect(error?.body == Data("moved".utf8))
            #expect(error?.url == "http://test.invalid/\(limit)")
            #expect(transport.requests.count == limit + 1)
        }
    }

    @Test func `interceptors see what they sent and the last response`() async throws {
        let seen = Seen<String>()
        let transport = StubTransport { request in
            request.head.path == "/x" ? Self.redirect("/y") : .json("[]")
        }
        let client = try TestClient.client(over: transport) {
            $0.interceptors = [
                ClosureInterceptor { request, next in
                    seen.note(request.head.path ?? "")
                    return next(request).then(on: .immediate) { response in
                        seen.note("\(response.head.status.code)")
                        return response
                    }
                }
            ]
            $0.validators.append(Validator { seen.note($1.head.path ?? "") })
        }
        try await client.enqueue(Resource("x"), as: Void.self).value
        #expect(seen.values == ["/x", "200", "/y"])
    }

    @Test func `an interceptor's secrets do not go along, nor come back`() async throws {
        let transport = StubTransport { request in
            switch request.urlText {
            case "http://test.invalid/x": Self.redirect("http://b.invalid/1")
            case "http://b.invalid/1": Self.redirect("/2")
            case "http://b.invalid/2": Self.redirect("http://test.invalid/3")
            default: .json("[]")
            }
        }
        let client = try TestClient.client(over: transport) {
            $0.headerFields[.named("X-Api-Key")] = "secret"
            $0.interceptors = [
                ClosureInterceptor { request, next in
                    var request = request
                    request.head.headerFields[.authorization] = "Bearer secret"
                    return next(request)
                }
            ]
        }
        try await client.enqueue(Resource("x"), as: Void.self).value
        let secrets = transport.requests.map { request in
            request.head.headerFields.filter { $0.value.contains("secret") }.count
        }
        #expect(secrets == [2, 0, 0, 0])
        #expect(transport.requests.allSatisfy { $0.head.headerFields.contains(.userAgent) })
    }

    /// Walks at random among origins: what is bound to the first is not seen by another, nor after one.
    @Test(arguments: 0..<40)
    func `no secret leaves its origin on any way`(_ seed: UInt64) async throws {
        var random = SplitMix(seed: seed)
        let origins = ["http://a.invalid", "http://a.invalid:81", "http://b.invalid"]
        var way = ["http://a.invalid/0"]
        for step in 1...Int.random(in: 1...9, using: &random) {
            way.append("\(origins.randomElement(using: &random) ?? origins[0])/\(step)")
        }
        let urls = way
        let codes = urls.map { _ in [301, 302, 303, 307, 308].randomElement(using: &random) ?? 302 }
        let transport = StubTransport { request in
            let index = urls.firstIndex(of: request.urlText) ?? urls.count - 1
            guard index + 1 < urls.count else { return .json("[]") }
            return Self.redirect(urls[index + 1], .init(code: codes[index]))
        }
        let client = try TestClient.client(over: transport, at: "http://a.invalid/") {
            $0.headerFields[.authorization] = "secret"
        }
        try await client.enqueue(Resource("0"), as: Void.self).value
        #expect(transport.requests.map(\.urlText) == urls)
        var isAtHome = true
        for request in transport.requests {
            isAtHome = isAtHome && request.urlText.hasPrefix("http://a.invalid/")
            #expect(
                request.head.headerFields.contains(.authorization) == isAtHome, "\(request.urlText)"
            )
        }
    }

    @Test func `one that leads nowhere is an error with what came back`() async throws {
        let transport = StubTransport { request in
            Self.redirect(request.head.path == "/x" ? "/y" : "ftp://b.invalid/")
        }
        let client = try TestClient.client(over: transport)
        let promise: Promise<Void> = client.enqueue(Resource("x"))
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.reason == .invalidRedirect)
        #expect(error?.url == "http://test.invalid/y")
        #expect(error?.headerFields?[.location] == "ftp://b.invalid/")
    }

    @Test func `cancelling stops the hop that is under way`() async throws {
        let (arrived, gate) = (Gate(), Gate())
        let transport = StubTransport { request in
            if request.head.path == "/x" { return Self.redirect("/y") }
            arrived.open()
            try? await gate.wait()
            return .json("[]")
        }
        let client = try TestClient.client(over: transport)
        let promise: Promise<Void> = client.enqueue(Resource("x"))
        try await arrived.wait()
        promise.cancel()
        await #expect(throws: CancellationError.self) { try await promise.value }
        #expect(transport.cancellationCount == 1)
        gate.open()
    }

    @Test func `the time is one for all hops`() async throws {
        let transport = StubTransport { request in
            request.head.path == "/x" ? Self.redirect("/y") : .json("[]")
        }
        let client = try TestClient.client(over: transport) { $0.timeout = .seconds(50) }
        try await client.enqueue(Resource("x"), as: Void.self).value
        let times = transport.requests.compactMap(\.timeout)
        #expect(times.first == .seconds(50))
        #expect(times.count == 2 && times[1] < .seconds(50) && times[1] > .zero)
    }

    @Test func `a wait for the transport takes nothing of that time`() async throws {
        let transport = StubTransport { request in
            var response: TransportResponse
            switch request.head.path {
            case "/x": response = Self.redirect("/y")
            case "/y": response = Self.redirect("/z")
            default: return .json("[]")
            }
            response.totalTime = .seconds(3)
            return response
        }
        let client = try TestClient.client(over: transport) { $0.timeout = .seconds(50) }
        try await client.enqueue(Resource("x"), as: Void.self).value
        #expect(transport.requests.map(\.timeout) == [.seconds(50), .seconds(47), .seconds(44)])
    }
}

private struct Note: Endpoint {
    let path = "notes"
    let method = HTTPRequest.Method.post
    let body = RequestBody.data(Data("a".utf8))
}
