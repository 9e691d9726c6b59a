import Foundation
import HTTPTypes

/// What two requests have to have in common for the response to one to be the response to the other.
///
/// The content itself, rather than a digest of it, which two contents may have in common; it is in memory as
/// long as the request is.
struct RequestKey: Hashable {
    /// The method and the URL.
    private let head: HTTPRequest
    /// The values of the header fields by their bytes, as two spellings of one letter are equal text.
    private let fields: [HTTPField.Name: [[UInt8]]]
    private let body: Data?
    private let limits: TransportLimits?
    /// What would be left out of logs.
    private let secretNames: Set<String>
    private let redirects: RedirectPolicy
    private let sharedHeaderFields: Set<HTTPField.Name>
    private let ignored: Set<HTTPField.Name>
    /// The jar that the response's cookies go to.
    private let jar: ObjectIdentifier?
    /// What is looked into before anybody is asked.
    private let cache: ObjectIdentifier?
    /// What is done with what a cache has.
    private let caching: CachePolicy?
    /// The number of times that something had been made invalid when it was asked for: what was sent before that is
    /// no answer to what comes after it.
    private let turn: Int
    /// The number of writes to its origin that had begun or ended then; 0 for a write, which may be joined itself.
    private let writeCount: Int
    /// The session that it is of: what somebody else is told is no answer, and each client counts its own.
    private let session: Session.Mark?

    init(
        _ request: TransportRequest, ignoring ignored: Set<HTTPField.Name>,
        over configuration: Client.Configuration, _ caching: CachePolicy? = nil,
        in session: Session.Mark? = nil, turn: Int = 0
    ) {
        let cookies = configuration.cookies
        // With those of now, as a session may begin meanwhile.
        var head = (cookies?.adding(to: request) ?? request).head
        for name in ignored { head.headerFields[name] = nil }
        fields = head.headerFields.reduce(into: [:]) { fields, field in
            fields[field.name, default: []].append(field.withUnsafeBytesOfValue { Array($0) })
        }
        head.headerFields = [:]
        self.head = head
        body = request.body
        limits = request.limits
        secretNames = request.secretNames
        redirects = configuration.redirects
        sharedHeaderFields = configuration.sharedHeaderFields
        jar = cookies.map(ObjectIdentifier.init)
        cache = configuration.cache.map(ObjectIdentifier.init)
        self.ignored = ignored
        self.caching = caching
        writeCount = request.isWrite ? 0 : configuration.writes[request.origin]
        (self.session, self.turn) = (session, turn)
    }
}
