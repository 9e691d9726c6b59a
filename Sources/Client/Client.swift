import Dispatch
public import Foundation
import HTTPTypes
public import LarderObjectStore
import Logging

/// Sends endpoints to one API and puts what comes back into a store.
///
/// ```swift
/// let client = Client(baseURL: "https://api.example.com/", store: store)
/// client.enqueue(GitHub.issues(repository: "larder"))
///     .then { (issues: Many<Issue>) in print(issues) }
///     .catch { error in print(error) }
/// ```
///
/// What a response becomes is chosen where it is awaited, by the closure's annotation or the
/// variable's type: an entity, `Many`, an array or optional of these, a `Wrapper`, anything
/// `Decodable`, `JSONDocument`, `Data`, `String` or `Void`; and ``Response`` of any of them, which adds
/// the status and the header fields. Endpoints that are a ``RespondingEndpoint`` say it themselves.
///
/// A response is stored whole or not at all, and before the promise is fulfilled; one after the other, in the
/// order in which they come and have passed the interceptors, so that the newest of an object stays; one that takes
/// more than a second to be read lets those behind it go first. Promises are rejected with a ``ClientError``, with
/// `CancellationError` once cancelled, or with what an interceptor threw. A promise that is rejected as cancelled has
/// stored nothing: once its transaction is about to be committed, cancelling it is without effect. What is chained to
/// it can still be cancelled then, and with it the rest of the chain.
///
/// What is enqueued in a transaction of ``store`` is stored once that has ended, as there is one at a
/// time, so a transaction must not wait for it: where it does, or neither reads nor writes for the store's
/// `busyTimeout`, the promise is rejected with `StoreError.Reason.reentrant`. Nobody can tell that it
/// waits for what was enqueued elsewhere, such as before it, on another thread, or in a handler of a
/// promise, be it an interceptor's: both wait for ever then.
public final class Client: Sendable {
    /// The URL against which endpoints' paths are resolved.
    public let baseURL: URL?

    /// The store that responses are written to.
    public let store: Store

    /// The settings for sending requests and reading responses.
    public let configuration: Configuration

    /// The base URL and its parts.
    struct Base {
        let url: URL
        let scheme: String?
        let authority: String?
        let origin: String
    }

    /// The base URL, or why there is none.
    let base: Result<Base, TransportError>

    /// Notices what would be stored over and over.
    let anonymousObjects: AnonymousObjects

    /// The responses by which the store can answer.
    let kept: KeptResponses

    /// What ends when somebody logs out.
    let session: Session

    /// The session that its requests are of, however late they are enqueued; nil for the one that is going on.
    private let ownSession: Int?

    /// What its redaction names besides the usual, for whoever describes one of its requests.
    let ownSecretNames: Set<String>

    /// The requests in flight.
    let registry: RequestRegistry
    let observers: RequestObservers

    /// The queue that brief content is encoded on, in the order of the calls, off the caller's thread.
    let encodingQueue: DispatchQueue

    /// The queues that content is encoded on which may take long, so that it holds up no other.
    let longEncodingQueues: JobQueues

    /// The number of contents that are read from files or compressed at the same time.
    static let maximumLongEncodings = 4

    /// The number of responses that are validated, processed and decoded at the same time, so that some
    /// slow ones hold up no others, and those of four clients don't take all threads that dispatch has.
    static let maximumDeliveries = 64

    /// The queues that responses are validated, processed and decoded on, off the transport's thread.
    let deliveryQueues: JobQueues

    /// The responses that wait to be stored, off the transport's thread.
    let importLine: ImportLine

    /// Creates a client from a base URL's text.
    ///
    /// A host's name alone, such as `api.example.com`, is asked over https; a path may follow it.
    ///
    /// A path is resolved as RFC 3986 has it, so a base that names a folder ends in a slash; where it
    /// does not, the log has a warning. Text that is no absolute http or https URL is an error in the
    /// log, and every enqueued endpoint rejects with ``ClientError/Reason/invalidRequest``. Both go to
    /// the configuration's logger or, where it has none, to one named `larder.client`.
    public convenience init(
        baseURL: String, store: Store, configuration: Configuration = Configuration()
    ) {
        let text = Self.startsWithName(baseURL) ? "https://" + baseURL : baseURL
        let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
        self.init(
            text: baseURL, isPlain ? URL(string: text) : nil, store: store,
            configuration: configuration)
    }

    /// Whether text that names no scheme starts with a host's name; what has no dot, such as `localhost:8080`,
    /// could be anything.
    private static func startsWithName(_ text: String) -> Bool {
        guard !text.contains("://") else { return false }
        let host = text.prefix { !"/?#:@".contains($0) }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count > 1 && labels.allSatisfy { !$0.isEmpty }
            && !text.dropFirst(host.count).contains("@")
    }

    /// Creates a client.
    public convenience init(
        baseURL: URL, store: Store, configuration: Configuration = Configuration()
    ) {
        self.init(
            text: baseURL.absoluteString, baseURL, store: store, configuration: configuration)
    }

    private init(text: String, _ url: URL?, store: Store, configuration: Configuration) {
        let logger = configuration.logger ?? Logger(label: "larder.client")
        baseURL = url
        base = Self.base(text, url)
        self.store = store
        self.configuration = configuration
        anonymousObjects = AnonymousObjects(of: store.model, logger: logger)
        kept = KeptResponses(in: store, besides: configuration.cache, logger: logger)
        (session, ownSession) = (Session(), nil)
        ownSecretNames = configuration.redaction.ownNames
        registry = RequestRegistry()
        observers = RequestObservers()
        encodingQueue = DispatchQueue(label: "larder.client.encode", qos: .userInitiated)
        longEncodingQueues = JobQueues(
            label: "larder.client.encode.long", qos: .userInitiated,
            width: Self.maximumLongEncodings)
        deliveryQueues = JobQueues(
            label: "larder.client.delivery", qos: .userInitiated, width: Self.maximumDeliveries)
        importLine = ImportLine(into: store, clock: configuration.importClock)
        configuration.endSessions(with: kept)
        switch base {
        case .failure(let error):
            logger.error("\(error.message)")
        case .success(let base):
            // Whatever a query ends in.
            let path = base.url.path(percentEncoded: true)
            guard !path.isEmpty, !path.hasSuffix("/") else { break }
            logger.warning(
                """
                The base URL \(Self.shown(text)) does not end in a slash, so its last part is replaced \
                by endpoints' paths.
                """)
        }
    }

    private init(_ other: Client, _ configuration: Configuration, in ownSession: Int?) {
        baseURL = other.baseURL
        base = other.base
        store = other.store
        anonymousObjects = other.anonymousObjects
        kept = other.kept
        (session, self.ownSession) = (other.session, ownSession)
        ownSecretNames = configuration.redaction.ownNames
        registry = other.registry
        observers = other.observers
        encodingQueue = other.encodingQueue
        longEncodingQueues = other.longEncodingQueues
        deliveryQueues = other.deliveryQueues
        importLine = other.importLine
        self.configuration = configuration
        configuration.endSessions(with: kept)
    }

    /// Creates a client of the same API and the same store with other settings, such as for one call.
    ///
    /// ```swift
    /// let issues = client.configured { $0.timeout = .seconds(5) }.enqueue(Issues(), as: [Issue].self)
    /// ```
    ///
    /// The transport, its thread and its connections are the same, unless it is replaced, too.
    public func configured(_ change: (inout Configuration) throws -> Void) rethrows -> Client {
        var configuration = configuration
        try change(&configuration)
        return Client(self, configuration, in: ownSession)
    }

    /// The session that what is enqueued now is of.
    var currentSession: Int { ownSession ?? session.current }

    /// The same client, whose requests are of the session that is going on: what it is asked for later ends with that,
    /// too.
    ///
    /// - Parameter endpoint: What it is asked for, which may have interceptors of its own.
    func inSession(for endpoint: (any Endpoint)? = nil) -> Client {
        var configuration = configuration
        configuration.admissions = configuration.makeAdmissions(for: endpoint) ?? Admissions()
        return Client(self, configuration, in: currentSession)
    }

    private static func base(
        _ text: String, _ url: URL?
    ) -> Result<Base, TransportError> {
        do throws(TransportError) {
            guard let url else { throw .invalidRequest("It cannot be read as a URL.") }
            let reference = try URLReference(url.absoluteString)
            let head = HTTPRequest(
                method: .get, scheme: reference.scheme, authority: reference.authority,
                path: reference.pathAndQuery)
            try TransportRequest(head: head).validate()
            return .success(
                Base(
                    url: url, scheme: reference.scheme, authority: reference.authority,
                    origin: reference.origin))
        } catch {
            return .failure(
                .invalidRequest(
                    "The base URL \(shown(text)) is no absolute http or https URL: \(error.message)"
                ))
        }
    }

    /// The text in quotes, without user information and query.
    private static func shown(_ text: String) -> String {
        var shown = text.prefix { $0 != "?" && $0 != "#" }
        // What looks like a query may be the rest of a password.
        if text[shown.endIndex...].contains("@") { return "\"…\"" }
        if let at = shown.lastIndex(of: "@") { shown = "…" + shown[at...] }
        return String(shown).debugDescription
    }
}

extension Client {
    /// Writes a line about a request at level debug; its URL is handed over as it may appear there.
    func log(_ request: TransportRequest, _ line: (_ url: String) -> String) {
        guard let logger = configuration.logger, logger.logLevel <= .debug else { return }
        let redaction = configuration.redaction.adding(request.secretNames)
        logger.debug("\(line(redaction.url(request.urlText)))")
    }

    /// Writes the beginning of content at level trace.
    func logContent(_ content: Data?, of request: TransportRequest) {
        guard let logger = configuration.logger, logger.logLevel <= .trace, let content,
            !content.isEmpty
        else { return }
        let redaction = configuration.redaction.adding(request.secretNames)
        logger.trace("\(redaction.excerpt(of: content))")
    }

    /// Writes header fields at level trace.
    func logFields(_ fields: HTTPFields, of request: TransportRequest) {
        guard let logger = configuration.logger, logger.logLevel <= .trace else { return }
        let redaction = configuration.redaction.adding(request.secretNames)
        logger.trace("\(redaction.line(fields))")
    }
}
