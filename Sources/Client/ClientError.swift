public import Foundation
public import HTTPTypes
public import LarderObjectStore

/// The failure of an enqueued endpoint, with its request and what came back.
public struct ClientError: Error, Sendable {
    /// The reason for the failure.
    public var reason: Reason

    /// The request's method, where there was a request.
    public var method: HTTPRequest.Method?

    /// The request's URL, with secret values left out.
    public var url: String?

    /// The response's status, where there was a response.
    public var status: HTTPResponse.Status?

    /// The response's header fields, where there was a response.
    public var headerFields: HTTPFields?

    /// The response's content, where there was a response.
    public var body: Data?

    /// The content as the type of the API's errors, where ``Client/Configuration/errorBody`` names one and
    /// a response was refused whose content is of it.
    public var details: (any Sendable)?

    /// The error behind the failure: a ``TransportError``, a mapping, JSON, decoding or store
    /// error, or the one that a validator, processor or document reader threw.
    public var underlying: (any Error)?

    /// The request that what came back answers, until the error is handed over.
    var sent: SentRequest?

    /// Whether it is that of a credential's refresh, which those wait for that are not sent, or were refused.
    var isOfRefresh = false

    /// Whether it is the server's own word, as of now, that there is nothing of what was asked for.
    var isOfAbsence = false

    /// Where what came back comes from.
    var source = ResponseSource.network

    /// The redaction of the content in the description.
    var redaction = Redaction()

    /// The options of the client that the content came to, which are large.
    var decodingOptions: (@Sendable () -> DecodingOptions)?

    /// Creates an error.
    public init(
        _ reason: Reason,
        method: HTTPRequest.Method? = nil,
        url: String? = nil,
        status: HTTPResponse.Status? = nil,
        headerFields: HTTPFields? = nil,
        body: Data? = nil,
        underlying: (any Error)? = nil
    ) {
        self.reason = reason
        self.method = method
        self.url = url
        self.status = status
        self.headerFields = headerFields
        self.body = body
        self.underlying = underlying
    }
}

extension ClientError {
    /// A reason for failure; the list may grow.
    public struct Reason: Sendable, Hashable, CustomStringConvertible {
        /// The reason in words, for a person.
        public let description: String

        private init(_ description: String) {
            self.description = description
        }

        /// The endpoint and the base URL make no request that could be sent.
        public static let invalidRequest = Reason("the request could not be built")
        /// The exchange failed; the underlying ``TransportError`` says how.
        public static let transport = Reason("the exchange failed")
        /// A validator refused the response's status.
        public static let unacceptableStatus = Reason("the status is not acceptable")
        /// Nothing that is kept is good, and by its ``CachePolicy`` nobody is asked.
        public static let notCached = Reason("nothing is kept that could be used")
        /// A validator refused status 412: the resource is not what a ``Precondition`` says that it is.
        public static let preconditionFailed = Reason("the resource has changed, or is not there")
        /// The response's content is of another type than those that the endpoint accepts.
        public static let unacceptableContentType = Reason("the content type is not acceptable")
        /// A validator refused the response by an error of its own, which is the underlying one.
        public static let refused = Reason("the response is refused")
        /// The response leads elsewhere once more than the client's ``RedirectPolicy`` allows.
        public static let tooManyRedirects = Reason("there are too many redirects")
        /// The response leads from https to http.
        public static let insecureRedirect = Reason("the redirect leads from https to http")
        /// The response leads to another origin, to which the request's content is not sent.
        public static let contentRedirect = Reason("the redirect takes content to another origin")
        /// The response leads to what can't be asked for; the underlying ``TransportError`` says why.
        public static let invalidRedirect = Reason("the redirect leads nowhere")
        /// The request was refused, or waited for a credential, and there has been a log-out or a log-in.
        public static let loggedOut = Reason("the session that the request was of has ended")
        /// An identical request is in flight, and the client's or the endpoint's ``Coalescing`` refuses another.
        public static let duplicate = Reason("an identical request is in flight")
        /// A processor or document reader threw an error of its own, which is the underlying one.
        public static let unprocessed = Reason("the response could not be processed")
        /// The response is empty where a value was asked for.
        public static let emptyBody = Reason("the response is empty")
        /// The response's content is not JSON.
        public static let malformedJSON = Reason("the response is not JSON")
        /// The response's content does not fit the type asked for.
        public static let undecodable = Reason("the response does not fit the type")
        /// A download could not be written to its file; the underlying error says why.
        public static let notWritten = Reason("the content could not be written to the file")
        /// The response could not be stored; nothing of it was.
        public static let notStored = Reason("the response could not be stored")
    }
}

extension ClientError {
    /// Whether the response itself says that something is wrong.
    var isRefusal: Bool {
        [.refused, .unacceptableStatus, .preconditionFailed, .unacceptableContentType]
            .contains(reason)
    }

    /// Runs a stage, and makes what it throws the cause of an error that can say what came back.
    static func wrapping<Result>(_ reason: Reason, _ stage: () throws -> Result) throws -> Result {
        do {
            return try stage()
        } catch {
            throw wrapped(error, as: reason)
        }
    }

    /// The error with what was asked.
    func completed(by request: TransportRequest, _ redaction: Redaction) -> ClientError {
        var complete = self
        (complete.method, complete.url) = (request.head.method, redaction.url(request.urlText))
        complete.redaction = redaction
        return complete
    }

    /// The error with what came back; the client adds what was asked.
    func completed(by response: TransportResponse) -> ClientError {
        var complete = self
        complete.status = response.head.status
        complete.headerFields = response.head.headerFields
        complete.body = response.body
        complete.sent = response.sent
        complete.source = response.source
        return complete
    }

    /// An error of the library's own as it is, any other as the cause of one.
    static func wrapped(_ error: any Error, as reason: Reason) -> any Error {
        switch error {
        case is ClientError, is TransportError, is CancellationError: error
        default: ClientError(reason, underlying: error)
        }
    }
}

extension ClientError {
    /// Decodes the response's content as JSON, for a type of error that only some callers know.
    ///
    /// - Parameter options: How it is decoded; by the client's ``Client/Configuration/decodingOptions`` unless
    ///   given.
    /// - Throws: `JSONError` or `DecodingError`, also where there is no content.
    public func decodeBody<Details: Decodable>(
        as type: Details.Type, options: DecodingOptions? = nil
    ) throws -> Details {
        let options = options ?? decodingOptions?() ?? DecodingOptions()
        return try JSONDocument(body ?? Data()).root.decode(Details.self, options: options)
    }
}

extension ClientError: CustomStringConvertible {
    /// One line: what was asked, what came back, the cause, and the beginning of the content.
    ///
    /// The values of names that the client's ``Redaction`` calls secret are left out of it; they stay
    /// in ``body`` and ``underlying``.
    public var description: String {
        var parts: [String] = []
        if let method, let url { parts.append("\(method) \(url):") }
        parts.append(reason.description)
        if let status { parts.append("(status \(status.code))") }
        if let underlying { parts.append("– \(redaction.text(of: underlying))") }
        if let body, !body.isEmpty { parts.append("– content: \(redaction.excerpt(of: body))") }
        return parts.joined(separator: " ")
    }
}

extension ClientError: CustomReflectable {
    /// The description alone.
    public var customMirror: Mirror {
        Mirror(self, children: ["description": description], displayStyle: .struct)
    }
}

extension ClientError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
