public import Foundation
public import HTTPTypes
import LarderObjectStore

/// A response that a cache keeps, and what is needed to tell for which requests it is still good.
///
/// It holds no credential: neither the request's fields, of which ``variant`` has digests, nor cookies.
public struct CachedResponse: Sendable, Identifiable {
    /// The number by which a ``ResponseCacheProvider`` tells it from others of the same key; that provider's to
    /// choose.
    public var id: Int64

    /// The status and the header fields, without those that are about one connection.
    public var head: HTTPResponse

    var content: TransportResponse.Content

    /// The content, after decoding; where it is of a ``part``, that part alone.
    public var body: Data {
        get { content.data }
        set { content = .memory(newValue) }
    }

    /// The part of the whole that the content is; nil where it is the whole.
    public var part: Part?

    /// The time at which the request was sent.
    public var requested: Date

    /// The time at which the response came, or was last confirmed.
    public var received: Date

    /// The time from which on it is of no use to anybody, not even to be confirmed; nil where that is never.
    public var uselessAfter: Date?

    /// Digests of the request's header fields that `Vary` names, by their names in lower case; nil for one that
    /// the request had not.
    public var variant: [String: [UInt8]?]

    /// Digests of the ways in which its content has been stored as objects, to be kept with the rest.
    ///
    /// They mean something to the cache alone, which adds one by ``ResponseCacheProvider/keep(_:for:replacing:)``, once
    /// the objects are there. Where they are lost, the server is asked before objects are made of the content.
    public var imports: Set<Int64>

    /// A part of a representation.
    public struct Part: Sendable, Hashable {
        /// The position of the first byte.
        public var first: Int

        /// The size of the whole, nil where it is not known.
        public var total: Int?

        /// Creates a part.
        public init(first: Int, total: Int?) {
            self.first = first
            self.total = total
        }
    }

    /// Creates a response that is kept.
    public init(
        id: Int64 = 0, head: HTTPResponse, body: Data, part: Part? = nil, requested: Date,
        received: Date, uselessAfter: Date? = nil, variant: [String: [UInt8]?] = [:],
        imports: Set<Int64> = []
    ) {
        self.init(
            id: id, head: head, content: .memory(body), part: part, requested: requested,
            received: received, uselessAfter: uselessAfter, variant: variant, imports: imports)
    }

    init(
        id: Int64 = 0, head: HTTPResponse, content: TransportResponse.Content, part: Part? = nil,
        requested: Date, received: Date, uselessAfter: Date? = nil,
        variant: [String: [UInt8]?] = [:], imports: Set<Int64> = []
    ) {
        (self.id, self.head, self.content, self.part) = (id, head, content, part)
        (self.requested, self.received) = (requested, received)
        (self.uselessAfter, self.variant, self.imports) = (uselessAfter, variant, imports)
    }

    /// The approximate number of bytes that it takes.
    public var size: Int {
        head.headerFields.reduce(bodyCount + 256) {
            $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 4
        }
    }

    var bodyCount: Int {
        switch content {
        case .memory(let data): data.count
        case .file(let file): file.count
        case .written, .streamed: 0
        }
    }
}

extension CachedResponse {
    /// The directives of its `Cache-Control`.
    var control: CacheControl { CacheControl(head.headerFields) }

    /// Whether its times and its part can be reckoned with, whoever has kept it.
    var isSound: Bool {
        let times = [requested, received, uselessAfter ?? received]
        guard times.allSatisfy(\.timeIntervalSinceReferenceDate.isFinite) else { return false }
        guard let part else { return true }
        let (end, isTooFar) = part.first.addingReportingOverflow(bodyCount)
        return part.first >= 0 && !isTooFar && end < .max && end <= part.total ?? .max
    }

    /// Whether it can be confirmed by the server.
    var hasValidator: Bool {
        head.headerFields[.eTag] != nil || head.headerFields[.lastModified] != nil
    }

    /// Whether it is a whole of the same status and bytes as another one.
    func hasContent(of other: CachedResponse) -> Bool {
        part == nil && other.part == nil && head.status.code == other.head.status.code
            && bodyCount == other.bodyCount && body == other.body
    }

    /// The tag by which parts of it are known to be of one whole.
    var strongTag: String? { ResourceVersion.strongTag(in: head.headerFields) }

    /// Whether the fields of a response to HEAD are those of this one, by whatever of them tells versions apart
    /// (RFC 9111, section 4.3.5).
    func isSame(by fields: HTTPFields) -> Bool {
        let own = head.headerFields
        for name in [HTTPField.Name.eTag, .lastModified] {
            if let new = fields[name], new != own[name] { return false }
        }
        guard let length = fields[.contentLength] else { return true }
        return length == own[.contentLength] ?? (isPlain ? "\(bodyCount)" : nil)
    }

    /// Whether positions in its content are those in the representation, which is not so once a coding has been
    /// taken off.
    var isPlain: Bool { head.headerFields[.contentEncoding] == nil }

    /// The fields of the message that a 304, or a response to HEAD, brings, in place of its own of these names
    /// (RFC 9111, section 3.2).
    func freshened(
        by fields: HTTPFields, removing items: AddedItems = AddedItems(),
        without secrets: (HTTPField.Name) -> Bool, requested: Date, received: Date
    ) -> CachedResponse {
        var fresh = self
        // A tag that it had not may be another version's, of which it would be taken for the content from then on.
        let new = StoredFields.kept(of: fields, removing: items, without: secrets).filter {
            !StoredFields.ofContent.contains($0.name)
                && ($0.name != .eTag || head.headerFields[.eTag] != nil)
        }
        // Of the age and the date that it had, nothing is left, unless they are told anew.
        for name in Set(new.map(\.name)).union([.age, .date]) {
            fresh.head.headerFields[name] = nil
        }
        for field in new { fresh.head.headerFields.append(field) }
        (fresh.requested, fresh.received) = (requested, received)
        // Nor has anybody stored it since it was confirmed: what the store has by now may be older than that.
        fresh.imports = []
        return fresh
    }

    /// The same, as old as another one of its content is, for those who have stored that one.
    func backdated(to other: CachedResponse) -> CachedResponse {
        var response = self
        for name in [HTTPField.Name.age, .date, .expires] {
            response.head.headerFields[name] = other.head.headerFields[name]
        }
        (response.requested, response.received) = (other.requested, other.received)
        response.imports = other.imports
        return response
    }
}

/// The header fields of responses that caches keep (RFC 9111, section 3.1).
enum StoredFields {
    /// The fields of which the content that is kept depends, so that no 304 changes them.
    static let ofContent: Set<HTTPField.Name> = Set(
        [.contentLength, .contentEncoding, .contentRange].compactMap(\.self))

    /// The fields that are about one connection, or a proxy; and cookies, which a cache is no place for: one that
    /// is set again when it is read may be of a session that is over.
    private static let excluded: Set<HTTPField.Name> = Set(
        [
            .connection, .transferEncoding, .te, .trailer, .upgrade, .proxyAuthenticate,
            .proxyAuthorization, .setCookie, .authorization,
        ]
            + ["Keep-Alive", "Proxy-Connection", "Proxy-Authentication-Info", "Set-Cookie2"]
            .compactMap { HTTPField.Name($0) })

    /// Returns the fields that are kept.
    ///
    /// - Parameters:
    ///   - items: The query items that an interceptor had added to the request: it adds them to what URLs lead to, as
    ///     they are by then.
    ///   - secrets: Says which names are those of secrets.
    static func kept(
        of fields: HTTPFields, removing items: AddedItems = AddedItems(),
        without secrets: (HTTPField.Name) -> Bool
    ) -> HTTPFields {
        let named = Set(
            fields[values: .connection].flatMap { CacheControl.members(of: $0) }
                .compactMap { HTTPField.Name(String(decoding: $0, as: UTF8.self)) })
        return HTTPFields(
            fields.compactMap { field in
                guard !excluded.contains(field.name), !named.contains(field.name),
                    !secrets(field.name)
                else { return nil }
                return items.removed(from: field)
            })
    }
}
