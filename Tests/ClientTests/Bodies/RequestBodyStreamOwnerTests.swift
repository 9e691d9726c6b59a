import Foundation
import HTTPTypes
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// Whose content is what has been gathered of a stream.
@Suite struct RequestBodyStreamOwnerTests {
    private static func stream(_ text: String) -> AsyncStream<Data> {
        AsyncStream { continuation in
            continuation.yield(Data(text.utf8))
            continuation.finish()
        }
    }

    private struct Upload: Endpoint {
        let path: String
        let content: AsyncStream<Data>
        var method: HTTPRequest.Method { .put }
        var body: RequestBody? { .stream(content) }
    }

    /// Has another endpoint build its request, and signs that.
    private struct Signed<Base: Endpoint>: Endpoint {
        let base: Base
        var path: Base.PathType { base.path }
        var method: HTTPRequest.Method { base.method }
        var body: RequestBody? { base.body }

        func request(baseURL: URL) throws -> TransportRequest {
            var request = try base.request(baseURL: baseURL)
            request.head.headerFields[.authorization] = "signed"
            return request
        }
    }

    /// A body that is made anew whenever it is asked for.
    struct Export: Endpoint {
        enum Kind: CaseIterable { case stream, compressed, multipart }
        let kind: Kind
        var path: String { "export" }
        var method: HTTPRequest.Method { .put }
        var body: RequestBody? {
            let stream = RequestBody.stream(RequestBodyStreamOwnerTests.stream("rows"))
            return switch kind {
            case .stream: stream
            case .compressed: stream.compressed()
            case .multipart: .multipart([.body("rows", stream)])
            }
        }
    }

    private static func isRefused(_ error: (any Error)?) -> Bool {
        (error as? TransportError)?.message.contains("gathered by a client") == true
    }

    @Test func `no interceptor sends it for another endpoint's content`() async throws {
        let transport = StubTransport(.json("[]"))
        let base = try #require(URL(string: "http://test.invalid/"))
        let errors = Seen<any Error>()
        let client = try TestClient.client(over: transport) {
            $0.interceptors = [
                ClosureInterceptor { request, next in
                    for path in ["journal", "photo"] {
                        let other = Upload(path: path, content: Self.stream("journal"))
                        do { return next(try TransportRequest(other, baseURL: base)) } catch {
                            errors.note(error)
                        }
                    }
                    return next(request)
                }
            ]
        }
        let photo = Upload(path: "photo", content: Self.stream("secret"))
        try await client.enqueue(photo, as: Void.self).value
        #expect(errors.count == 2 && errors.values.allSatisfy(Self.isRefused))
        #expect(transport.requests.map(\.body) == [Data("secret".utf8)])
    }

    private struct Beginning: AsyncInterceptor {
        let base: URL
        let gate: Promise<Void>
        let outcome: Resolver<TransportRequest>

        func intercept(
            _ request: TransportRequest, for endpoint: any Endpoint, next: @escaping AsyncNext
        ) async throws -> TransportResponse {
            let (base, gate, outcome) = (base, gate, outcome)
            Task {
                do {
                    try await gate.value
                    let other = Upload(path: "journal", content: stream("journal"))
                    outcome.fulfill(try TransportRequest(other, baseURL: base))
                } catch {
                    outcome.reject(error)
                }
            }
            return try await next(request)
        }
    }

    @Test func `nor does a task that one has begun, once it has been sent`() async throws {
        let base = try #require(URL(string: "http://test.invalid/"))
        let (gate, opener) = Promise<Void>.pending()
        let (later, outcome) = Promise<TransportRequest>.pending()
        let client = try TestClient.client(over: StubTransport(.json("[]"))) {
            $0.interceptors = [Beginning(base: base, gate: gate, outcome: outcome)]
        }
        let photo = Upload(path: "photo", content: Self.stream("secret"))
        try await client.enqueue(photo, as: Void.self).value
        opener.fulfill(())
        guard case .failure(let error) = await later.result else {
            Issue.record("It has another one's content.")
            return
        }
        #expect(Self.isRefused(error))
    }

    @Test(arguments: Export.Kind.allCases)
    func `an endpoint that has another one build its request sends its own`(
        kind: Export.Kind
    ) async throws {
        let transport = StubTransport(.json("[]"))
        let client = try TestClient.client(over: transport)
        try await client.enqueue(Export(kind: kind), as: Void.self).value
        try await client.enqueue(Signed(base: Export(kind: kind)), as: Void.self).value
        let bodies = transport.requests.map(\.body?.count)
        #expect(bodies.count == 2 && bodies[0] == bodies[1] && bodies[0] ?? 0 >= 4)
        #expect(transport.requests.last?.head.headerFields[.authorization] == "signed")
    }
}
