public import Foundation
public import HTTPTypes
public import LarderObjectStore

/// A resource of the API and the way to call it.
///
/// A struct, an enum with associated values or a class; only ``path`` has no default. A subclass overrides
/// what its base class declares: a property that the base class leaves to its default is the base class's
/// for good.
///
/// The names of the properties belong to the protocol. One of another type, such as a `query` that is a
/// `String` or a `body` that is only `Encodable`, has nothing to do with it for the compiler, and is refused
/// with ``ClientError/Reason/invalidRequest`` before anything is sent. A helper of a type's own has another
/// name therefore, also where it is private. Where two protocols give one property in two types that fit, a
/// type alias says which is meant: `typealias DeclaredQuery = QueryParameters`.
///
/// ```swift
/// enum GitHub: Endpoint {
///     case issues(repository: String)
///
///     var path: URLPath {
///         switch self {
///         case .issues(let repository): "repos/\(repository)/issues"
///         }
///     }
/// }
/// ```
public protocol Endpoint: Sendable, DefiniteEndpoint, MistypedEndpoint {
    /// The type of ``path``: ``URLPath``, `String` or `URL`.
    associatedtype PathType: EndpointPath = URLPath

    /// The reference to the resource, relative to the client's base URL (RFC 3986, section 5).
    ///
    /// With the base `https://h/api/`, the path `users` is `https://h/api/users`, and the path `/users`
    /// is `https://h/users`. A query may follow after `?`. Characters that a URL cannot hold are
    /// percent-encoded; control characters are refused.
    ///
    /// What is put into a ``URLPath`` stays one segment. A `String` is taken as it is, whatever has been
    /// put into it, and so never leads to another origin than the base URL's; a `URL` and a ``URLPath``
    /// whose literal names a host do.
    var path: PathType { get }

    /// The method; GET unless set.
    var method: HTTPRequest.Method { get }

    /// The items appended to the query, percent-encoded where needed; none unless set.
    var query: [URLQueryItem] { get }

    /// The header fields beyond the client's own, which they replace by name; none unless set.
    var headerFields: HTTPFields { get }

    /// The content to send; none unless set.
    ///
    /// It is encoded on a queue of the client's, not on the thread that enqueues. The property itself
    /// is asked for there, once for a request unless ``request(baseURL:)`` is the endpoint's own, so that what takes
    /// its time belongs into the body's own closure.
    var body: RequestBody? { get }

    /// The time that the exchange may take once it has begun; nil, unless set, leaves it to the
    /// client.
    var timeout: Duration? { get }

    /// The statuses that are no failure; nil, unless set, leaves it to the client's validators.
    ///
    /// Set, they stand in for each ``Validator/status(_:)`` of the client's configuration.
    var acceptedStatuses: StatusCodes? { get }

    /// The media types that content may come in, such as `application/json` or `image/*`; any unless set.
    ///
    /// Content of another type, or of none, is refused as
    /// ``ClientError/Reason/unacceptableContentType``. They are what the request's `Accept` asks for, unless
    /// ``headerFields`` has one.
    var acceptedContentTypes: [String] { get }

    /// Whether an ``AuthorizationInterceptor`` gives its requests a credential; true unless set.
    var needsAuthorization: Bool { get }

    /// The interceptors of its requests, outside those of the client; none unless set.
    var interceptors: [any Interceptor] { get }

    /// The validators of its responses, before those of the client; none unless set.
    var validators: [Validator] { get }

    /// The processors of its responses, before those of the client; none unless set.
    var processors: [ResponseProcessor] { get }

    /// The type of its error responses; the client's unless set.
    var errorBody: ErrorBody { get }

    /// The policy for its requests that are identical to one in flight; the client's unless set.
    var coalescing: Coalescing { get }

    /// The rules by which its responses are kept and used again; the client's unless set.
    var cachePolicy: CachePolicy { get }

    /// The rules by which the store answers in place of the server; the client's unless set.
    var fetchPolicy: FetchPolicy { get }

    /// The names under which its requests can be cancelled by ``Client/cancel(tag:)``; none unless set.
    var tags: [String] { get }

    /// The priority of its requests in the client's ``RequestQueue``; ``RequestPriority/normal`` unless
    /// set.
    ///
    /// For one call there is ``Client/Configuration/priority``.
    var priority: RequestPriority { get }

    /// What its list is the whole of, so that objects that the list lacks are deleted, or marked;
    /// ``Completeness/partial`` unless set.
    ///
    /// It counts for a response of status 200 that is stored, has such a list, comes from the server, and does
    /// not say that there is another page, in the transaction that stores it. Objects that the store has got since the request was
    /// enqueued are left alone.
    var completeness: Completeness { get }

    /// The object that is deleted where the server does not have it any more; none unless set.
    var removal: Removal { get }

    /// Builds the request; what it returns is what the client sends.
    ///
    /// The default is ``TransportRequest/init(_:baseURL:)``. An API that signs its requests or names
    /// its resources in another way implements this and changes what that initialiser gives, or gives it a changed copy.
    /// The content is that of the endpoint that the initialiser is given, which is asked for its ``body`` a second time
    /// therefore, as it is not by the default. A stream is gathered before: it is that of the endpoint as it was
    /// enqueued, whatever a copy says.
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

    /// The client's.
    public var acceptedStatuses: StatusCodes? { nil }

    /// Any.
    public var acceptedContentTypes: [String] { [] }

    /// True.
    public var needsAuthorization: Bool { true }

    /// None.
    public var interceptors: [any Interceptor] { [] }

    /// None.
    public var validators: [Validator] { [] }

    /// None.
    public var processors: [ResponseProcessor] { [] }

    /// The client's.
    public var errorBody: ErrorBody { .clientDefault }

    /// The client's.
    public var coalescing: Coalescing { .clientDefault }

    /// The client's.
    public var cachePolicy: CachePolicy { .clientDefault }

    /// The client's.
    public var fetchPolicy: FetchPolicy { .clientDefault }

    /// None.
    public var tags: [String] { [] }

    /// Normal.
    public var priority: RequestPriority { .normal }

    /// Of nothing.
    public var completeness: Completeness { .partial }

    /// None.
    public var removal: Removal { .none }

    /// Builds the request from the endpoint's other properties.
    public func request(baseURL: URL) throws -> TransportRequest {
        try TransportRequest(self, isEnqueued: true, baseURL: baseURL)
    }
}

/// Properties of an endpoint of other types than ``Endpoint`` has them: such as a body that is not optional.
///
/// A property of another type than a protocol's has nothing to do with it, and the compiler takes the
/// default without a word. `let body = RequestBody.json(…)` would send nothing; here it counts, and so
/// does a `query` that is ``QueryParameters``.
public protocol DefiniteEndpoint {
    /// The content to send, of an endpoint that always has some.
    @_disfavoredOverload  // What is asked for by its name is the endpoint's.
    var body: RequestBody { get }

    /// The items appended to the query, of several types.
    @_disfavoredOverload
    var query: QueryParameters { get }

    /// The time that the exchange may take, of an endpoint that always says it.
    @_disfavoredOverload
    var timeout: Duration { get }

    /// The statuses that are no failure, of an endpoint that always says them.
    @_disfavoredOverload
    var acceptedStatuses: StatusCodes { get }
}

extension DefiniteEndpoint {
    /// None.
    @_disfavoredOverload
    public var body: RequestBody { .absent }

    /// None.
    @_disfavoredOverload
    public var query: QueryParameters { [:] }

    /// None.
    @_disfavoredOverload
    public var timeout: Duration { .absent }

    /// The client's.
    @_disfavoredOverload
    public var acceptedStatuses: StatusCodes { .absent }

    fileprivate var ownBody: RequestBody? {
        let body: RequestBody = self.body
        return body.isAbsent ? nil : body
    }

    fileprivate var ownParameters: QueryParameters { query }

    fileprivate var ownTimeout: Duration? {
        let timeout: Duration = self.timeout
        return timeout == .absent ? nil : timeout
    }

    fileprivate var ownStatuses: StatusCodes? {
        let statuses: StatusCodes = self.acceptedStatuses
        return statuses == .absent ? nil : statuses
    }
}

extension Endpoint {
    /// The content to send, however it is declared.
    var content: RequestBody? { ownBody ?? body }

    /// The items appended to the query, however they are declared.
    func queryItems() throws -> [URLQueryItem] { try query + ownParameters.items() }

    /// The time that the exchange may take, however it is declared.
    var allowedTime: Duration? { ownTimeout ?? timeout }

    /// The statuses that are no failure, however they are declared.
    var ownAcceptedStatuses: StatusCodes? { ownStatuses ?? acceptedStatuses }
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
        try self.init(endpoint, isEnqueued: false, baseURL: baseURL)
    }

    /// - Parameter isEnqueued: Whether the endpoint is the one that was enqueued, if one was.
    fileprivate init(_ endpoint: some Endpoint, isEnqueued: Bool, baseURL: URL) throws {
        try endpoint.checkTypes()
        var target = try URLPath(any: endpoint.path)
            .target(against: URLReference(base: baseURL))
        target.appendQuery(try endpoint.queryItems())
        var head = HTTPRequest(
            method: endpoint.method,
            scheme: target.scheme,
            authority: target.authority,
            path: target.pathAndQuery,
            headerFields: endpoint.headerFields)
        let body = try AskedContent.encoded(for: endpoint, isEnqueued: isEnqueued)
        let types = endpoint.acceptedContentTypes
        if !types.isEmpty, !head.headerFields.contains(.accept) {
            let accept = types.joined(separator: ", ")
            guard HTTPField.isValidValue(accept) else {
                throw TransportError.invalidRequest(
                    "The accepted content types are no valid field value.")
            }
            head.headerFields[.accept] = accept
        }
        // Without its boundary nobody can read a multipart body.
        if let contentType = body?.contentType,
            contentType.hasPrefix("multipart/") || !head.headerFields.contains(.contentType)
        {
            head.headerFields[.contentType] = contentType
        }
        if let coding = body?.contentCoding {
            let codings = head.headerFields[values: .contentEncoding] + [coding]
            head.headerFields[.contentEncoding] = codings.joined(separator: ", ")
        }
        self.init(head: head, body: body?.data, timeout: endpoint.allowedTime)
    }
}
