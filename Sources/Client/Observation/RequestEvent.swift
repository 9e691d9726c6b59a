public import HTTPTypes
public import LarderObjectStore

/// Something that has happened to a request of a client's.
///
/// A request begins once, is sent as often as interceptors have it sent, and ends once: fulfilled, failed
/// or cancelled. Nothing follows its end, not even where an exchange that nobody waits for goes on; by
/// then it is none of the client's ``Client/requestsInFlight``.
public struct RequestEvent: Sendable {
    /// A kind of event.
    public enum Kind: Sendable {
        /// It has been enqueued.
        case began
        /// It goes to the transport, or to the queue before it, or to an identical request that is on its
        /// way; the first time, or again.
        case sent(HTTPRequest.Method, url: String, attempt: Int)
        /// A redirect leads elsewhere.
        case redirected(HTTPRequest.Method, url: String)
        /// A response has come through the interceptors, with so many bytes of content.
        case received(HTTPResponse.Status, byteCount: Int)
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

    /// Whether nothing follows.
    public var isEnd: Bool {
        switch kind {
        case .began, .sent, .redirected, .received: false
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
            case .sent(let method, let url, 1): "sent \(method) \(url)"
            case .sent(let method, let url, let attempt): "sent \(method) \(url) again (\(attempt))"
            case .redirected(let method, let url): "redirected to \(method) \(url)"
            case .received(let status, let count): "received \(status.code), \(count) bytes"
            case .fulfilled: "fulfilled"
            case .failed(let error as ClientError): "failed: \(error.reason)"
            case .failed(let error): "failed: \(type(of: error))"
            case .cancelled: "cancelled"
            }
        return "request \(request), \(type(of: endpoint)), \(elapsed): \(what)"
    }
}
