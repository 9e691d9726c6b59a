import Foundation
import HTTPTypes
import LarderClient
import Testing

@Suite struct EndpointTests {
    let base = URL(string: "https://api.example.com/v1/") ?? URL(filePath: "/")

    @Test func `a path is enough`() throws {
        let request = try Resource("users").request(baseURL: base)
        #expect(request.head.method == .get)
        #expect(request.head.scheme == "https")
        #expect(request.head.authority == "api.example.com")
        #expect(request.head.path == "/v1/users")
        #expect(request.head.headerFields == [:])
        #expect(request.body == nil)
        #expect(request.timeout == nil)
    }

    @Test func `an enum gives everything`() throws {
        let request = try API.search(text: "a+b & ü").request(baseURL: base)
        #expect(request.head.path == "/v1/search?q=a%2Bb%20%26%20%C3%BC&flag")
        #expect(request.head.headerFields[.accept] == "text/plain")
        #expect(request.timeout == .seconds(3))
        let logIn = try API.logIn(name: "ann", password: "x&y").request(baseURL: base)
        #expect(logIn.head.method == .post)
        #expect(logIn.body == Data("name=ann&password=x%26y".utf8))
        #expect(logIn.head.headerFields[.contentType] == "application/x-www-form-urlencoded")
    }

    @Test func `a class may be an endpoint, and its subclass another`() throws {
        #expect(try List().request(baseURL: base).head.path == "/v1/list")
        #expect(try Sublist().request(baseURL: base).head.path == "/v1/list/sub")
    }

    @Test func `a request may be built in another way`() throws {
        let request = try Signed().request(baseURL: base)
        #expect(request.head.path == "/v1/signed")
        #expect(request.head.headerFields[.authorization] == "HMAC /v1/signed")
    }

    @Test func `a query in the path and the items are one query`() throws {
        let request = try Paged(path: "users?sort=name", page: 2).request(baseURL: base)
        #expect(request.head.path == "/v1/users?sort=name&page=2")
    }

    @Test func `a content type of the endpoint's own counts`() throws {
        let request = try Patch().request(baseURL: base)
        #expect(request.head.headerFields[values: .contentType] == ["application/merge-patch+json"])
        #expect(request.body == Data(#"{"a":1}"#.utf8))
    }

    @Test func `what is always there need not be optional`() throws {
        let request = try Definite().request(baseURL: base)
        #expect(request.body == Data(#"{"a":1}"#.utf8))
        #expect(request.head.headerFields[.contentType] == "application/json")
        #expect(request.timeout == .seconds(7))
        #expect(try Definite.Computed.only.request(baseURL: base).body == Data("a=b".utf8))
    }

    @Test(arguments: ["a\r\nHost: evil", "a\0", "\u{7F}"])
    func `a path with control characters is refused`(_ path: String) {
        #expect(throws: TransportError.self) { try Resource(path).request(baseURL: base) }
    }

    @Test func `line breaks cannot reach a field's value`() throws {
        let request = try Fielded(value: "a\r\nX-Injected: b\0").request(baseURL: base)
        let value = try #require(request.head.headerFields[.named("X-A")])
        #expect(!value.utf8.contains { $0 == 10 || $0 == 13 || $0 == 0 })
    }

    @Test(arguments: ["", "GE T", "GET\r\n", "G\0T", "GÄT"])
    func `no such method can be named`(_ name: String) {
        #expect(HTTPRequest.Method(name) == nil)
    }

    @Test(arguments: ["", "X A", "X\r\nA", "X:A", "X\0"])
    func `no such field can be named`(_ name: String) {
        #expect(HTTPField.Name(name) == nil)
    }
}

private enum API: Endpoint {
    case search(text: String)
    case logIn(name: String, password: String)

    var path: String {
        switch self {
        case .search: "search"
        case .logIn: "login"
        }
    }

    var method: HTTPRequest.Method {
        switch self {
        case .search: .get
        case .logIn: .post
        }
    }

    var query: [URLQueryItem] {
        switch self {
        case .search(let text):
            [URLQueryItem(name: "q", value: text), URLQueryItem(name: "flag", value: nil)]
        case .logIn: []
        }
    }

    var headerFields: HTTPFields { [.accept: "text/plain"] }
    var timeout: Duration? { .seconds(3) }

    var body: RequestBody? {
        switch self {
        case .search: nil
        case .logIn(let name, let password): .form(["name": name, "password": password])
        }
    }
}

private class List: Endpoint, @unchecked Sendable {
    var path: String { "list" }
}

private final class Sublist: List, @unchecked Sendable {
    override var path: String { super.path + "/sub" }
}

private struct Signed: Endpoint {
    let path = "signed"

    func request(baseURL: URL) throws -> TransportRequest {
        var request = try TransportRequest(self, baseURL: baseURL)
        request.head.headerFields[.authorization] = "HMAC \(request.head.path ?? "")"
        return request
    }
}

private struct Paged: Endpoint {
    let path: String
    let page: Int
    var query: [URLQueryItem] { [URLQueryItem(name: "page", value: String(page))] }
}

private struct Patch: Endpoint {
    let path = "x"
    var method: HTTPRequest.Method { .patch }
    var headerFields: HTTPFields { [.contentType: "application/merge-patch+json"] }
    var body: RequestBody? { .json(["a": 1]) }
}

private struct Fielded: Endpoint {
    let path = "x"
    let value: String
    var headerFields: HTTPFields { [.named("X-A"): value] }
}

private struct Definite: Endpoint {
    let path = "x"
    let method = HTTPRequest.Method.post
    let body = RequestBody.json(["a": 1])
    let timeout = Duration.seconds(7)

    enum Computed: Endpoint {
        case only
        var path: String { "x" }
        var body: RequestBody { .form(["a": "b"]) }
    }
}
