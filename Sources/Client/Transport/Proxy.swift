import Foundation

/// A server that requests are sent through instead of to their host.
///
/// ```swift
/// let proxy = try Proxy("http://proxy.example.com:3128", username: "ann", password: password)
/// ```
///
/// To https hosts it makes a tunnel (RFC 9110, section 9.3.6), so that it sees neither requests nor responses; those
/// for http hosts it reads, header fields and all.
public struct Proxy: Sendable, Hashable {
    /// The scheme, host and port, such as `socks5h://127.0.0.1:1080`.
    public let url: String

    /// The name that it is told, or nil to tell it none.
    public let username: String?

    /// The password that goes with the name.
    public let password: String?

    /// The host's name, without brackets.
    let host: String
    /// The port, also where the URL left it out.
    let port: Int

    /// The schemes by which a proxy is spoken to; with `socks4a` and `socks5h` it looks up the names of hosts.
    private static let schemes: Set = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

    /// Creates a proxy.
    ///
    /// - Parameters:
    ///   - url: The URL, of which only scheme, user information, host and port may be there; `http` where it names
    ///     no scheme.
    ///   - username: The name that it is told, instead of the URL's.
    ///   - password: The password that goes with the name.
    /// - Throws: ``TransportError`` of the reason ``TransportError/Reason/proxyFailed`` for text that names no proxy.
    public init(
        _ url: String, username: String? = nil, password: String? = nil
    ) throws(TransportError) {
        let whole = url.contains("://") ? url : "http://" + url
        let isPlain = whole.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        guard isPlain, let parts = URLComponents(string: whole), let host = parts.encodedHost,
            Self.isHost(host), ["", "/"].contains(parts.percentEncodedPath), parts.query == nil,
            parts.fragment == nil
        else { throw Self.error("The text is no URL of a proxy.") }
        let scheme = (parts.scheme ?? "").lowercased()
        guard Self.schemes.contains(scheme) else {
            throw Self.error(
                "A proxy's scheme is one of \(Self.schemes.sorted().joined(separator: ", ")).")
        }
        let (user, secret) = (parts.percentEncodedUser, parts.percentEncodedPassword)
        guard [user, secret].allSatisfy({ $0 == nil || $0?.removingPercentEncoding != nil }) else {
            throw Self.error("A proxy's name or password is not encoded as UTF-8.")
        }
        self.username = username ?? user?.removingPercentEncoding
        self.password =
            username == nil ? password ?? secret?.removingPercentEncoding : password
        for part in [self.username, self.password] where part?.utf8.contains(0) == true {
            throw Self.error("A proxy's name or password holds a character that cannot be sent.")
        }
        self.host = HostName(host).text
        let implied = scheme.hasPrefix("socks") ? 1080 : scheme == "https" ? 443 : 80
        guard let port = UInt16(exactly: parts.port ?? implied) else {
            throw Self.error("The text is no URL of a proxy.")
        }
        self.port = Int(port)
        let isAddress = self.host.contains(":")
        self.url = "\(scheme)://\(isAddress ? "[\(self.host)]" : self.host):\(port)"
    }

    /// Whether it reads what is sent to http hosts, and may answer in their stead.
    var isHTTP: Bool { !url.hasPrefix("socks") }

    /// Whether it looks up the names of hosts, rather than whoever uses it.
    var looksUpNames: Bool { !url.hasPrefix("socks4:") && !url.hasPrefix("socks5:") }

    /// Whether text is a name or an address, neither of which has anything encoded.
    private static func isHost(_ text: String) -> Bool {
        let host = HostName(text)
        let isName = host.text.utf8.allSatisfy {
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
                || "-._".utf8.contains($0)
        }
        return host.address != nil || isName && !host.text.isEmpty
    }

    static func error(_ message: String) -> TransportError {
        TransportError(.proxyFailed, message)
    }
}

extension Proxy: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The URL, without name and password.
    public var description: String { url }

    /// The description.
    public var debugDescription: String { description }

    /// The URL, without name and password.
    public var customMirror: Mirror { Mirror(self, children: ["url": url], displayStyle: .struct) }
}
