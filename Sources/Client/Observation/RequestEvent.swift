public import HTTPTypes
public import LarderObjectStore

/// Something that has happened to a request of a client's.
///
/// A request begins once, is built once, is sent as often as interceptors have it sent, waits for its turn where it has
/// to, and ends once: fulfilled, failed or cancelled. In between its response is received, validated, parsed
/// and stored, as far as it comes and what it becomes asks for that. Nothing follows its end, not even where
/// an exchange that nobody waits for goes on; by then it is none of the client's ``Client/requestsInFlight``.
public struct RequestEvent: Sendable {
    /// A kind of event.
    public enum Kind: Sendable {
        /// It has been enqueued.
        case began
        /// Its request has been made of the endpoint, content included, before interceptors see it.
        case built(HTTPRequest.Method, url: String)
        /// It goes to the transport, or to the cache or the queue before it, or to an identical request that is
        /// on its way; the first time, or again.
        case sent(HTTPRequest.Method, url: String, attempt: Int)
        /// It waits for its turn in the client's ``RequestQueue``; not told where it has that at once.
        case queued
        /// A redirect leads elsewhere.
        case redirected(HTTPRequest.Method, url: String)
        /// A response has come through the interceptors, with so many bytes of content.
        case received(HTTPResponse.Status, byteCount: Int)
        /// Validators have accepted the response, and processors have made of it what is read.
        case validated
        /// Its JSON has been read, where that is asked for.
        case parsed
        /// It has been stored, and what is written along with it: the transaction is committed.
        case stored(ImportReport)
        /// Its promise is given a value, or a response with that value, which nothing changes any more; the
        /// report is empty where nothing is stored.
        case fulfilled(any Sendable, ImportReport)
        /// Its promise is given an error, which nothing changes any more.
        case failed(any Error)
        /// It has been cancelled.
        case cancelled
    }

    /// The number of the request, which all of its events have and no other request of the process's; none
    /// of a ``RequestInFlight``.
    public let request: Int

    /// The endpoint that was enqueued.
    public let endpoint: any Endpoint

    /// What has happened; URLs are without secrets, by the client's ``Client/Configuration/redaction``.
    public let kind: Kind

    /// The time since the request was enqueued.
    public let elapsed: Duration

    /// What is known by then of the times that its phases took, in its last attempt.
    public let timings: RequestTimings

    /// Whether nothing follows.
    public var isEnd: Bool {
        switch kind {
        case .began, .built, .sent, .queued, .redirected, .received, .validated, .parsed, .stored:
            false
        case .fulfilled, .failed, .cancelled: true
        }
    }
}

extension RequestEvent: CustomStringConvertible {
    /// A line for a log.
    public var description: String {
        let what =
            switch kind {
            case .began: "began"
            case .built(let method, let url): "built \(method) \(url)"
            case .sent(let method, let url, 1): "sent \(method) \(url)"
            case .sent(let method, let url, let attempt): "sent \(method) \(url) again (\(attempt))"
            case .queued: "queued"
            case .redirected(let method, let url): "redirected to \(method) \(url)"
            case .received(let status, let count): "received \(status.code), \(count) bytes"
            case .validated: "validated"
            case .parsed: "parsed"
            case .stored(let report): "stored, \(report.objectCount) written"
            case .fulfilled: "fulfilled"
            case .failed(let error as ClientError): "failed: \(error.reason)"
            case .failed(let error): "failed: \(type(of: error))"
            case .cancelled: "cancelled"
            }
        return "request \(request), \(type(of: endpoint)), \(elapsed): \(what)"
    }
}

extension ImportReport {
    /// The number of objects that were written.
    fileprivate var objectCount: Int { entities.values.reduce(0) { $0 + $1.objects } }
}

extension RequestEvent {
    /// Returns the value that it ends with, where that is one of a type by what is in it.
    func value<Value>(as type: Value.Type) -> Value? {
        guard case .fulfilled(let value, _) = kind, Self.isOne(value, of: type) else { return nil }
        return value as? Value
    }

    /// Whether a value is one of a type: to a cast alone each empty list is one of whatever, and each nil
    /// is one, too.
    fileprivate static func isOne<Value>(_ value: Any, of type: Value.Type) -> Bool {
        if Swift.type(of: value) == type { return true }
        if let optional = value as? any OptionalValue {
            guard let wrapped = optional.wrapped else {
                return !(type is any ContainerValue.Type) && value is Value
            }
            return isOne(wrapped, of: type)
        }
        guard let container = type as? any ContainerValue.Type else { return value is Value }
        return container.holds(value)
    }
}

/// A value that may be nil.
private protocol OptionalValue {
    var wrapped: Any? { get }
}

/// A type of values that casts look into.
private protocol ContainerValue {
    /// Whether what is in a value, which is not nil, is what this type holds.
    static func holds(_ value: Any) -> Bool
}

extension Optional: OptionalValue, ContainerValue {
    fileprivate var wrapped: Any? { map { $0 as Any } }

    fileprivate static func holds(_ value: Any) -> Bool {
        RequestEvent.isOne(value, of: Wrapped.self)
    }
}

extension Array: ContainerValue {
    fileprivate static func holds(_ value: Any) -> Bool {
        guard let elements = value as? [Any], !elements.isEmpty else { return false }
        return elements.allSatisfy { RequestEvent.isOne($0, of: Element.self) }
    }
}

extension Set: ContainerValue {
    fileprivate static func holds(_ value: Any) -> Bool {
        guard let elements = value as? Set<AnyHashable>, !elements.isEmpty else { return false }
        return elements.allSatisfy { RequestEvent.isOne($0.base, of: Element.self) }
    }
}

extension Dictionary: ContainerValue {
    fileprivate static func holds(_ value: Any) -> Bool {
        guard let members = value as? [AnyHashable: Any], !members.isEmpty else { return false }
        return members.allSatisfy {
            RequestEvent.isOne($0.key.base, of: Key.self)
                && RequestEvent.isOne($0.value, of: Value.self)
        }
    }
}
