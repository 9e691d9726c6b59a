import HTTPTypes

/// The rules by which a client follows redirects (RFC 9110, section 15.4).
///
/// 301, 302, 303, 307 and 308 with a `Location` are followed, below the interceptors, which see the last
/// response only. After 303 a GET follows, after 301 and 302 too where it was a POST, as
/// browsers do, without content and conditions; HEAD stays HEAD. 307 and 308 send the same method and content again.
///
/// Secrets stay with the origin: another scheme, host or port gets the client's
/// ``Client/Configuration/sharedHeaderFields``, what describes the content, what asks for a part of it or on a
/// condition, `Idempotency-Key` and `Last-Event-ID`, and no other field, whichever interceptor or endpoint has
/// set it; nor does a later hop that leads back. Content goes to no other origin either unless that is allowed.
/// What does not say where it leads is no redirect, and its status is the response's; what says two things is
/// ``ClientError/Reason/invalidRedirect``.
public struct RedirectPolicy: Sendable, Hashable {
    /// The most redirects that one request follows; one more is
    /// ``ClientError/Reason/tooManyRedirects``.
    public var limit: Int

    /// Whether https may lead to http; a redirect that does is
    /// ``ClientError/Reason/insecureRedirect`` otherwise.
    public var allowsInsecure: Bool

    /// Whether content is sent to another origin, as after 307 or 308; a redirect that asks for it is
    /// ``ClientError/Reason/contentRedirect`` otherwise.
    public var sendsContentElsewhere: Bool

    /// Up to ten, none from https to http, and none that sends content to another origin.
    public static let follow = RedirectPolicy()

    /// None: a redirect is a response like others, which the validators refuse unless told otherwise.
    public static let ignore = RedirectPolicy(limit: 0)

    /// Creates a policy; a limit of 0 or less follows none.
    public init(
        limit: Int = 10, allowsInsecure: Bool = false, sendsContentElsewhere: Bool = false
    ) {
        self.limit = limit
        self.allowsInsecure = allowsInsecure
        self.sendsContentElsewhere = sendsContentElsewhere
    }
}

extension RedirectPolicy {
    /// Returns the request that a response leads to; nil where it is no redirect.
    func request(
        after request: TransportRequest, _ response: TransportResponse,
        sharing shared: Set<HTTPField.Name>
    ) throws(ClientError) -> TransportRequest? {
        guard [301, 302, 303, 307, 308].contains(response.head.status.code),
            let location = try Self.location(in: response.head.headerFields)
        else { return nil }
        var next = request
        let (here, target): (URLReference, URLReference)
        do throws(TransportError) {
            here = try URLReference(request.urlText)
            target = try URLReference(location).resolved(against: here)
            next.head.scheme = target.scheme
            next.head.authority = target.authority
            next.head.path = target.pathAndQuery
            try next.validate()
        } catch {
            throw ClientError(.invalidRedirect, underlying: error)
        }
        guard allowsInsecure || here.scheme != "https" || target.scheme == "https" else {
            throw ClientError(.insecureRedirect)
        }
        if Self.becomesGet(request.head.method, after: response.head.status) {
            next.head.method = .get
            next.body = nil
            // What was asked on a condition, or for a part, was asked of the other method.
            for name in Self.contentFields.union(Self.conditions) {
                next.head.headerFields[name] = nil
            }
        }
        if here.origin != target.origin {
            guard sendsContentElsewhere || (next.contentCount ?? 0) == 0 else {
                throw ClientError(.contentRedirect)
            }
            let kept = shared.union(Self.contentFields).union(Self.askingFields)
                .union(Self.conditions).union(Self.namedFields)
            next.head.headerFields = HTTPFields(
                next.head.headerFields.filter { kept.contains($0.name) })
        }
        return next
    }

    /// Where a response says that it leads; what is said twice, as a proxy may have it, is said once.
    private static func location(in fields: HTTPFields) throws(ClientError) -> String? {
        let locations = Set(fields[fields: .location].map { text(of: $0) })
        guard locations.count < 2 else {
            let several = TransportError.malformedResponse("The response names several locations.")
            throw ClientError(.invalidRedirect, underlying: several)
        }
        return locations.first
    }

    /// The value of a field, where it is no UTF-8 with the bytes percent-encoded that are no ASCII.
    private static func text(of field: HTTPField) -> String {
        guard field.value.unicodeScalars.contains("\u{FFFD}") else { return field.value }
        return field.withUnsafeBytesOfValue { PercentEncoding.completing(bytes: $0) }
    }

    private static func becomesGet(
        _ method: HTTPRequest.Method, after status: HTTPResponse.Status
    ) -> Bool {
        switch status.code {
        case 303: method != .get && method != .head
        case 301, 302: method == .post
        default: false
        }
    }

    /// The fields that describe content.
    private static let contentFields: Set<HTTPField.Name> = [
        .contentType, .contentLength, .contentEncoding, .contentLanguage, .contentLocation,
        .contentDisposition,
    ]

    /// The fields that ask for something in particular, and say nothing of who asks.
    private static let askingFields: Set<HTTPField.Name> = [
        .accept, .acceptEncoding, .acceptLanguage, .cacheControl, .userAgent,
    ]

    /// The fields that name a request, and what it is to follow.
    private static let namedFields = [HTTPField.Name.idempotencyKey, .lastEventID]
        .compactMap(\.self)

    /// The fields that ask on a condition, or for a part.
    private static let conditions: Set<HTTPField.Name> = [
        .ifMatch, .ifModifiedSince, .ifNoneMatch, .ifRange, .ifUnmodifiedSince, .range,
    ]
}
