public import Foundation
public import HTTPTypes

/// A request as a transport sends it, and the bounds within which it may do so.
public struct TransportRequest: Sendable {
    /// The method, the URL in its parts, and the header fields.
    ///
    /// The transport adds `Host`, `Content-Length` and, unless the fields name them, an
    /// `Accept-Encoding` that it can decode and an `Accept` of anything. `Content-Length`,
    /// `Transfer-Encoding` and `Expect` among the fields are left out: content is sent at once, and its
    /// length is known. So is `Proxy-Authorization`, which is a ``Proxy``'s.
    public var head: HTTPRequest {
        _read { yield box.contents.head }
        _modify {
            own()
            yield &box.contents.head
        }
    }

    /// The content, or nil to send none; for POST, PUT and PATCH that is the same as empty content.
    public var body: Data? {
        get { box.contents.body }
        set { change { $0.body = newValue } }
    }

    /// The time that the whole exchange may take, counted from its start, 24 days or more standing for any; nil
    /// stands for the client's, and for 60 seconds where no client set one.
    public var timeout: Duration? {
        get { box.contents.timeout }
        set { change { $0.timeout = newValue } }
    }

    /// The time for which nothing may move, in whole seconds; nil stands for the client's, and for any
    /// within ``timeout`` where no client set one.
    public var idleTimeout: Duration? {
        get { box.contents.idleTimeout }
        set { change { $0.idleTimeout = newValue } }
    }

    /// The limits on the size of the response; nil stands for the client's, and for the defaults of
    /// ``TransportLimits`` where no client set any.
    public var limits: TransportLimits? {
        get { box.contents.limits }
        set { change { $0.limits = newValue } }
    }

    /// Receives the counts of bytes as they move, on the transport's thread.
    public var onProgress: (@Sendable (TransferProgress) -> Void)? {
        get { box.contents.onProgress }
        set { change { $0.onProgress = newValue } }
    }

    /// Where the response's content goes, for a transport that can do so; others keep it as ever.
    var sink: ContentSink? {
        get { box.contents.sink }
        set { change { $0.sink = newValue } }
    }

    /// Whether an interceptor sends it again where it fails, so that others don't.
    var isRetried: Bool {
        get { box.contents.isRetried }
        set { change { $0.isRetried = newValue } }
    }

    /// The time that is left to whoever waits before it is sent again, where that interceptor sets one.
    var retryTime: RetryTime? {
        get { box.contents.retryTime }
        set { change { $0.retryTime = newValue } }
    }

    /// The statuses upon which it is sent again, where it is: what a cache has with one of them is no answer.
    var refusedStatuses: StatusCodes? {
        get { box.contents.refusedStatuses }
        set { change { $0.refusedStatuses = newValue } }
    }

    /// The field that names it, where an interceptor has added one, which gives each request another.
    var addedKey: HTTPField? {
        get { box.contents.addedKey }
        set { change { $0.addedKey = newValue } }
    }

    /// What is known of the attempt that it is sent in, where somebody asks for that.
    var attempt: AttemptLog? {
        get { box.contents.attempt }
        set { change { $0.attempt = newValue } }
    }

    /// Whether somebody wants to know how long it takes.
    var isTimed: Bool {
        get { box.contents.isTimed }
        set { change { $0.isTimed = newValue } }
    }

    /// The names of query items and fields whose values are secret, whatever they are called.
    package var secretNames: Set<String> {
        get { box.contents.secretNames }
        set { change { $0.secretNames = newValue } }
    }

    /// The names of query items that an interceptor has added, which adds them to any request.
    var addedItems: Set<String> {
        get { box.contents.addedItems }
        set { change { $0.addedItems = newValue } }
    }

    /// Where it comes from.
    var provenance: Provenance {
        get { box.contents.provenance }
        set { change { $0.provenance = newValue } }
    }

    /// Where its contents are: it is handed on a dozen times on its way, and changed in few places.
    private var box: Box

    /// Creates a request.
    public init(
        head: HTTPRequest,
        body: Data? = nil,
        timeout: Duration? = nil,
        limits: TransportLimits? = nil,
        onProgress: (@Sendable (TransferProgress) -> Void)? = nil
    ) {
        box = Box(
            Contents(
                head: head, body: body, timeout: timeout, limits: limits, onProgress: onProgress))
    }

    /// Sees to it that nobody else has its contents.
    private mutating func own() {
        if !isKnownUniquelyReferenced(&box) { box = Box(box.contents) }
    }

    private mutating func change(_ body: (inout Contents) -> Void) {
        own()
        body(&box.contents)
    }
}

extension TransportRequest {
    private struct Contents: Sendable {
        var head: HTTPRequest
        var body: Data?
        var timeout: Duration?
        var idleTimeout: Duration?
        var limits: TransportLimits?
        var onProgress: (@Sendable (TransferProgress) -> Void)?
        var sink: ContentSink?
        var isRetried = false
        var retryTime: RetryTime?
        var refusedStatuses: StatusCodes?
        var addedKey: HTTPField?
        var attempt: AttemptLog?
        var isTimed = false
        var secretNames: Set<String> = []
        var addedItems: Set<String> = []
        var provenance = Provenance()
    }

    /// The contents of requests that are the same.
    ///
    /// Safe as they are changed only where one request alone has them.
    private final class Box: @unchecked Sendable {
        @exclusivity(unchecked) var contents: Contents

        init(_ contents: Contents) { self.contents = contents }
    }
}

extension TransportRequest {
    /// Refuses a request whose target could be read as anything but one http or https URL.
    ///
    /// The scheme has to be `http` or `https`, the authority a host with an optional port and no user
    /// information and no percent-encoding, and the path must start with a slash; control characters, spaces, a fragment and
    /// anything outside ASCII are refused. The types of the method and of the header fields already
    /// exclude such characters. So are HEAD and TRACE with content, which has no meaning there, and
    /// CONNECT, which asks for a tunnel.
    public func validate() throws(TransportError) {
        guard let scheme = head.scheme, scheme == "http" || scheme == "https" else {
            throw .invalidRequest("The scheme is neither http nor https.")
        }
        guard let authority = head.authority, !authority.isEmpty else {
            throw .invalidRequest("The URL has no host.")
        }
        guard authority.utf8.allAre(Self.isAllowedInAuthority) else {
            throw .invalidRequest("The URL's authority holds a character not allowed there.")
        }
        // Such a name has many spellings, by which settings for it would be passed by.
        guard
            authority.utf8.first == UInt8(ascii: "[")
                || authority.utf8.allAre({ $0 != UInt8(ascii: "%") })
        else { throw .invalidRequest("The URL's host is percent-encoded.") }
        guard let path = head.path, path.utf8.first == UInt8(ascii: "/") else {
            throw .invalidRequest("The URL's path does not start with a slash.")
        }
        guard path.utf8.allAre({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }) else {
            throw .invalidRequest("The URL's path holds a character that must be encoded.")
        }
        let method = head.method
        guard method != .connect else { throw .invalidRequest("CONNECT is no exchange.") }
        guard body == nil || method != .head && method != .trace else {
            throw .invalidRequest("A \(method) request has no content.")
        }
    }

    /// Whether sending it twice does what sending it once does (RFC 9110, section 9.2.2).
    var isIdempotent: Bool { head.method.isIdempotent }

    /// Whether it is meant to change something (RFC 9110, section 9.2.1).
    var isWrite: Bool {
        ![.get, .head, .options, .trace].contains(head.method)
    }

    /// Takes what is known of a request in place of which this one is sent.
    mutating func takeNotes(of request: TransportRequest) {
        secretNames.formUnion(request.secretNames)
        addedItems.formUnion(request.addedItems)
        isRetried = isRetried || request.isRetried
        retryTime = retryTime ?? request.retryTime
        refusedStatuses = refusedStatuses ?? request.refusedStatuses
        addedKey = addedKey ?? request.addedKey
        attempt = attempt ?? request.attempt
    }

    /// Whether each of some header fields has the value that it had when they were added.
    func bears(_ fields: HTTPFields) -> Bool {
        fields.allSatisfy { head.headerFields[$0.name] == $0.value }
    }

    /// The number of bytes of content that go out, nil where none is announced.
    ///
    /// A method that is meant to have content announces that it has none (RFC 9110, section 8.6).
    var contentCount: Int? {
        switch head.method {
        case .post, .put, .patch: body?.count ?? 0
        default: body?.count
        }
    }

    /// The approximate number of bytes that its URL and header fields take.
    var headSize: Int {
        head.headerFields.reduce(urlText.utf8.count) {
            $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 4
        }
    }

    /// The URL in one piece.
    var urlText: String {
        var text = head.scheme ?? ""
        text += "://"
        text += head.authority ?? ""
        text += head.path ?? ""
        return text
    }

    /// The scheme, the host and the port; empty where there is no URL.
    var origin: String { (try? URLReference(urlText).origin) ?? "" }

    private static func isAllowedInAuthority(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "@"), UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"),
            UInt8(ascii: "\\"):
            false
        default:
            byte > 0x20 && byte < 0x7F
        }
    }
}

extension TransportRequest {
    /// Where a request comes from, whatever interceptors make of it.
    struct Provenance: Sendable {
        /// The refreshes of credentials that the code that runs is a part of.
        @TaskLocal static var refreshes: Set<UUID> = []

        /// The origin of its client's base URL.
        var origin: String?

        /// The names that are secret by its client alone: for descriptions, as what tells requests apart is said by
        /// those who compare them.
        var secretNames: Set<String> = []

        /// The refreshes of credentials that it is a part of.
        var refreshes: Set<UUID> = []

        /// The fields by which its client asks whether what is kept is still good, nil where it does not.
        var condition: HTTPFields?

        /// The sessions that its attempts belong to; nil where no interceptor sees it.
        var admissions: Admissions?
    }
}

// Here, as a linker leaves out a file of a static library that has conformances alone.
extension TransportRequest: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// One line: the method, the URL, the header fields and the size of the content, without what the usual
    /// ``Redaction`` names; of a client's request, in its interceptors and its transport, nor what the client's does.
    public var description: String { redacted }

    /// The description.
    public var debugDescription: String { description }

    /// The description alone.
    public var customMirror: Mirror {
        Mirror(self, children: ["description": description], displayStyle: .struct)
    }
}

extension String.UTF8View {
    /// Whether a condition holds for all bytes, which are looked at in one piece where they are.
    @inline(__always)
    fileprivate func allAre(_ condition: (UInt8) -> Bool) -> Bool {
        withContiguousStorageIfAvailable { $0.allSatisfy(condition) } ?? allSatisfy(condition)
    }
}
