public import HTTPTypes

/// What becomes of a request while an identical one is in flight.
///
/// ```swift
/// configuration.coalescing = .joining
///
/// struct Avatar: Endpoint {
///     var path: URLPath { "users/\(id)/avatar" }
///     var coalescing: Coalescing { .joining.ignoring([.init("X-Request-ID")!]) }
/// }
/// ```
///
/// Identical are requests that ask for the same, compared as they go to the transport, behind all
/// interceptors: same method, URL, header fields in whichever order, content to the last byte, limits and
/// rules for redirects, over the same transport. So what bears another credential is another request,
/// whoever has put it there. The boundary of a multipart form, which is another one each time, makes no
/// difference where the form is not compressed. Requests without a policy are not looked at, and neither are
/// downloads and streams. Those that report their progress, or may bring the whole of something
/// (``Endpoint/completeness``), share no exchange, but are refused like others.
public struct Coalescing: Sendable, Hashable {
    enum Mode: Sendable, Hashable {
        case clientDefault, separate, joining, refusing
    }

    let mode: Mode

    /// The methods of the requests that it is for.
    private(set) var methods: Set<HTTPRequest.Method> = [.get, .head]

    /// The header fields that don't make a request another one.
    private(set) var ignoredHeaderFields: Set<HTTPField.Name> = []

    private init(_ mode: Mode) {
        self.mode = mode
    }

    /// That of the client's configuration.
    public static let clientDefault = Coalescing(.clientDefault)

    /// Sends each request by itself.
    public static let separate = Coalescing(.separate)

    /// Sends one request for all that are identical, GET and HEAD.
    ///
    /// Each has its response as if it were its own: its validators, its value of its type, and, where it is
    /// stored, its own transaction, of which those behind the first find nothing to change. A failure is one
    /// for all, too. Cancelling one leaves the others, cancelling the last stops the exchange. Each waits
    /// for its own timeout at most, and for no longer than the first one would. What is asked for behind a request
    /// with another method, to the same origin, joins nothing from before that was sent or has ended.
    public static let joining = Coalescing(.joining)

    /// Refuses what is identical to a request in flight, GET and HEAD, unless a write came between, with
    /// ``ClientError/Reason/duplicate``.
    ///
    /// A request that has been sent is in flight until the interceptors are through with its response, also while it
    /// waits for its next attempt; what an interceptor enqueues itself meanwhile is refused, too, if it is the same.
    /// With another credential or another cookie it is another request. An `Idempotency-Key` that a
    /// ``RetryInterceptor`` has added, another one for each request, makes no difference here.
    public static let refusing = Coalescing(.refusing)

    /// The same for requests of these methods, instead of GET and HEAD.
    ///
    /// What is joined has happened once: two orders of the same goods become one.
    public func covering(_ methods: Set<HTTPRequest.Method>) -> Coalescing {
        var policy = self
        policy.methods = methods
        return policy
    }

    /// The same for requests that differ in nothing but these header fields, such as the number of a trace.
    ///
    /// What is sent has those of the first.
    public func ignoring(_ names: Set<HTTPField.Name>) -> Coalescing {
        var policy = self
        policy.ignoredHeaderFields = names
        return policy
    }
}

extension Coalescing {
    /// Whether a request is to be compared with those in flight.
    func covers(_ request: TransportRequest) -> Bool {
        switch mode {
        case .clientDefault, .separate: false
        case .joining:
            methods.contains(request.head.method) && request.onProgress == nil
                && request.sink == nil
        case .refusing: methods.contains(request.head.method) && request.sink == nil
        }
    }
}
