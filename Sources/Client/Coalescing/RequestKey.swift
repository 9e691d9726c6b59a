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
    private let content: ComparedContent
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
        _ request: TransportRequest, of policy: Coalescing,
        over configuration: Client.Configuration, _ caching: CachePolicy? = nil,
        in session: Session.Mark? = nil, turn: Int = 0
    ) {
        let cookies = configuration.cookies
        // With those of now, as a session may begin meanwhile.
        var head = (cookies?.adding(to: request) ?? request).head
        ignored = policy.ignoredHeaderFields
        for name in ignored { head.headerFields[name] = nil }
        // Of two that are joined each may be sent again by itself, and a server knows it by its key.
        if policy.mode == .refusing, let key = request.addedKey,
            head.headerFields[key.name] == key.value
        {
            head.headerFields[key.name] = nil
        }
        content = ComparedContent(request)
        if head.headerFields.contains(.contentType), let type = content.typeWithoutBoundary {
            head.headerFields[.contentType] = type
        }
        fields = head.headerFields.reduce(into: [:]) { fields, field in
            fields[field.name, default: []].append(field.withUnsafeBytesOfValue { Array($0) })
        }
        head.headerFields = [:]
        self.head = head
        limits = request.limits
        secretNames = request.secretNames
        redirects = configuration.redirects
        sharedHeaderFields = configuration.sharedHeaderFields
        jar = cookies.map(ObjectIdentifier.init)
        cache = configuration.cache.map(ObjectIdentifier.init)
        self.caching = caching
        writeCount = request.isWrite ? 0 : configuration.writes[request.origin]
        // Who writes asks for nothing that is kept.
        // Both only grow.
        self.turn = request.isWrite ? 0 : turn &+ (configuration.cache?.turn ?? 0)
        self.session = session
    }
}

/// Content that is the same as another one where only the boundaries of their forms differ.
private struct ComparedContent: Hashable {
    private let data: Data?
    /// Empty where it is no form.
    private let boundary: [UInt8]
    /// The type of a form; nil where it is none.
    let typeWithoutBoundary: String?

    init(_ request: TransportRequest) {
        data = request.body
        var type = request.head.headerFields[.contentType] ?? ""
        guard type.lowercased().hasPrefix("multipart/"),
            let name = type.range(of: "boundary=", options: .caseInsensitive)
        else {
            (boundary, typeWithoutBoundary) = ([], nil)
            return
        }
        let value = type[name.upperBound...].prefix { $0 != ";" }
        boundary = value.utf8.filter { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: " ") }
        type.removeSubrange(value.startIndex..<value.endIndex)
        typeWithoutBoundary = type
    }

    static func == (left: ComparedContent, right: ComparedContent) -> Bool {
        guard left.boundary != right.boundary else { return left.data == right.data }
        guard let data = left.data, let other = right.data, data.count == other.count,
            left.boundary.count == right.boundary.count
        else { return false }
        return data.withUnsafeBytes { bytes in
            other.withUnsafeBytes { others in
                areSame(bytes, others, left.boundary, right.boundary)
            }
        }
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(data?.count)
        if boundary.isEmpty { hasher.combine(data) }
    }

    /// Whether bytes differ only where each have their own boundary, behind the dashes of a delimiter (RFC 2046,
    /// section 5.1.1).
    private static func areSame(
        _ bytes: UnsafeRawBufferPointer, _ others: UnsafeRawBufferPointer,
        _ boundary: [UInt8], _ otherBoundary: [UInt8]
    ) -> Bool {
        // Two boundaries may begin alike.
        let likeness = zip(boundary, otherBoundary).prefix { $0.0 == $0.1 }.count
        let dash = UInt8(ascii: "-")
        var (index, last) = (0, 0)
        while index < bytes.count {
            guard bytes[index] != others[index] else {
                index += 1
                continue
            }
            let start = index - likeness
            let end = start + boundary.count
            guard start >= max(last, 2), end <= bytes.count,
                bytes[start - 1] == dash, bytes[start - 2] == dash,
                bytes[start..<end].elementsEqual(boundary),
                others[start..<end].elementsEqual(otherBoundary)
            else { return false }
            (index, last) = (end, end)
        }
        return true
    }
}
