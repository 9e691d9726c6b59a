public import Foundation

/// A cookie of a server's, as a ``CookieJar`` keeps it (RFC 6265bis, section 5.7).
///
/// Its description says everything but its value.
public struct Cookie: Sendable, Hashable, Codable {
    /// The name; it may be empty.
    public let name: String

    /// The value, with whatever quotes the server has put around it.
    public let value: String

    /// The host that has set it, or the domain that it is for, in lower case and without a dot in front.
    public let domain: String

    /// The path that it is for, with what is below it.
    public let path: String

    /// Whether it goes to the host of ``domain`` alone, not to those below it.
    public let isHostOnly: Bool

    /// Whether it goes over https alone.
    public let isSecure: Bool

    /// Whether the server wants it kept from scripts; kept for whoever hands it on.
    public let isHTTPOnly: Bool

    /// What the server says of requests that other sites cause; kept for whoever hands it on.
    public let sameSite: SameSite?

    /// The time until which it is kept, at most 400 days from when it was set; nil where it ends with the
    /// session.
    public let expires: Date?

    /// The values of the attribute `SameSite`.
    ///
    /// A client has no pages, and so no sites: whatever it asks for, the app asks for, as somebody does who
    /// types an address, and cookies of all three go along. `None` is taken with `Secure` only, as in browsers.
    public enum SameSite: String, Sendable, Hashable, Codable {
        /// For requests of the site's own.
        case strict = "Strict"
        /// For these, and where a link leads to the site.
        case lax = "Lax"
        /// For all requests.
        case none = "None"
    }
}

extension Cookie {
    /// Whether it takes the place of another one.
    func replaces(_ other: Cookie) -> Bool {
        // By bytes: two spellings of one letter are two names.
        name.utf8.elementsEqual(other.name.utf8) && path.utf8.elementsEqual(other.path.utf8)
            && domain == other.domain && isHostOnly == other.isHostOnly
    }

    /// What tells it apart from those that don't take its place, byte by byte as ``replaces(_:)`` does.
    var place: [UInt8] { Array("\(name)\0\(path)\0\(domain)\0\(isHostOnly)".utf8) }

    func isExpired(at now: Date) -> Bool { expires.map { $0 < now } ?? false }

    /// The cookie as it goes into a request.
    var pair: String { name.isEmpty ? value : "\(name)=\(value)" }

    /// Whether it can be put into a request, wherever it has been in between.
    var isWellFormed: Bool {
        [name, value, domain, path].allSatisfy { text in
            text.utf8.allSatisfy { ReceivedCookie.isAllowed($0) }
        } && !pair.utf8.contains(UInt8(ascii: ";")) && path.utf8.first == UInt8(ascii: "/")
            && !domain.isEmpty
    }
}

extension Cookie: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name and the attributes, without the value.
    public var description: String {
        var parts = ["\(name)=…", (isHostOnly ? "host " : "domain ") + domain, "path \(path)"]
        if isSecure { parts.append("secure") }
        if isHTTPOnly { parts.append("HTTP only") }
        if let sameSite { parts.append("same site \(sameSite.rawValue)") }
        if let expires { parts.append("expires \(expires)") }
        return "Cookie(\(parts.joined(separator: ", ")))"
    }

    /// The description.
    public var debugDescription: String { description }

    /// The name and the attributes, without the value.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: ["name": name, "domain": domain, "path": path, "expires": expires as Any],
            displayStyle: .struct)
    }
}
