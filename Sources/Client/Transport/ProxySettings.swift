public import Foundation

/// The proxies that requests go through, by scheme, and the hosts that are spoken to without one.
public struct ProxySettings: Sendable, Hashable {
    /// The proxy for http URLs, or nil for none.
    public var http: Proxy?

    /// The proxy for https URLs, or nil for none.
    public var https: Proxy?

    /// The hosts that are spoken to without a proxy.
    ///
    /// Each is a name, which stands for all that ends in it as well (`example.com` for `api.example.com`), an
    /// address, a range of addresses (`10.0.0.0/8`), any of the first two with a port, or `*` for all hosts. A
    /// leading `.` or `*.` changes nothing.
    public var exceptions: [String] {
        didSet { rules = exceptions.map(ProxyException.init) }
    }

    private var rules: [ProxyException]

    /// No proxy for any host.
    public static let none = ProxySettings()

    /// Creates settings of a proxy for each scheme.
    public init(http: Proxy? = nil, https: Proxy? = nil, except exceptions: [String] = []) {
        self.http = http
        self.https = https
        self.exceptions = exceptions
        rules = exceptions.map(ProxyException.init)
    }

    /// One proxy for all.
    public static func all(_ proxy: Proxy, except exceptions: [String] = []) -> ProxySettings {
        ProxySettings(http: proxy, https: proxy, except: exceptions)
    }

    /// The settings that an environment has, as curl reads them.
    ///
    /// `http_proxy`, `https_proxy` and `all_proxy` name proxies, `no_proxy` the exceptions, apart by commas. All but
    /// the first may be in capitals: `HTTP_PROXY` can be set by whoever sends a request to a program that serves
    /// CGI, and is not read.
    ///
    /// - Throws: ``TransportError`` of the reason ``TransportError/Reason/proxyFailed`` where one is set and is none.
    public static func environment(
        _ variables: [String: String] = ProcessInfo.processInfo.environment
    ) throws(TransportError) -> ProxySettings {
        func value(_ names: String...) -> String? {
            names.lazy.compactMap { variables[$0] }.first { !$0.isEmpty }
        }
        func proxy(_ text: String?) throws(TransportError) -> Proxy? {
            guard let text else { return nil }
            return try Proxy(text)
        }
        let all = value("all_proxy", "ALL_PROXY")
        let exceptions = (value("no_proxy", "NO_PROXY") ?? "")
            .split { $0 == "," || $0.isWhitespace }
        return ProxySettings(
            http: try proxy(value("http_proxy") ?? all),
            https: try proxy(value("https_proxy", "HTTPS_PROXY") ?? all),
            except: exceptions.map(String.init))
    }

    /// The proxy for a host, or nil for none.
    func proxy(forScheme scheme: String, host: HostName, port: Int) -> Proxy? {
        guard let proxy = scheme == "https" ? https : http else { return nil }
        return rules.contains { $0.covers(host, port: port) } ? nil : proxy
    }
}

/// One of the hosts that are spoken to without a proxy.
private struct ProxyException: Hashable {
    private enum Pattern: Hashable {
        case all
        case name(HostName)
        case addresses(from: [UInt8], bits: Int)
    }

    private let pattern: Pattern
    private let port: Int?

    init(_ text: String) {
        var rest = text.trimmingPrefix { $0.isWhitespace }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        port = Self.cutPort(&rest)
        let range = rest.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        if rest == "*" {
            pattern = .all
        } else if range.count == 2, let count = Int(range[1]),
            let start = HostName(String(range[0])).address,
            // Of IPv4, though written as one of IPv6.
            case let bits = start.count == 4 && range[0].contains(":") ? count &- 96 : count,
            (0...start.count * 8).contains(bits)
        {
            pattern = .addresses(from: start, bits: bits)
        } else {
            let name = rest.hasPrefix("*.") ? rest.dropFirst(2) : rest.drop { $0 == "." }
            pattern = .name(HostName(String(name)))
        }
    }

    /// Takes a port off; one colon more, and it is an address.
    private static func cutPort(_ text: inout Substring) -> Int? {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[colon...].dropFirst()),
            text[..<colon].last == "]" || !text[..<colon].contains(":")
        else { return nil }
        text = text[..<colon]
        return port
    }

    func covers(_ host: HostName, port: Int) -> Bool {
        guard self.port == nil || self.port == port else { return false }
        switch pattern {
        case .all: return true
        case .name(let name): return host == name || host.isBelow(name)
        case .addresses(let start, let bits):
            guard let address = host.address, address.count == start.count else { return false }
            return (0..<bits).allSatisfy { bit in
                let mask = UInt8(0x80) >> UInt8(bit & 7)
                return address[bit >> 3] & mask == start[bit >> 3] & mask
            }
        }
    }
}
