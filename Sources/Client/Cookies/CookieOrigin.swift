/// What a cookie has to do with a URL: its host, its path, and whether it is asked over TLS.
struct CookieOrigin {
    /// The host in lower case, without the port.
    let host: String
    let path: String
    let isSecure: Bool

    /// Takes an absolute http or https URL apart; nil for what is none.
    init?(_ url: URLReference) {
        guard let authority = url.authority?.lowercased(), !authority.isEmpty,
            url.scheme == "https" || url.scheme == "http"
        else { return nil }
        // The colons of an IPv6 address stand in brackets.
        let end = authority.lastIndex(of: "]") ?? authority.startIndex
        host = String(authority[..<(authority[end...].firstIndex(of: ":") ?? authority.endIndex)])
        path = url.path.isEmpty ? "/" : url.path
        isSecure = url.scheme == "https"
    }

    /// The path of a cookie that names none (section 5.1.4).
    var defaultPath: String {
        guard path.hasPrefix("/"), let slash = path.lastIndex(of: "/"), slash > path.startIndex
        else { return "/" }
        return String(path[..<slash])
    }

    /// Whether the host is the domain, or a name below it (section 5.1.3).
    func isBelow(_ domain: String) -> Bool { Self.matches(host, domain) }

    static func matches(_ host: String, _ domain: String) -> Bool {
        host == domain || host.hasSuffix("." + domain) && !isAddress(host)
    }

    /// Whether a host is a number: of these there is nothing below.
    private static func isAddress(_ host: String) -> Bool {
        let last = host.split(separator: ".").last ?? ""
        return host.hasPrefix("[") || last.hasPrefix("0x")
            || last.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Whether a path is the cookie's, or below it (section 5.1.4).
    static func matches(path: String, cookie cookiePath: String) -> Bool {
        let (path, cookiePath) = (path.utf8, cookiePath.utf8)
        guard path.starts(with: cookiePath) else { return false }
        return path.count == cookiePath.count || cookiePath.last == UInt8(ascii: "/")
            || path.dropFirst(cookiePath.count).first == UInt8(ascii: "/")
    }
}
