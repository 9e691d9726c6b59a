#if !canImport(Darwin)
import CLarderCurl
import HTTPTypes

/// The settings of hosts, found by the names that libcurl reads in URLs.
///
/// Its reading counts, as a host has many spellings (`%61pi.example.com`, `0x7f.1`), none of which may lead past a
/// pin. Belongs to the transport's thread.
final class CurlRoutes {
    /// A host as requests name it.
    private struct Target: Hashable {
        let scheme: String?
        let authority: String
    }

    private let proxies: ProxySettings
    private let tls: HostSettings<TLSSettings>
    private var addresses: [HostName: [String]] = [:]
    private var unixSockets: [HostName: String] = [:]
    private var versions: [HostName: HTTPVersions] = [:]
    /// What has been found for hosts, as libcurl takes a URL apart for each of them; the same where it is alike.
    private var found: [Target: CurlHostRoute?] = [:]
    private var known: [CurlRoute: CurlHostRoute] = [:]
    /// The most hosts that are remembered.
    private static let foundLimit = 1_000

    /// Reads settings; nil where none of a host's are there.
    ///
    /// - Throws: A ``TransportError`` where a key is no name of a host.
    init?(_ configuration: CurlTransport.Configuration) throws(TransportError) {
        proxies = configuration.proxies
        try Self.check(localAddress: configuration.localAddress)
        tls = try HostSettings(configuration.tls, readingNamesBy: Self.name)
        for (text, list) in configuration.addresses {
            let (name, addresses) = (try Self.name(text), list.map { HostName($0) })
            guard name.address == nil, !list.isEmpty,
                zip(list, addresses).allSatisfy({ $1.address != nil && !$0.hasSuffix(".") })
            else {
                throw .invalidRequest("The addresses that are set for a host are no IP addresses.")
            }
            try Self.add(addresses.map(\.text), for: name, to: &self.addresses)
        }
        for (text, path) in configuration.unixSockets {
            guard (1..<108).contains(path.utf8.count) else {
                throw .invalidRequest("The path of a unix socket has 1 to 107 bytes.")
            }
            try Self.add(path, for: try Self.name(text), to: &unixSockets)
        }
        for (text, versions) in configuration.httpVersionsOfHosts {
            try Self.add(versions, for: try Self.name(text), to: &self.versions)
        }
        let hasNone =
            tls.isEmpty && addresses.isEmpty && unixSockets.isEmpty
            && versions.isEmpty
            && proxies.http == nil && proxies.https == nil
        if hasNone { return nil }
    }

    private static func add<Value>(
        _ value: Value, for name: HostName, to values: inout [HostName: Value]
    ) throws(TransportError) {
        guard values.updateValue(value, forKey: name) == nil else { throw HostName.unusable }
    }

    /// Takes only what libcurl reads as it stands, as anything else never is a request's host.
    private static func name(_ text: String) throws(TransportError) -> HostName {
        let name = try HostName(plain: text)
        let host = name.text.contains(":") ? "[\(name.text)]" : name.text
        guard let (read, _) = target(of: "http://\(host)/"), HostName(read) == name else {
            throw HostName.unusable
        }
        return name
    }

    private static func check(localAddress: String?) throws(TransportError) {
        // libcurl binds to nothing where it is longer than it takes, and Linux where it is empty.
        guard let localAddress else { return }
        let isPlain = localAddress.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        guard isPlain, (1..<200).contains(localAddress.utf8.count) else {
            throw .invalidRequest("The local address is no address and no interface's name.")
        }
    }

    /// The settings for a request's connection, the same object where they are alike; nil where it needs none.
    func hostRoute(of request: TransportRequest) throws(TransportError) -> CurlHostRoute? {
        let head = request.head
        // What else follows may be read as a part of the authority.
        guard let authority = head.authority, head.path?.utf8.first == UInt8(ascii: "/") else {
            return hostRoute(by: try route(of: request))
        }
        let target = Target(scheme: head.scheme, authority: authority)
        if let known = found[target] { return known }
        if found.count >= Self.foundLimit {
            found.removeAll()
            known.removeAll()
        }
        let route = hostRoute(by: try route(of: request))
        found[target] = .some(route)
        return route
    }

    private func hostRoute(by route: CurlRoute?) -> CurlHostRoute? {
        guard let route else { return nil }
        if let known = known[route] { return known }
        let hostRoute = CurlHostRoute(route)
        known[route] = hostRoute
        return hostRoute
    }

    /// The settings for a request's connection, or nil where it needs none.
    func route(of request: TransportRequest) throws(TransportError) -> CurlRoute? {
        guard let (text, port) = Self.target(of: request.urlText) else {
            throw .invalidRequest("libcurl cannot read the URL.")
        }
        let host = HostName(text)
        var route = CurlRoute()
        let scheme = request.head.scheme ?? ""
        route.unixSocket = unixSockets[host]
        route.versions = versions[host]
        if scheme == "https" { route.tls = tls[host] }
        if route.unixSocket == nil {
            route.proxy = proxies.proxy(forScheme: scheme, host: host, port: port)
        }
        if let proxy = route.proxy {
            let name = HostName(proxy.host)
            route.addresses = list(for: name, proxy.host, port: proxy.port)
            if proxy.url.hasPrefix("https:") { route.proxyTLS = tls[name] }
        }
        if route.unixSocket == nil, route.proxy?.looksUpNames != true {
            route.addresses += list(for: host, text, port: port)
        }
        return route.isKeptOnHandle || route.versions != nil ? route : nil
    }

    /// A host's addresses in libcurl's notation, by its name as libcurl reads it.
    private func list(for host: HostName, _ text: String, port: Int) -> [String] {
        guard let list = addresses[host] else { return [] }
        let all = list.map { $0.contains(":") ? "[\($0)]" : $0 }
        return ["\(text):\(port):\(all.joined(separator: ","))"]
    }

    /// The host and the port that libcurl reads in a URL.
    private static func target(of url: String) -> (String, Int)? {
        var port: Int32 = 0
        guard let host = larder_curl_url_host(url, &port) else { return nil }
        defer { curl_free(host) }
        return (String(cString: host), Int(port))
    }
}
#endif
