import Foundation
import HTTPTypes
import LarderClient
import LarderObjectStore
import Testing

@Suite struct MistypedEndpointTests {
    let base = URL(string: "https://api.example.com/v1/") ?? URL(filePath: "/")

    @Test(
        arguments: [
            (Mistyped.Method(), "method"), (Mistyped.Query(), "query"),
            (Mistyped.Fields(), "headerFields"), (Mistyped.Body(), "body"),
            (Mistyped.Timeout(), "timeout"), (Mistyped.OptionalBody(), "body"),
            (Mistyped.Text(), "body"), (Mistyped.Encodable(), "body"),
            (Mistyped.Whole(), "timeout"), (Mistyped.OptionalTimeout(), "timeout"),
            (Stored(body: Data()), "body"), (Stored(body: Data?.none), "body"),
            (Stored(body: "a"), "body"), (Stored(body: ["a": "b"]), "body"),
            (Stored(timeout: 5), "timeout"), (Stored(timeout: 5 as Double?), "timeout"),
            (Stored(query: [URLQueryItem]?.none), "query"),
            (Stored(query: ["a": "b"] as [String: String?]), "query"),
            (Stored(query: ["a": 1]), "query"), (Stored(query: "a"), "query"),
            (Stored(query: ["a": "b"] as KeyValuePairs), "query"),
            (Stored(headerFields: [HTTPField.Name.accept: "b"]), "headerFields"),
            (Stored(headerFields: HTTPFields?.none), "headerFields"),
            (Stored(method: HTTPRequest.Method?.none), "method"), (Stored(method: 1), "method"),
            (MistypedSubclass(), "timeout"), (Unsure(), "needsAuthorization"),
            (Ranked(), "priority"), (Tagged(), "tags"), (Joining(), "coalescing"),
        ] as [(any Endpoint, String)])
    func `a property of another type is refused, as nothing would be sent of it`(
        _ endpoint: any Endpoint, _ name: String
    ) {
        expectRefusal(of: endpoint, for: name)
    }

    private func expectRefusal(of endpoint: any Endpoint, for name: String) {
        let error = #expect(throws: TransportError.self) { try endpoint.request(baseURL: base) }
        #expect(error?.reason == .invalidRequest)
        #expect(error?.message.contains("'\(name)'") == true)
    }

    @Test(
        arguments: [
            (Computed.Body(), "body"), (Computed.OptionalBody(), "body"),
            (Computed.Members(), "body"), (Computed.Erased(), "body"),
            (Computed.AnyQuery(), "query"), (Computed.Numbers(), "query"),
            (Computed.OptionalValues(), "query"), (Computed.Fields(), "headerFields"),
            (Computed.Statuses(), "acceptedStatuses"), (Computed.Policy(), "fetchPolicy"),
            (Computed.Whole(), "completeness"), (Computed.Tags(), "tags"),
            (Computed.Inherited(), "priority"), (Computed.Listing(), "needsAuthorization"),
            (Call.write, "method"), (Removing.one(5), "removal"),
        ] as [(any Endpoint, String)])
    func `a computed property of any other type is refused, too, also of an enum`(
        _ endpoint: any Endpoint, _ name: String
    ) {
        expectRefusal(of: endpoint, for: name)
    }

    /// What a default, a protocol in between or a base class declares counts as what the type itself does.
    @Test(
        arguments: [Sound.one, Sound.two(7), Partly(), Wrapping(base: Partly()), Open(), Opened()]
            as [any Endpoint])
    func `computed properties of the right types are sent`(_ endpoint: any Endpoint) throws {
        let request = try endpoint.request(baseURL: base)
        #expect(request.head.method == .post)
        #expect(request.body == Data("a".utf8))
        #expect(request.head.path == "/v1/x?a=b")
    }

    @Test func `what is stored under a property's name, as it should be, is sent`() throws {
        let endpoint = Stored(
            method: HTTPRequest.Method.put, query: [URLQueryItem(name: "a", value: "b")],
            headerFields: [.accept: "c"] as HTTPFields, body: RequestBody?.none,
            timeout: Duration.seconds(1))
        #expect(throws: Never.self) { try endpoint.request(baseURL: base) }
        #expect(throws: Never.self) { try Case.query("a").request(baseURL: base) }
        #expect(throws: Never.self) { try Described().request(baseURL: base) }
    }

    @Test func `what goes by a property's name is the endpoint's own`() {
        let resource = Resource("x")
        #expect(resource.body == nil && resource.timeout == nil && resource.query.isEmpty)
        let method = resource.method
        #expect(method == .get)
    }
}

/// Endpoints with a property of a type that looks right.
private enum Mistyped {
    struct Method: Endpoint {
        let path = "x"
        var method: String { "POST" }
    }

    struct Query: Endpoint {
        let path = "x"
        let query = ["a": "b"]
    }

    struct Fields: Endpoint {
        let path = "x"
        let headerFields = ["Accept": "text/plain"]
    }

    struct Body: Endpoint {
        let path = "x"
        var body: Data { Data("a".utf8) }
    }

    struct Timeout: Endpoint {
        let path = "x"
        let timeout = 30.0
    }
    struct OptionalBody: Endpoint {
        let path = "x"
        var body: Data? { Data("a".utf8) }
    }

    struct Text: Endpoint {
        let path = "x"
        var body: String { "a" }
    }

    struct Encodable: Endpoint {
        struct Content: Swift.Encodable {
            var a = 1
        }

        let path = "x"
        let body = Content()
    }

    struct Whole: Endpoint {
        let path = "x"
        var timeout: Int { 30 }
    }

    struct OptionalTimeout: Endpoint {
        let path = "x"
        var timeout: TimeInterval? { 30 }
    }
}

/// Endpoints with a computed property of a type that looks right.
private enum Computed {
    struct Content: Swift.Encodable {
        var a = 1
    }

    struct Body: Endpoint {
        let path = "x"
        var body: Content { Content() }
    }

    struct OptionalBody: Endpoint {
        let path = "x"
        var body: Content? { nil }
    }

    struct Members: Endpoint {
        let path = "x"
        var body: [String: Any] { ["a": 1] }
    }

    struct Erased: Endpoint {
        let path = "x"
        var body: (any Swift.Encodable)? { Content() }
    }

    struct AnyQuery: Endpoint {
        let path = "x"
        var query: [String: Any] { ["a": 1] }
    }

    struct Numbers: Endpoint {
        let path = "x"
        var query: [String: Int] { [:] }
    }

    struct OptionalValues: Endpoint {
        let path = "x"
        var query: [String: String?] { ["a": "b"] }
    }

    struct Fields: Endpoint {
        let path = "x"
        var headerFields: HTTPFields? { nil }
    }

    struct Statuses: Endpoint {
        let path = "x"
        var acceptedStatuses: Range<Int> { 200..<300 }
    }

    struct Policy: Endpoint {
        let path = "x"
        var fetchPolicy: FetchPolicy? { .storeOnly }
    }

    struct Whole: Endpoint {
        let path = "x"
        var completeness: Completeness? { nil }
    }

    struct Tags: Endpoint {
        let path = "x"
        var tags: Set<String> { ["a"] }
    }

    struct Inherited: Endpoint, Hurried {
        let path = "x"
    }

    final class Listing: Endpoint {
        let path = "x"
        var needsAuthorization: Bool? { false }
    }
}

private protocol Hurried: Endpoint {}

extension Hurried {
    var priority: Int { 5 }
}

private enum Call: Endpoint {
    case write
    var path: URLPath { "x" }
    var method: HTTPRequest.Method? { .post }
}

private enum Removing: Endpoint {
    case one(Int)
    var path: URLPath { "x" }

    var removal: Removal? {
        switch self {
        case .one(let id): .of(One<User>(id: id))
        }
    }
}

private protocol Writing: Endpoint {}

extension Writing {
    var method: HTTPRequest.Method { .post }
    var body: RequestBody { .data(Data("a".utf8), contentType: "text/plain") }
}

private enum Sound: Writing {
    case one, two(Int)
    var path: URLPath { "x" }
    var query: QueryParameters { ["a": "b"] }
    var timeout: Duration { .seconds(5) }
}

private struct Partly: Writing {
    let path = "x"
    var query: [URLQueryItem] { [URLQueryItem(name: "a", value: "b")] }
}

private struct Wrapping<Base: Endpoint>: Endpoint {
    let base: Base
    var path: Base.PathType { base.path }
    var method: HTTPRequest.Method { base.method }
    var query: [URLQueryItem] { base.query }
    var body: RequestBody? { .data(Data("a".utf8), contentType: "text/plain") }
}

private class Open: Writing, @unchecked Sendable {
    var path: String { "x" }
    var query: QueryParameters { ["a": "b"] }
    var acceptedStatuses: StatusCodes { [200] }
}

private final class Opened: Open, @unchecked Sendable {
    override var acceptedStatuses: StatusCodes { [201] }
}

/// An endpoint whose properties are of any types.
private struct Stored<Method: Sendable, Query: Sendable, Fields: Sendable, Body: Sendable, Time>:
    Endpoint
where Time: Sendable {
    let path = "x"
    let method: Method
    let query: Query
    let headerFields: Fields
    let body: Body
    let timeout: Time

    init(
        method: Method = HTTPRequest.Method.get, query: Query = [URLQueryItem](),
        headerFields: Fields = HTTPFields(), body: Body = RequestBody?.none,
        timeout: Time = Duration?.none
    ) {
        self.method = method
        self.query = query
        self.headerFields = headerFields
        self.body = body
        self.timeout = timeout
    }
}

private class List: Endpoint, @unchecked Sendable {
    var path: String { "list" }
}

private final class MistypedSubclass: List, @unchecked Sendable {
    let timeout = 5
}

private struct Ranked: Endpoint {
    let path = "x"
    let priority = 5
}

private struct Tagged: Endpoint {
    let path = "x"
    let tags: Set = ["a"]
}

private struct Joining: Endpoint {
    let path = "x"
    let coalescing = Coalescing?.some(.joining)
}

private struct Unsure: Endpoint {
    let path = "x"
    let needsAuthorization: Bool? = false
}

private enum Case: Endpoint {
    case query(String)
    var path: String { "x" }
}

private struct Described: Endpoint, CustomReflectable {
    let path = "x"
    var customMirror: Mirror { Mirror(self, children: ["query": "a"]) }
}
