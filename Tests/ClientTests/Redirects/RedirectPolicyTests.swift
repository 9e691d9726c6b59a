import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// Which request follows which response.
@Suite struct RedirectPolicyTests {
    private static func request(
        _ method: HTTPRequest.Method = .get, _ url: String = "https://a.test/x/y?z=1",
        _ fields: HTTPFields = [:], body: Data? = nil
    ) throws -> TransportRequest {
        let url = try URLReference(url)
        return TransportRequest(
            head: HTTPRequest(
                method: method, scheme: url.scheme, authority: url.authority,
                path: url.pathAndQuery, headerFields: fields),
            body: body)
    }

    private static func redirect(_ code: Int, _ location: String?) -> TransportResponse {
        var response = TransportResponse(head: HTTPResponse(status: .init(code: code)))
        response.head.headerFields[.location] = location
        return response
    }

    private static func next(
        _ request: TransportRequest, _ code: Int = 302, _ location: String?,
        policy: RedirectPolicy = .follow
    ) throws -> TransportRequest? {
        try policy.request(
            after: request, redirect(code, location), sharing: [.accept, .userAgent])
    }

    @Test(arguments: [
        ("GET", [301: "GET", 302: "GET", 303: "GET", 307: "GET", 308: "GET"]),
        ("HEAD", [301: "HEAD", 302: "HEAD", 303: "HEAD", 307: "HEAD", 308: "HEAD"]),
        ("POST", [301: "GET", 302: "GET", 303: "GET", 307: "POST", 308: "POST"]),
        ("PUT", [301: "PUT", 302: "PUT", 303: "GET", 307: "PUT", 308: "PUT"]),
        ("DELETE", [301: "DELETE", 302: "DELETE", 303: "GET", 307: "DELETE", 308: "DELETE"]),
        ("PATCH", [301: "PATCH", 302: "PATCH", 303: "GET", 307: "PATCH", 308: "PATCH"]),
    ])
    func `a method stays or becomes GET, without content then`(
        _ name: String, _ expected: [Int: String]
    ) throws {
        let method = try #require(HTTPRequest.Method(name))
        let hasContent = method != .get && method != .head
        let content = hasContent ? Data("{}".utf8) : nil
        for (code, follower) in expected {
            let request = try Self.request(
                method, "https://a.test/x",
                [
                    .contentType: "application/json", .accept: "a/b", .contentEncoding: "gzip",
                    .ifMatch: "\"1\"",
                ],
                body: content)
            let next = try #require(try Self.next(request, code, "/z"))
            #expect(next.head.method.rawValue == follower, "\(code)")
            let stays = follower == name
            #expect(next.body == (stays ? content : nil), "\(code)")
            #expect(next.head.headerFields.contains(.contentType) == stays)
            #expect(next.head.headerFields.contains(.contentEncoding) == stays)
            #expect(next.head.headerFields.contains(.ifMatch) == stays)
            #expect(next.head.headerFields[.accept] == "a/b")
        }
    }

    @Test(arguments: [
        ("z", "https://a.test/x/z"), ("/z", "https://a.test/z"), ("?q=2", "https://a.test/x/y?q=2"),
        ("../../..", "https://a.test/"), ("//b.test/z", "https://b.test/z"),
        ("https://b.test", "https://b.test/"), ("HTTPS://b.test/ü b", "https://b.test/%C3%BC%20b"),
        ("/z#part", "https://a.test/z"), ("", "https://a.test/x/y?z=1"),
    ])
    func `a location is resolved against the URL that was asked`(
        _ location: String, _ expected: String
    ) throws {
        #expect(try Self.next(Self.request(), 302, location)?.urlText == expected)
    }

    @Test func `a location that stands there twice is one, two locations are none`() throws {
        var response = Self.redirect(302, "/z")
        response.head.headerFields.append(HTTPField(name: .location, value: "/z"))
        func next() throws -> TransportRequest? {
            try RedirectPolicy.follow.request(after: Self.request(), response, sharing: [])
        }
        #expect(try next()?.urlText == "https://a.test/z")
        response.head.headerFields.append(HTTPField(name: .location, value: "/other"))
        let error = #expect(throws: ClientError.self) { try next() }
        #expect(error?.reason == .invalidRedirect)
        #expect((error?.underlying as? TransportError)?.reason == .malformedResponse)
    }

    @Test func `bytes of a location that are no UTF-8 stay what they are`() throws {
        var response = Self.redirect(302, nil)
        let location = Array("/caf".utf8) + [0xE9] + Array("?a%20b=ü".utf8)
        response.head.headerFields.append(HTTPField(name: .location, lenientValue: location))
        let next = try RedirectPolicy.follow.request(after: Self.request(), response, sharing: [])
        #expect(next?.urlText == "https://a.test/caf%E9?a%20b=%C3%BC")
    }

    @Test(arguments: [200, 300, 304, 305, 306, 404])
    func `other statuses lead nowhere`(_ code: Int) throws {
        #expect(try Self.next(Self.request(), code, "/z") == nil)
    }

    @Test func `without a location there is no redirect`() throws {
        #expect(try Self.next(Self.request(), 302, nil) == nil)
    }

    @Test(arguments: [
        "ftp://a.test/", "javascript:alert(1)", "file:///etc/passwd", "https://", "https:///x",
        "https://user:secret@a.test/", "mailto:x@y.test",
    ])
    func `what can't be asked for is refused`(_ location: String) throws {
        let error = #expect(throws: ClientError.self) {
            try Self.next(Self.request(), 302, location)
        }
        #expect(error?.reason == .invalidRedirect)
        #expect(error?.underlying is TransportError)
    }

    @Test func `https leads to http only where that is allowed`() throws {
        let error = #expect(throws: ClientError.self) {
            try Self.next(Self.request(), 302, "http://a.test/")
        }
        #expect(error?.reason == .insecureRedirect)
        let allowed = RedirectPolicy(allowsInsecure: true)
        let next = try Self.next(
            Self.request(.get, "https://a.test/", [.authorization: "secret"]), 302,
            "http://a.test/", policy: allowed)
        #expect(next?.urlText == "http://a.test/")
        #expect(next?.head.headerFields.contains(.authorization) == false, "another origin")
        #expect(try Self.next(Self.request(.get, "http://a.test/"), 302, "https://a.test/") != nil)
    }

    @Test(arguments: [
        ("https://a.test:443/z", true), ("https://A.test/z", true),
        ("https://a.test:8443/z", false),
        ("https://b.test/z", false), ("https://a.test.b.test/z", false), ("//b.a.test/z", false),
    ])
    func `secrets stay with their origin`(_ location: String, _ stay: Bool) throws {
        let fields: HTTPFields = [
            .authorization: "secret", .cookie: "secret", .named("X-Api-Key"): "secret",
            .named("X-Anything"): "1", .accept: "a/b", .userAgent: "Larder", .range: "bytes=1-",
            .contentType: "text/plain",
        ]
        let request = try Self.request(
            .post, "https://a.test/x", fields, body: Data("a".utf8))
        let next = try #require(
            try Self.next(request, 307, location, policy: .init(sendsContentElsewhere: true)))
        for name in [
            HTTPField.Name.authorization, .cookie, .named("X-Api-Key"), .named("X-Anything"),
        ] {
            #expect(next.head.headerFields.contains(name) == stay, "\(name)")
        }
        for name in [HTTPField.Name.accept, .userAgent, .range, .contentType] {
            #expect(next.head.headerFields.contains(name), "\(name)")
        }
    }

    @Test(arguments: [
        "https://b.test/z", "https://a.test:8443/z", "//b.a.test/z", "https://a.test.b.test/x",
    ])
    func `content goes to its own origin alone, unless that is allowed`(_ location: String) throws {
        let request = try Self.request(.put, "https://a.test/x", body: Data("a".utf8))
        for status in [301, 302, 307, 308] {
            let error = #expect(throws: ClientError.self) {
                try Self.next(request, status, location)
            }
            #expect(error?.reason == .contentRedirect)
            #expect(try Self.next(request, status, "/z")?.body == request.body)
            let allowed = RedirectPolicy(sendsContentElsewhere: true)
            #expect(
                try Self.next(request, status, location, policy: allowed)?.body == request.body)
        }
        // Without content there is nothing to be sent.
        #expect(try Self.next(request, 303, location)?.body == nil)
        #expect(try Self.next(Self.request(.put, "https://a.test/x"), 307, location) != nil)
    }
}
