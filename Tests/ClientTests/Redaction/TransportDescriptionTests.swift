import Foundation
import HTTPTypes
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

@Suite struct TransportDescriptionTests {
    @Test func `a request says nothing secret of itself`() {
        var request = TransportRequest(
            head: HTTPRequest(
                method: .post, scheme: "https", authority: "a.test",
                path: "/x?token=hidden&tenant=hidden&page=2",
                headerFields: [.authorization: "Bearer hidden", .accept: "a/b"]),
            body: Data("hidden".utf8))
        request.secretNames = ["tenant"]
        let expected =
            "POST https://a.test/x?token=…&tenant=…&page=2 (Authorization: …, Accept: a/b) with 6 bytes"
        #expect("\(request)" == expected)
        #expect(request.debugDescription == expected)
        var text = ""
        dump(request, to: &text)
        #expect(!text.contains("hidden") && text.contains("page=2"))
    }

    @Test func `a response says nothing secret of itself`() {
        let response = TransportResponse(
            head: HTTPResponse(
                status: .ok, headerFields: [.setCookie: "sid=hidden", .contentType: "a/b"]),
            body: Data("hidden".utf8))
        #expect("\(response)" == "200 (Set-Cookie: …, Content-Type: a/b) with 6 bytes")
        var text = ""
        dump(response, to: &text)
        #expect(!text.contains("hidden") && text.contains("200"))
    }

    @Test func `a response that is in a file says how long that is`() {
        let response = TransportResponse(
            head: HTTPResponse(status: .ok), content: .written(count: 7))
        #expect("\(response)" == "200 with 7 bytes")
    }

    /// Whoever writes down what an interceptor sees knows no client.
    @Test func `a client's request and response know its redaction and its credential`()
        async throws
    {
        let fields: HTTPFields = [.named("X-Own"): "hidden", .named("X-Foo"): "hidden"]
        let seen = Seen<String>()
        let client = try TestClient.client(
            over: StubTransport { _ in .json("[]", headerFields: fields) }
        ) {
            $0.redaction = Redaction(headerFields: [.named("X-Own")], names: ["iban"])
            $0.interceptors = [
                AuthorizationInterceptor(.headerFields([.named("X-Foo"): "hidden"])),
                ClosureInterceptor { request, next in
                    // Also one that it makes anew.
                    seen.note("\(request) \(request.curlCommand())")
                    return next(TransportRequest(head: request.head))
                },
                ClosureInterceptor { request, next in
                    seen.note("\(request) \(request.curlCommand())")
                    return next(request)
                },
            ]
        }
        let own: HTTPFields = [.named("X-Own"): "hidden"]
        let response = try await client.enqueue(
            .get("x", query: ["iban": "hidden", "page": 2], headerFields: own),
            as: Response<Data>.self
        ).value
        for text in seen.values + ["\(response)"] {
            #expect(!text.contains("hidden") && text.contains("page=2"))
        }
        #expect(seen.count == 2 && response.headerFields[.named("X-Foo")] == "hidden")
    }

    @Test func `an operation of a patch does not tell its value`() {
        let operation = JSONPatchOperation.replace("/password", "hidden")
        var text = "\(operation) \(String(reflecting: operation))"
        dump(operation, to: &text)
        #expect(!text.contains("hidden") && text.contains("/password"))
        #expect("\(JSONPatchOperation.move(from: "/a", to: "/b"))".contains("/a"))
    }

    @Test func `nor does what holds the fields of either`() throws {
        let secret: HTTPFields = [.authorization: "Bearer hidden", .setCookie: "sid=hidden"]
        let endpoint = AdHocEndpoint.get("x?token=hidden", headerFields: secret)
        let url = try #require(URL(string: "http://a.test/x?token=hidden"))
        let response = Response(7, headerFields: secret, url: url)
        let error = ClientError(
            .unacceptableStatus, headerFields: secret, body: Data(#"{"token": "hidden"}"#.utf8))
        let all: [any Sendable] = [
            endpoint, response, error, Client.Configuration(headerFields: secret),
        ]
        for value in all {
            var text = "\(value) \(String(reflecting: value))"
            dump(value, to: &text)
            #expect(!text.contains("hidden"))
        }
        #expect("\(endpoint)".contains("Authorization: …") && "\(response)".contains("value: 7"))
    }
}
