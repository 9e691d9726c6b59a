#if !canImport(Darwin)
import CLarderCurl
import Foundation

/// What is set for the connection of one request, beyond what is set for all.
struct CurlRoute: Hashable {
    var proxy: Proxy?
    var tls: TLSSettings?
    var proxyTLS: TLSSettings?
    var unixSocket: String?
    /// Names, their ports and their addresses in libcurl's notation.
    var addresses: [String] = []
    var versions: HTTPVersions?

    /// Whether a handle has to be told, which keeps it.
    var isKeptOnHandle: Bool {
        proxy != nil || tls != nil || proxyTLS != nil || unixSocket != nil || !addresses.isEmpty
    }
}

/// What is set for the connections of some requests, one object for all of them.
final class CurlHostRoute {
    let route: CurlRoute

    init(_ route: CurlRoute) { self.route = route }
}

extension CurlRoute {
    /// Sets it on a handle of libcurl's; nothing may be sent where that fails.
    ///
    /// libcurl tells kept connections apart by all of it. Nothing takes it back: the handle is renewed before it is
    /// used for anything else.
    ///
    /// - Returns: What has to be there for as long as the handle.
    func set(on easy: UnsafeMutableRawPointer) throws(TransportError) -> CurlList? {
        try CurlOptions(easy: easy).set(self)
    }
}

/// The options of a handle of libcurl's, as far as they may fail.
private struct CurlOptions {
    let easy: UnsafeMutableRawPointer

    func set(_ route: CurlRoute) throws(TransportError) -> CurlList? {
        if let path = route.unixSocket {
            try set(CURLOPT_UNIX_SOCKET_PATH, path)
            // None is told from another, so that nobody could hear of what comes unasked.
            try set(CURLOPT_FORBID_REUSE, 1)
        }
        if let proxy = route.proxy {
            try set(proxy)
            // What comes unasked may wait in the proxy's TLS, which nobody can ask.
            if CurlConnections.isNeeded, proxy.url.hasPrefix("https:") {
                try set(CURLOPT_FORBID_REUSE, 1)
            }
        }
        if let tls = route.tls { try set(tls, .host) }
        if let tls = route.proxyTLS { try set(tls, .proxy) }
        guard !route.addresses.isEmpty else { return nil }
        let addresses = CurlList(route.addresses)
        try check(larder_curl_set_list(easy, CURLOPT_RESOLVE, addresses.first))
        return addresses
    }

    private func set(_ proxy: Proxy) throws(TransportError) {
        try set(CURLOPT_PROXY, proxy.url)
        // Neither what the client says to the host nor what the proxy answers is the other's.
        try set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        try set(CURLOPT_PROXY_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        if let name = proxy.username {
            try set(CURLOPT_PROXYUSERNAME, name)
            try set(CURLOPT_PROXYPASSWORD, proxy.password ?? "")
        }
    }

    /// The options of libcurl's for a host, or for a proxy.
    private struct TLSOptions {
        let authorityFile, authorityFolder, authorities, pins: CURLoption
        let certificate, key, form, password: CURLoption

        // By number, as those of contents in memory came with 7.71 and 7.77.
        static let host = TLSOptions(
            authorityFile: CURLOPT_CAINFO, authorityFolder: CURLOPT_CAPATH,
            authorities: CURLoption(rawValue: 40309), pins: CURLOPT_PINNEDPUBLICKEY,
            certificate: CURLoption(rawValue: 40291), key: CURLoption(rawValue: 40292),
            form: CURLOPT_SSLCERTTYPE, password: CURLOPT_KEYPASSWD)
        static let proxy = TLSOptions(
            authorityFile: CURLOPT_PROXY_CAINFO, authorityFolder: CURLOPT_PROXY_CAPATH,
            authorities: CURLoption(rawValue: 40310), pins: CURLOPT_PROXY_PINNEDPUBLICKEY,
            certificate: CURLoption(rawValue: 40293), key: CURLoption(rawValue: 40294),
            form: CURLOPT_PROXY_SSLCERTTYPE, password: CURLOPT_PROXY_KEYPASSWD)
    }

    private func set(_ tls: TLSSettings, _ options: TLSOptions) throws(TransportError) {
        switch tls.authorities {
        case .system: break
        case .only(let certificates):
            try set(options.authorityFile, nil)
            try set(options.authorityFolder, nil)
            try set(options.authorities, certificates)
        case .systemAnd(let certificates):
            // Contents in memory replace the file, but not the folder.
            let others = Self.hasAuthorityFolder ? Data() : try Self.systemAuthorities()
            try set(options.authorities, certificates + Data("\n".utf8) + others)
        }
        if !tls.pins.isEmpty {
            try set(
                options.pins, tls.pins.map { "sha256//\($0)" }.joined(separator: ";"))
        }
        guard let certificate = tls.clientCertificate else { return }
        switch certificate.contents {
        case .pem(let certificates, let key):
            try set(options.certificate, certificates)
            try set(options.key, key)
        case .pkcs12(let contents):
            try set(options.form, "P12")
            try set(options.certificate, contents)
        }
        // Without one libcurl reads at no address at all where a key turns out to be encrypted.
        try set(options.password, certificate.password ?? "")
    }

    private static let hasAuthorityFolder = larder_curl_authority_folder() != nil

    /// The certificates of the bundle that libcurl was built with.
    private static func systemAuthorities() throws(TransportError) -> Data {
        guard let path = larder_curl_authority_file() else { return Data() }
        do {
            return try Data(contentsOf: URL(filePath: String(cString: path)))
        } catch {
            throw TransportError(
                .secureConnectionFailed, "The system's authorities could not be read.")
        }
    }

    private func set(_ option: CURLoption, _ text: String?) throws(TransportError) {
        guard text?.utf8.contains(0) != true else {
            throw .invalidRequest("A setting of the host holds a character that text cannot hold.")
        }
        try check(larder_curl_set_string(easy, option, text))
    }

    private func set(_ option: CURLoption, _ number: Int) throws(TransportError) {
        try check(larder_curl_set_long(easy, option, number))
    }

    private func set(_ option: CURLoption, _ contents: Data) throws(TransportError) {
        let code = contents.withUnsafeBytes {
            larder_curl_set_contents(easy, option, $0.baseAddress, $0.count)
        }
        try check(code)
    }

    private func check(_ code: CURLcode) throws(TransportError) {
        guard code != CURLE_OK else { return }
        throw TransportError(
            .other, "This libcurl cannot do what is set for the host.", code: Int(code.rawValue))
    }
}

/// Lines as libcurl takes them, which have to be there for as long as it may read them.
final class CurlList {
    let first: UnsafeMutablePointer<curl_slist>?

    init(_ lines: [String]) {
        // On a failed allocation the list stays as it was.
        first = lines.reduce(nil) { curl_slist_append($0, $1) ?? $0 }
    }

    deinit { curl_slist_free_all(first) }
}
#endif
