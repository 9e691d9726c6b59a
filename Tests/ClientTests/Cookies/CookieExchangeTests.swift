import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// Cookies as a client's exchanges take and give them.
@Suite struct CookieExchangeTests {
    private static func setting(
        _ cookies: String..., location: String? = nil
    ) -> TransportResponse {
        var fields = HTTPFields(cookies.map { HTTPField(name: .setCookie, value: $0) })
        fields[.location] = location
        return .json("[]", status: location == nil ? .ok : .found, headerFields: fields)
    }

    private func cookies(_ transport: StubTransport) -> [String?] {
        transport.requests.map { $0.head.headerFields[.cookie] }
    }

    @Test func `without a jar there are no cookies`() async throws {
        let transport = StubTransport { _ in Self.setting("a=1") }
        let client = try TestClient.client(over: transport)
        for _ in 0..<2 { try await client.enqueue(Resource("x"), as: Void.self).value }
        #expect(cookies(transport) == [nil, nil])
    }

    @Test func `what a response sets, the next request has, of any client with the jar`()
        async throws
    {
        let transport = StubTransport { _ in Self.setting("a=1; Path=/", "b=2; Path=/x") }
        let jar = CookieJar()
        for path in ["x", "x/y", "z"] {
            let client = try TestClient.client(over: transport) { $0.cookies = jar }
            try await client.enqueue(Resource(path), as: Void.self).value
        }
        #expect(cookies(transport) == [nil, "b=2; a=1", "a=1"])
    }

    @Test func `refused responses set cookies, too`() async throws {
        let transport = StubTransport { _ in
            .json("", status: .forbidden, headerFields: [.setCookie: "a=1"])
        }
        let jar = CookieJar()
        let client = try TestClient.client(over: transport) { $0.cookies = jar }
        await #expect(throws: ClientError.self) {
            try await client.enqueue(Resource("x"), as: Void.self).value
        }
        #expect(jar.cookies.map(\.pair) == ["a=1"])
    }

    @Test func `each hop of a redirect has cookies of its own`() async throws {
        let transport = StubTransport { request in
            switch request.urlText {
            case "https://a.example.com/1":
                Self.setting("a=1", "d=1; Domain=example.com", location: "/2")
            case "https://a.example.com/2":
                Self.setting("a=2", location: "https://b.example.com/3")
            case "https://b.example.com/3":
                Self.setting("b=1", "a=9; Domain=a.example.com", location: "https://x.invalid/4")
            case "https://x.invalid/4":
                Self.setting("x=1", location: "https://a.example.com/5")
            default: .json("[]")
            }
        }
        let client = try TestClient.client(over: transport, at: "https://a.example.com/") {
            $0.cookies = CookieJar()
        }
        let response: Response<Void> = try await client.enqueue(Resource("1")).value
        #expect(response.redirects.count == 4)
        #expect(cookies(transport) == [nil, "a=1; d=1", "d=1", nil, "a=2; d=1"])
    }

    @Test func `a field of the request's own is sent as it is, to its own origin`() async throws {
        let transport = StubTransport { request in
            request.head.path == "/x"
                ? Self.setting("a=1; Path=/", location: "https://b.invalid/") : .json("[]")
        }
        let jar = CookieJar()
        if let url = URL(string: "https://b.invalid/") { jar.set("b=1", from: url) }
        let client = try TestClient.client(over: transport, at: "https://a.invalid/") {
            $0.cookies = jar
            $0.headerFields[.cookie] = "own=1"
        }
        try await client.enqueue(Resource("x"), as: Void.self).value
        try await client.enqueue(Resource("y"), as: Void.self).value
        #expect(cookies(transport) == ["own=1", "b=1", "own=1"])
        #expect(jar.cookies.map(\.name) == ["b", "a"])
    }

    @Test func `what is sent again has the cookies of that moment`() async throws {
        let transport = StubTransport { request in
            request.head.headerFields[.cookie] == nil
                ? .json("", status: .serviceUnavailable, headerFields: [.setCookie: "a=1"])
                : .json("[]")
        }
        let client = try TestClient.client(over: transport) {
            $0.cookies = CookieJar()
            $0.interceptors = [
                ClosureInterceptor { request, next in
                    next(request).then { response in
                        response.head.status == .ok ? .fulfilled(response) : next(request)
                    }
                }
            ]
        }
        try await client.enqueue(Resource("x"), as: Void.self).value
        #expect(cookies(transport) == [nil, "a=1"])
    }

    @Test func `a cookie whose bytes spell no text is passed over`() async throws {
        let transport = StubTransport { _ in
            var response = Self.setting("a=1")
            response.head.headerFields.append(
                HTTPField(name: .setCookie, lenientValue: [0x62, 0x3D, 0xFF]))
            response.head.headerFields.append(HTTPField(name: .setCookie, value: "c=é"))
            return response
        }
        let jar = CookieJar()
        let client = try TestClient.client(over: transport) { $0.cookies = jar }
        for _ in 0..<2 { try await client.enqueue(Resource("x"), as: Void.self).value }
        #expect(cookies(transport) == [nil, "a=1; c=é"])
    }

    /// Hosts are told apart by their names, not by the address or the port that is behind them.
    @Test func `over sockets and two hosts, redirects and all`() async throws {
        let server = try RawServer { connection in
            while true {
                let request = try connection.readRequest()
                let path = request.split(separator: " ").dropFirst().first ?? ""
                let port = request.firstMatch(of: /[Hh]ost: [^:\r]+:([0-9]+)/)?.1 ?? ""
                let cookie = request.firstMatch(of: /[Cc]ookie: ([^\r]*)/)?.1 ?? "none"
                let fields =
                    switch path {
                    case "/1":
                        "Set-Cookie: a=1; Max-Age=60\r\nSet-Cookie: b=2; Expires="
                            + "Fri, 31 Dec 9999 23:59:59 GMT\r\nLocation: http://localhost:\(port)/2\r\n"
                    case "/2": "Set-Cookie: l=1\r\nLocation: http://127.0.0.1:\(port)/3\r\n"
                    case "/3": "Set-Cookie: a=; Max-Age=0\r\nLocation: /4\r\n"
                    default: ""
                    }
                let status = fields.isEmpty ? "200 OK" : "302 Found"
                let body = "\(cookie)"
                try connection.send(
                    "HTTP/1.1 \(status)\r\n\(fields)X-Cookie: \(cookie)\r\n"
                        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
            }
        }
        let jar = CookieJar()
        let client = try TestClient.client(at: server.baseURL) { $0.cookies = jar }
        #expect(try await client.enqueue(.get("1"), as: String.self).value == "b=2")
        #expect(try await client.enqueue(.get("5"), as: String.self).value == "b=2")
        let elsewhere = try #require(URL(string: "http://localhost:\(server.port)/"))
        let other = try TestClient.client(at: elsewhere) { $0.cookies = jar }
        #expect(try await other.enqueue(.get("6"), as: String.self).value == "l=1")
        #expect(jar.cookies.map(\.domain) == ["127.0.0.1", "localhost"])
        server.stop()
    }

    @Test func `logs hide cookies`() {
        let line = Redaction().line([.cookie: "sid=s3cret", .setCookie: "sid=s3cret"])
        #expect(!line.contains("s3cret"))
    }
}
