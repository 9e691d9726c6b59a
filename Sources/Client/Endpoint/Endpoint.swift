public import Foundation
public import HTTPTypes

/// A resource of the API and the way to call it.
///
/// A struct, an enum with associated values or a class; only ``path`` has no default. A subclass overrides
/// what its base class declares: a property that the base class leaves to its default is the base class's
/// for good.
///
/// The names of the properties belong to the protocol. A stored one of another type, such as a `query` that
/// is a `String`, has nothing to do with it for the compiler, and is refused with
/// ``ClientError/Reason/invalidRequest`` before anything is sent.
///
/// ```swift
/// enum GitHub: Endpoint {
///     case issues(repository: String)
///
///     var path: String {
///         switch self {
///         case .issues(let repository): "repos/\(repository)/issues"
///         }
///     }
/// }
/// ```
public protocol Endpoint: Sendable, DefiniteEndpoint, MistypedEndpoint {
    /// The reference to the resource, relative to the client's base URL (RFC 3986, section 5).
    ///
    /// With the base `https://h/api/`, the path `users` is `https://h/api/users`, the path `/users`
    /// is `https://h/users`, and a URL with a scheme stands for itself. A query may follow after `?`.
    /// Characters that a URL cannot hold are percent-encoded; control characters are refused.
    var path: String { get }

    /// The method; GET unless set.
    var method: HTTPRequest.Method { get }

    /// The items appended to the query, percent-encoded where needed; none unless set.
    var query: [URLQueryItem] { get }

    /// The header fields beyond the client's own, which they replace by name; none unless set.
    var headerFields: HTTPFields { get }

    /// The content to send; none unless set.
    ///
    /// It is encoded on a queue of the client's, not on the thread that enqueues. The property itself
    /// is asked for on both, so that what takes its time belongs into the body's own closure.
    var body: RequestBody? { get }

    /// The time that the exchange may take once it has begun; nil, unless set, leaves it to the
    /// client.
    var timeout: Duration? { get }

    /// Builds the request; what it returns is what the client sends.
    ///
    /// The default is ``TransportRequest/init(_:baseURL:)``. An API that signs its requests or names
    /// its resources in another way implements this and changes what that initialiser gives.
    func request(baseURL: URL) throws -> TransportRequest
}

extension Endpoint {
    /// GET.
    public var method: HTTPRequest.Method { .get }

    /// Nothing.
    public var query: [URLQueryItem] { [] }

    /// None.
    public var headerFields: HTTPFields { [:] }

    /// None.
    public var body: RequestBody? { nil }

    /// The client's.
    public var timeout: Duration? { nil }

    /// Builds the request from the endpoint's other properties.
    public func request(baseURL: URL) throws -> TransportRequest {
        try TransportRequest(self, baseURL: baseURL)
    }
}

/// Properties of an endpoint that are optional by ``Endpoint``, of types that are not.
///
/// A property of another type than a protocol's has nothing to do with it, and the compiler takes the
/// default without a word. `let body = RequestBody.json(…)` would send nothing; here it counts.
public protocol DefiniteEndpoint {
    /// The content to send, of an endpoint that always has some.
    @_disfavoredOverload  // What is asked for by its name is the endpoint's.
    var body: RequestBody { get }

    /// The time that the exchange may take, of an endpoint that always says it.
    @_disfavoredOverload
    var timeout: Duration { get }
}

extension DefiniteEndpoint {
    /// None.
    @_disfavoredOverload
    public var body: RequestBody { .absent }

    /// None.
    @_disfavoredOverload
    public var timeout: Duration { .absent }

    fileprivate var ownBody: RequestBody? {
        let body: RequestBody = self.body
        return body.isAbsent ? nil : body
    }

    fileprivate var ownTimeout: Duration? {
        let timeout: Duration = self.timeout
        return timeout == .absent ? nil : timeout
    }
}

extension Endpoint {
    /// The content to send, however it is declared.
    var content: RequestBody? { ownBody ?? body }

    /// The time that the exchange may take, however it is declared.
    var allowedTime: Duration? { ownTimeout ?? timeout }
}

extension Duration {
    /// A time that nobody allows an exchange.
    fileprivate static let absent = Duration.nanoseconds(Int64.min)
}

extension TransportRequest {
    /// Creates the request that an endpoint describes by its properties.
    ///
    /// Throws ``TransportError`` for a path that cannot be resolved, and whatever encoding the body throws.
    public init(_ endpoint: some Endpoint, baseURL: URL) throws {
        try endpoint.checkTypes()
        var target = try URLReference(endpoint.path)
            .resolved(against: URLReference(baseURL.absoluteString))
        target.appendQuery(endpoint.query)
        var head = HTTPRequest(
            method: endpoint.method,
            scheme: target.scheme,
            authority: target.authority,
            path: target.pathAndQuery,
            headerFields: endpoint.headerFields)
        let body = try endpoint.content?.encoded()
        if let contentType = body?.contentType, !head.headerFields.contains(.contentType) {
            head.headerFields[.contentType] = contentType
        }
        self.init(head: head, body: body?.data, timeout: endpoint.allowedTime)
    }
}
