#if !canImport(Darwin)
import Foundation
import HTTPTypes
import Testing

@testable import LarderClient

/// Which settings a request's connection has.
@Suite struct CurlRoutesTests {
    private let pinned = TLSSettings(authorities: .only(Data("a".utf8)))
    private let other = TLSSettings(authorities: .only(Data("b".utf8)))

    private func route(
        to authority: String, scheme: String = "https",
        _ configure: (inout CurlTransport.Configuration) -> Void
    ) throws -> CurlRoute? {
        var configuration = CurlTransport.Configuration()
        configure(&configuration)
        return try CurlRoutes(configuration)?.route(
            of: TransportRequest(
                head: HTTPRequest(method: .get, scheme: scheme, authority: authority, path: "/")))
    }

    @Test func `without settings there is none`() throws {
        #expect(try CurlRoutes(CurlTransport.Configuration()) == nil)
        let route = try route(to: "other.test") { $0.tls = ["example.com": pinned] }
        #expect(route == nil)
    }

    @Test func `all that name a host alike have the same, and nobody else has`() throws {
        var configuration = CurlTransport.Configuration()
        configuration.tls = ["example.com": pinned, "*.example.org": other]
        let routes = try #require(try CurlRoutes(configuration))
        func route(_ scheme: String, _ authority: String, _ path: String) throws -> CurlHostRoute? {
            try routes.hostRoute(
                of: TransportRequest(
                    head: HTTPRequest(
                        method: .get, scheme: scheme, authority: authority, path: path)))
        }
        for _ in 0..<2 {
            let first = try #require(try route("https", "example.com", "/a"))
            #expect(first.route.tls == pinned)
            #expect(try route("https", "example.com", "/b?c") === first)
            #expect(try route("https", "a.example.org", "/a")?.route.tls == other)
            #expect(try route("http", "example.com", "/a") == nil)
            #expect(try route("https", "example.net", "/a") == nil)
        }
    }

    /// None of the spellings that libcurl reads as the same host leads past its settings.
    @Test(arguments: [
        "example.com", "EXAMPLE.com", "example.com.", "example.com:443", "%65xample.com",
    ])
    func `a host is known by any spelling of it`(_ authority: String) throws {
        let route = try route(to: authority) { $0.tls = ["Example.com": pinned] }
        #expect(route?.tls == pinned)
    }

    @Test(arguments: ["127.0.0.1", "0x7f.0.0.1", "127.1", "2130706433"])
    func `an address is known by any spelling of it`(_ authority: String) throws {
        let route = try route(to: authority) { $0.tls = ["127.0.0.1": pinned] }
        #expect(route?.tls == pinned)
    }

    @Test func `what stands for many gives way to a host's own, and the shorter to the longer`()
        throws
    {
        for (host, expected) in [
            ("a.b.example.com", pinned), ("b.example.com", other), ("x.example.com", other),
            ("own.b.example.com", other), ("example.com", nil),
        ] as [(String, TLSSettings?)] {
            let route = try route(to: host) {
                $0.tls = [
                    "*.example.com": other, "*.b.example.com": pinned, "own.b.example.com": other,
                ]
            }
            #expect(route?.tls == expected, "\(host)")
        }
    }

    @Test(arguments: [
        "https://example.com", "example.com/", "*", "*.", "a*.example.com", "", "user@example.com",
        "example.com:443", "[example.com", ".example.com", "example..com", "example.com..", "127.1",
        "0x7f.0.0.1", "2130706433", "127.0.0.1\0x", "b\u{FC}cher.test", "*..example.com",
        "*.10.0.0.1",
    ])
    func `what is no host is an error rather than no setting`(_ text: String) {
        #expect(throws: TransportError.self) { try route(to: "x.test") { $0.tls = [text: pinned] } }
        #expect(throws: TransportError.self) {
            try route(to: "x.test") { $0.unixSockets = [text: "/s"] }
        }
        #expect(throws: TransportError.self) {
            try route(to: "x.test") { $0.addresses = [text: ["127.0.0.1"]] }
        }
    }

    @Test func `a host that is there twice has no settings by chance`() {
        for other in ["Example.com.", "EXAMPLE.COM"] {
            #expect(throws: TransportError.self) {
                try route(to: "x.test") { $0.tls = ["example.com": pinned, other: TLSSettings()] }
            }
            #expect(throws: TransportError.self) {
                try route(to: "x.test") {
                    $0.tls = ["*.example.com": pinned, "*." + other: TLSSettings()]
                }
            }
            #expect(throws: TransportError.self) {
                try route(to: "x.test") { $0.unixSockets = ["example.com": "/a", other: "/b"] }
            }
        }
    }

    @Test(arguments: ["", "lo\0x", "127.0.0.1\0x", String(repeating: "a", count: 300), "a b"])
    func `what connections can't go out from is an error`(_ text: String) {
        #expect(throws: TransportError.self) { try route(to: "x.test") { $0.localAddress = text } }
    }

    @Test func `a path that no socket can have is an error`() {
        for path in ["", String(repeating: "a", count: 108)] {
            #expect(throws: TransportError.self) {
                try route(to: "x.test") { $0.unixSockets = ["docker": path] }
            }
        }
    }

    @Test func `who looks names up has their addresses`() throws {
        for (scheme, isProxy) in [
            ("socks5", false), ("socks4", false), ("socks5h", true), ("http", true),
        ] {
            let proxy = try Proxy("\(scheme)://proxy.test:1")
            let route = try route(to: "example.com") {
                $0.proxies = .all(proxy)
                $0.addresses = ["example.com": ["127.0.0.1"], "proxy.test": ["127.0.0.2"]]
            }
            let own = isProxy ? [] : ["example.com:443:127.0.0.1"]
            #expect(route?.addresses == ["proxy.test:1:127.0.0.2"] + own, "\(scheme)")
        }
    }

    @Test func `addresses are set for a host and its port`() throws {
        let route = try route(to: "example.com:8443") {
            $0.addresses = ["example.com": ["127.0.0.1", "::1"]]
        }
        #expect(route?.addresses == ["example.com:8443:127.0.0.1,[::1]"])
        // As libcurl reads the name, which keeps the dot of the root.
        let rooted = try self.route(to: "example.com.") {
            $0.addresses = ["example.com": ["127.0.0.1"]]
        }
        #expect(rooted?.addresses == ["example.com.:443:127.0.0.1"])
        for list in [["elsewhere.test"], [], ["127.0.0.1."], ["127.0.0.1\0x"]] {
            #expect(throws: TransportError.self) {
                try self.route(to: "x.test") { $0.addresses = ["example.com": list] }
            }
        }
        #expect(throws: TransportError.self) {
            try self.route(to: "x.test") { $0.addresses = ["::1": ["127.0.0.1"]] }
        }
    }

    @Test func `no proxy is asked for a host behind a unix socket`() throws {
        let proxy = try Proxy("proxy.test")
        let route = try route(to: "docker", scheme: "http") {
            $0.proxies = .all(proxy)
            $0.unixSockets = ["docker": "/s"]
        }
        #expect(route?.proxy == nil && route?.unixSocket == "/s")
    }

    @Test func `a proxy over https has its own settings`() throws {
        let proxy = try Proxy("https://proxy.test")
        let route = try route(to: "example.com") {
            $0.proxies = .all(proxy)
            $0.tls = ["proxy.test": pinned, "example.com": other]
        }
        #expect(route?.proxyTLS == pinned && route?.tls == other && route?.proxy == proxy)
    }
}
#endif
