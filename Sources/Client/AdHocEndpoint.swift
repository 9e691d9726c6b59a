public import HTTPTypes
public import LarderObjectStore

/// An endpoint that is made where it is called, for what needs no type of its own.
///
/// ```swift
/// client.enqueue(.get("users", query: ["page": 2, "open": true]), as: [User].self)
/// client.enqueue(.post("users/\(id)/notes", body: .json(["text": text])))
/// client.enqueue(.get("users/\(id)", acceptedStatuses: [200, 304]), as: Response<Data>.self)
/// client.enqueue(.get(URLPath(nextPage)), as: [User].self)
/// client.enqueue(.get("search", query: ["q": text]).setting(\.tags, to: ["search"]), as: [User].self)
/// ```
public struct AdHocEndpoint: Endpoint {
    /// The method.
    public var method: HTTPRequest.Method

    /// The reference to the resource; what is interpolated stays one segment.
    public var path: URLPath

    /// The items appended to the query.
    public var query: QueryParameters

    /// The header fields beyond the client's own, which they replace by name.
    public var headerFields: HTTPFields

    /// The content to send.
    public var body: RequestBody?

    /// The time that the exchange may take; nil leaves it to the client.
    public var timeout: Duration?

    /// The statuses that are no failure; nil leaves it to the client's validators.
    public var acceptedStatuses: StatusCodes?

    /// The media types that content may come in; any where there are none.
    public var acceptedContentTypes: [String]

    /// The interceptors of its requests, outside those of the client.
    public var interceptors: [any Interceptor]

    /// The validators of its responses, before those of the client.
    public var validators: [Validator]

    /// The processors of its responses, before those of the client.
    public var processors: [ResponseProcessor]

    /// Whether an ``AuthorizationInterceptor`` gives its requests a credential; true unless set.
    public var needsAuthorization = true

    /// The type of its error responses; the client's unless set.
    public var errorBody = ErrorBody.clientDefault

    /// The policy for its requests that are identical to one in flight; the client's unless set.
    public var coalescing = Coalescing.clientDefault

    /// The rules by which its responses are kept and used again; the client's unless set.
    public var cachePolicy = CachePolicy.clientDefault

    /// The rules by which the store answers in place of the server; the client's unless set.
    public var fetchPolicy = FetchPolicy.clientDefault

    /// The names under which its requests can be cancelled by ``Client/cancel(tag:)``; none unless set.
    public var tags: [String] = []

    /// The priority of its requests in the client's ``RequestQueue``; ``RequestPriority/normal`` unless
    /// set.
    public var priority = RequestPriority.normal

    /// What its list is the whole of; of nothing unless set.
    public var completeness = Completeness.partial

    /// The object that is deleted where the server does not have it any more; none unless set.
    public var removal = Removal.none

    /// Creates an endpoint; what each parameter means is said by ``Endpoint``.
    public init(
        _ method: HTTPRequest.Method,
        _ path: URLPath,
        query: QueryParameters = [:],
        headerFields: HTTPFields = [:],
        body: RequestBody? = nil,
        timeout: Duration? = nil,
        acceptedStatuses: StatusCodes? = nil,
        acceptedContentTypes: [String] = [],
        interceptors: [any Interceptor] = [],
        validators: [Validator] = [],
        processors: [ResponseProcessor] = []
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headerFields = headerFields
        self.body = body
        self.timeout = timeout
        self.acceptedStatuses = acceptedStatuses
        self.acceptedContentTypes = acceptedContentTypes
        self.interceptors = interceptors
        self.validators = validators
        self.processors = processors
    }

    /// Returns the endpoint with another value of one of its properties.
    ///
    /// ```swift
    /// client.enqueue(.post("log-in", body: body).setting(\.needsAuthorization, to: false))
    /// ```
    public func setting<Value>(
        _ property: WritableKeyPath<AdHocEndpoint, Value>, to value: Value
    ) -> AdHocEndpoint {
        var endpoint = self
        endpoint[keyPath: property] = value
        return endpoint
    }
}

extension AdHocEndpoint: CustomReflectable {
    /// The method, the path and the header fields, without what the usual ``Redaction`` names.
    public var customMirror: Mirror {
        let redaction = Redaction()
        return Mirror(
            self,
            children: [
                "method": method, "path": redaction.url(path.description),
                "headerFields": redaction.line(headerFields),
            ],
            displayStyle: .struct)
    }
}

extension Endpoint where Self == AdHocEndpoint {
    /// An endpoint that is called by GET.
    public static func get(
        _ path: URLPath,
        query: QueryParameters = [:],
        headerFields: HTTPFields = [:],
        timeout: Duration? = nil,
        acceptedStatuses: StatusCodes? = nil,
        acceptedContentTypes: [String] = [],
        interceptors: [any Interceptor] = [],
        validators: [Validator] = [],
        processors: [ResponseProcessor] = []
    ) -> AdHocEndpoint {
        AdHocEndpoint(
            .get, path, query: query, headerFields: headerFields, timeout: timeout,
            acceptedStatuses: acceptedStatuses, acceptedContentTypes: acceptedContentTypes,
            interceptors: interceptors, validators: validators, processors: processors)
    }

    /// An endpoint that is called by HEAD.
    public static func head(
        _ path: URLPath,
        query: QueryParameters = [:],
        headerFields: HTTPFields = [:],
        timeout: Duration? = nil,
        acceptedStatuses: StatusCodes? = nil,
        acceptedContentTypes: [String] = [],
        interceptors: [any Interceptor] = [],
        validators: [Validator] = [],
        processors: [ResponseProcessor] = []
    ) -> AdHocEndpoint {
        AdHocEndpoint(
            .head, path, query: query, headerFields: headerFields, timeout: timeout,
            acceptedStatuses: acceptedStatuses, acceptedContentTypes: acceptedContentTypes,
            interceptors: interceptors, validators: validators, processors: processors)
    }

    /// An endpoint that is called by POST.
    public static func post(
        _ path: URLPath,
        query: QueryParameters = [:],
        headerFields: HTTPFields = [:],
        body: RequestBody? = nil,
        timeout: Duration? = nil,
        acceptedStatuses: StatusCodes? = nil,
        acceptedContentTypes: [String] = [],
        interceptors: [any Interceptor] = [],
        validators: [Validator] = [],
        processors: [ResponseProcessor] = []
    ) -> AdHocEndpoint {
        AdHocEndpoint(
            .post, path, query: query, headerFields: headerFields, body: body, timeout: timeout,
            acceptedStatuses: acceptedStatuses, acceptedContentTypes: acceptedContentTypes,
            interceptors: interceptors, validators: validators, processors: processors)
    }

    /// An endpoint that is called by PUT.
    public static func put(
        _ path: URLPath,
        query: QueryParameters = [:],
        headerFields: HTTPFields = [:],
        body: RequestBody? = nil,
        ifMatch precondition: Precondition? = nil,
        timeout: Duration? = nil,
        acceptedStatuses: StatusCodes? = nil,
        acceptedContentTypes: [String] = [],
        interceptors: [any Interceptor] = [],
        validators: [Validator] = [],
        processors: [ResponseProcessor] = []
    ) -> AdHocEndpoint {
        AdHocEndpoint(
            .put, path, query: query, headerFields: headerFields, body: body, timeout: timeout,
            acceptedStatuses: acceptedStatuses, acceptedContentTypes: acceptedContentTypes,
            interceptors: interceptors + [precondition].compactMap(\.self), validators: validators,
            processors: processors)
    }

    /// An endpoint that is called by PATCH.
    public static func patch(
        _ path: URLPath,
        query: QueryParameters = [:],
        headerFields: HTTPFields = [:],
        body: RequestBody? = nil,
        ifMatch precondition: Precondition? = nil,
        timeout: Duration? = nil,
        acceptedStatuses: StatusCodes? = nil,
        acceptedContentTypes: [String] = [],
        interceptors: [any Interceptor] = [],
        validators: [Validator] = [],
        processors: [ResponseProcessor] = []
    ) -> AdHocEndpoint {
        AdHocEndpoint(
            .patch, path, query: query, headerFields: headerFields, body: body, timeout: timeout,
            acceptedStatuses: acceptedStatuses, acceptedContentTypes: acceptedContentTypes,
            interceptors: interceptors + [precondition].compactMap(\.self), validators: validators,
            processors: processors)
    }

    /// An endpoint that is called by DELETE.
    public static func delete(
        _ path: URLPath,
        query: QueryParameters = [:],
        headerFields: HTTPFields = [:],
        body: RequestBody? = nil,
        ifMatch precondition: Precondition? = nil,
        timeout: Duration? = nil,
        acceptedStatuses: StatusCodes? = nil,
        acceptedContentTypes: [String] = [],
        interceptors: [any Interceptor] = [],
        validators: [Validator] = [],
        processors: [ResponseProcessor] = []
    ) -> AdHocEndpoint {
        AdHocEndpoint(
            .delete, path, query: query, headerFields: headerFields, body: body, timeout: timeout,
            acceptedStatuses: acceptedStatuses, acceptedContentTypes: acceptedContentTypes,
            interceptors: interceptors + [precondition].compactMap(\.self), validators: validators,
            processors: processors)
    }

    /// An endpoint of a request's method, URL and header fields.
    ///
    /// One without an authority is sent to the base URL's, against which its path is resolved.
    public static func request(
        _ request: HTTPRequest,
        body: RequestBody? = nil,
        timeout: Duration? = nil,
        acceptedStatuses: StatusCodes? = nil,
        acceptedContentTypes: [String] = [],
        interceptors: [any Interceptor] = [],
        validators: [Validator] = [],
        processors: [ResponseProcessor] = []
    ) -> AdHocEndpoint {
        AdHocEndpoint(
            request.method, URLPath(of: request), headerFields: request.headerFields, body: body,
            timeout: timeout, acceptedStatuses: acceptedStatuses,
            acceptedContentTypes: acceptedContentTypes, interceptors: interceptors,
            validators: validators, processors: processors)
    }
}

extension URLPath {
    /// The URL of a request whose authority is named by code.
    fileprivate init(of request: HTTPRequest) {
        let path = request.path ?? "/"
        guard let authority = request.authority else {
            self.init(path)
            return
        }
        let scheme = request.scheme.map { $0 + ":" } ?? ""
        self.init(
            origin: "\(scheme)//\(authority)",
            path: path.hasPrefix("/") ? String(path.dropFirst()) : path)
    }
}
