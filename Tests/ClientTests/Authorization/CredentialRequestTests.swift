import Foundation
import HTTPTypes
import Testing

@testable import LarderClient

@Suite struct CredentialRequestTests {
    private static func request(
        _ path: String = "/x", _ fields: HTTPFields = [:]
    ) -> TransportRequest {
        TransportRequest(
            head: HTTPRequest(
                method: .get, scheme: "https", authority: "a.invalid", path: path,
                headerFields: fields))
    }

    private static func authorized(
        by credential: Credential, _ request: TransportRequest = request()
    ) throws -> TransportRequest {
        var request = request
        try credential.authorize(&request)
        return request
    }

    /// The example of RFC 7617, section 2, and that of section 2.1 in UTF-8.
    @Test(arguments: [
        ("Aladdin", "open sesame", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
        ("test", "123£", "Basic dGVzdDoxMjPCow=="), ("", "", "Basic Og=="),
        ("a", ":", "Basic YTo6"),
    ])
    func `basic is as RFC 7617 has it`(
        _ user: String, _ password: String, _ expected: String
    ) throws {
        let request = try Self.authorized(by: .basic(user: user, password: password))
        #expect(request.head.headerFields[.authorization] == expected)
    }

    @Test func `a key in a short field is in no description`() throws {
        let request = try Self.authorized(by: .apiKey("s3cret", field: .named("X-Key")))
        #expect(!"\(request)".contains("s3cret"))
        #expect(!request.curlCommand().contains("s3cret"))
    }

    @Test func `a token, a key and fields of one's own are sent as they are`() throws {
        let fields: [HTTPField.Name] = [.authorization, .named("X-Key"), .named("X-Other")]
        for (credential, expected) in [
            (Credential.bearer("abc.d-e"), ["Bearer abc.d-e", nil, nil]),
            (.apiKey("k", field: fields[1]), [nil, "k", nil]),
            (.headerFields([fields[1]: "k", fields[2]: "l"]), [nil, "k", "l"]),
        ] {
            let request = try Self.authorized(by: credential)
            #expect(fields.map { request.head.headerFields[$0] } == expected)
            #expect(request.head.path == "/x")
        }
    }

    @Test(arguments: [
        ("/x", "/x?api_key=a%26b%20%C3%A9"), ("/x?", "/x?api_key=a%26b%20%C3%A9"),
        ("/x?b=1", "/x?b=1&api_key=a%26b%20%C3%A9"),
    ])
    func `a query item comes last and is encoded`(_ path: String, _ expected: String) throws {
        let credential = Credential.apiKey("a&b é", queryItem: "api_key")
        let request = try Self.authorized(by: credential, Self.request(path))
        #expect(request.head.path == expected)
        #expect(request.secretNames == ["api_key"])
        #expect(credential.isBorne(by: request))
    }

    @Test(arguments: [
        Credential.bearer("a\nb"), .bearer("a\u{0}"), .apiKey("a\r\nX: y", field: .named("X-Key")),
        .basic(user: "a:b", password: "c"), .bearer(" a\r"),
    ])
    func `what no header field may hold is refused`(_ credential: Credential) {
        let error = #expect(throws: TransportError.self) { try Self.authorized(by: credential) }
        #expect(error?.reason == .invalidRequest)
    }

    @Test func `a name that was kept and is none is refused`() throws {
        let kept = #"{"fields": [{"name": "X Y", "value": "a"}], "queryItems": []}"#
        let credential = try JSONDecoder().decode(Credential.self, from: Data(kept.utf8))
        #expect(throws: TransportError.self) { try Self.authorized(by: credential) }
        #expect(
            !credential.isBorne(by: Self.request()) && !credential.isPreceded(in: Self.request()))
    }

    @Test func `a request bears all of it or does not`() throws {
        let field = HTTPField.Name.named("X-Key")
        for credential in [
            Credential.bearer("a"), .apiKey("a", field: field), .apiKey("a", queryItem: "k"),
            .headerFields([field: "a", .named("X-Other"): "b"]),
        ] {
            #expect(credential.isBorne(by: try Self.authorized(by: credential)))
            #expect(!credential.isBorne(by: Self.request("/x?k=b", [field: "b"])))
            #expect(!credential.isBorne(by: Self.request("/x", [.authorization: "Bearer b"])))
        }
        let two = Credential.headerFields([field: "a", .named("X-Other"): "b"])
        #expect(!two.isBorne(by: Self.request("/x", [field: "a"])))
    }

    @Test func `what a request says by itself is found by its name`() {
        #expect(Credential.bearer("a").isPreceded(in: Self.request("/x", [.authorization: "b"])))
        #expect(!Credential.bearer("a").isPreceded(in: Self.request()))
        let key = Credential.apiKey("a", queryItem: "k")
        #expect(["/x?k=b", "/x?a&k", "/x?k="].allSatisfy { key.isPreceded(in: Self.request($0)) })
        #expect(
            ["/x", "/x?kk=b", "/x?a=k", "/k"].allSatisfy { !key.isPreceded(in: Self.request($0)) })
    }
}
