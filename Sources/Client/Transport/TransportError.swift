/// The failure of an exchange that brought no response.
public struct TransportError: Error, Sendable, Hashable {
    /// The reason for the failure.
    public var reason: Reason

    /// One sentence for a person; holds nothing of the request.
    public var message: String

    /// The number that the platform's library gave, or nil where the refusal is Larder's own.
    public var code: Int?

    /// Whether it is known that nothing was sent, or nothing that a server has acted on, where the reason does not say
    /// so.
    var isUnsent = false

    /// Creates an error.
    public init(_ reason: Reason, _ message: String, code: Int? = nil) {
        self.reason = reason
        self.message = message
        self.code = code
    }
}

extension TransportError {
    /// Returns whether reason, message and code are the same.
    public static func == (left: TransportError, right: TransportError) -> Bool {
        (left.reason, left.message) == (right.reason, right.message) && left.code == right.code
    }

    /// Hashes reason, message and code.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(reason)
        hasher.combine(message)
        hasher.combine(code)
    }
}

extension TransportError {
    /// A reason for a failure, by name; the list may grow.
    public struct Reason: Sendable, Hashable, CustomStringConvertible {
        /// The name of the reason.
        public let description: String

        private init(_ description: String) {
            self.description = description
        }

        /// Takes the reason of a name.
        package init(named name: String) { self.init(name) }

        /// The task was cancelled.
        public static let cancelled = Reason("cancelled")
        /// The time allowed ran out.
        public static let timedOut = Reason("timedOut")
        /// The request could not be sent as it stands.
        public static let invalidRequest = Reason("invalidRequest")
        /// There is no network, and an ``OfflineInterceptor`` is to try nothing then.
        public static let offline = Reason("offline")
        /// The host's name, or the proxy's, has no address.
        public static let cannotFindHost = Reason("cannotFindHost")
        /// No connection could be made, to the host or to the proxy.
        public static let cannotConnect = Reason("cannotConnect")
        /// The proxy refused, or what is set as one is none.
        public static let proxyFailed = Reason("proxyFailed")
        /// No secure connection could be made, or the certificate was not trusted.
        public static let secureConnectionFailed = Reason("secureConnectionFailed")
        /// The server refused the client's certificate, or misses one, and said so in the TLS handshake or right behind it.
        ///
        /// Some servers, nginx among them, say so by a response instead, whose status is 400.
        public static let clientCertificateRefused = Reason("clientCertificateRefused")
        /// The connection ended before the response had begun, by ``CurlTransport`` also in the TLS handshake, or
        /// while it was sent.
        public static let connectionLost = Reason("connectionLost")
        /// The content ended before its declared end.
        public static let truncatedBody = Reason("truncatedBody")
        /// The response broke the rules of HTTP.
        public static let malformedResponse = Reason("malformedResponse")
        /// The response weighed more than the request's limits allow.
        public static let limitExceeded = Reason("limitExceeded")
        /// The content came in a coding that was not asked for.
        public static let unsupportedContentEncoding = Reason("unsupportedContentEncoding")
        /// Content too large for memory could not be kept in a temporary file.
        public static let temporaryFile = Reason("temporaryFile")
        /// Anything else that the platform's library reports.
        public static let other = Reason("other")
    }

    static func invalidRequest(_ message: String) -> TransportError {
        TransportError(.invalidRequest, message)
    }

    static func malformedResponse(_ message: String) -> TransportError {
        TransportError(.malformedResponse, message)
    }

    static func limitExceeded(_ message: String) -> TransportError {
        TransportError(.limitExceeded, message)
    }

    static var cancelled: TransportError {
        TransportError(.cancelled, "The exchange was cancelled.")
    }
}

extension TransportError: CustomStringConvertible {
    /// The sentence, and the library's number where there is one.
    public var description: String {
        message + (code.map { " (code \($0))" } ?? "")
    }
}
