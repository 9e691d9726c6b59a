import Foundation
import LarderPromises

/// A URL or a part of one, taken apart and resolved by RFC 3986, section 5.
///
/// Foundation's own resolution differs between platforms and quietly repairs what is refused here.
struct URLReference: Equatable {
    var scheme: String?
    var authority: String?
    var path: String
    var query: String?
    var fragment: String?

    /// Takes `text` apart; refuses control characters, encodes what else a URL cannot hold.
    init(_ text: String) throws(TransportError) {
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw .invalidRequest("The URL holds a control character.")
        }
        // By bytes, as an accent behind a sign doesn't make it another one, and as it is done often.
        var rest = text[...]
        fragment = Self.cut(&rest, after: UInt8(ascii: "#"))
        query = Self.cut(&rest, after: UInt8(ascii: "?"))
        if let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":")),
            Self.isScheme(rest[..<colon])
        {
            scheme = rest[..<colon].lowercased()
            rest = rest[rest.utf8.index(after: colon)...]
        }
        if rest.utf8.starts(with: "//".utf8) {
            rest = rest[rest.utf8.index(rest.startIndex, offsetBy: 2)...]
            let end = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            authority = String(rest[..<end])
            rest = rest[end...]
        }
        path = PercentEncoding.completing(rest)
    }

    /// Takes a base URL apart, which mostly is the one that was taken apart last.
    init(base url: URL) throws(TransportError) {
        let text = url.absoluteString
        if let last = Self.lastBase.withLock({ $0 }), last.text == text {
            self = last.reference
            return
        }
        let reference = try URLReference(text)
        Self.lastBase.withLock { $0 = (text, reference) }
        self = reference
    }

    private static let lastBase = Guarded<(text: String, reference: URLReference)?>(nil)

    /// The path and the query as a request line holds them.
    var pathAndQuery: String {
        (path.isEmpty ? "/" : path) + (query.map { "?" + $0 } ?? "")
    }

    /// The reference put together again, without its fragment (section 5.3).
    var text: String {
        (scheme.map { $0 + ":" } ?? "") + (authority.map { "//" + $0 } ?? "") + path
            + (query.map { "?" + $0 } ?? "")
    }

    /// The scheme and the authority, which together say who is asked, without the port that the scheme
    /// implies.
    var origin: String {
        var authority = (authority ?? "").lowercased()
        let implied = scheme == "https" ? ":443" : scheme == "http" ? ":80" : ":"
        for port in [implied, ":"] where authority.hasSuffix(port) {
            authority.removeLast(port.count)
            break
        }
        return "\(scheme ?? "")://\(authority)"
    }

    /// The URL that this reference means where `base` is the current one.
    func resolved(against base: URLReference) -> URLReference {
        var target = self
        if scheme != nil {
            target.path = Self.removingDotSegments(path)
            return target
        }
        target.scheme = base.scheme
        if authority != nil {
            target.path = Self.removingDotSegments(path)
            return target
        }
        target.authority = base.authority
        if path.isEmpty {
            target.path = base.path
            target.query = query ?? base.query
        } else {
            let merged = path.hasPrefix("/") ? path : base.directory + path
            target.path = Self.removingDotSegments(merged)
        }
        return target
    }

    /// The URL that a relative path means where this one is the current one, and nothing of the path is to be
    /// encoded or resolved.
    func appending(plain path: String) -> URLReference {
        var target = self
        target.path = Self.removingDotSegments(directory + path)
        target.query = nil
        target.fragment = nil
        return target
    }

    /// Adds items behind the query that is there.
    mutating func appendQuery(_ items: [URLQueryItem]) {
        guard !items.isEmpty else { return }
        let text = PercentEncoding.query(items)
        query = query.map { $0.isEmpty ? text : $0 + "&" + text } ?? text
    }

    /// The path up to and with its last slash.
    private var directory: String {
        if path.isEmpty, authority != nil { return "/" }
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return String(path[...slash])
    }

    private static func cut(_ rest: inout Substring, after mark: UInt8) -> String? {
        guard let index = rest.utf8.firstIndex(of: mark) else { return nil }
        defer { rest = rest[..<index] }
        return PercentEncoding.completing(rest[rest.utf8.index(after: index)...])
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, isLetter(first) else { return false }
        return text.utf8.allSatisfy {
            isLetter($0) || "0123456789+-.".utf8.contains($0)
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        let lower = byte | 0x20
        return lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z")
    }

    /// Section 5.2.4, over whole segments.
    private static func removingDotSegments(_ path: String) -> String {
        guard path.utf8.contains(UInt8(ascii: ".")) else { return path }
        let isAbsolute = path.hasPrefix("/")
        var result: [Substring] = []
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
            .dropFirst(isAbsolute ? 1 : 0)
        for (offset, segment) in segments.enumerated() {
            let isLast = offset == segments.count - 1
            switch segment {
            case ".":
                if isLast { result.append("") }
            case "..":
                _ = result.popLast()
                if isLast { result.append("") }
            default:
                result.append(segment)
            }
        }
        return (isAbsolute ? "/" : "") + result.joined(separator: "/")
    }
}
