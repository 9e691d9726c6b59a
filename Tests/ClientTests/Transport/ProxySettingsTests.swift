import Testing

@testable import LarderClient

@Suite struct ProxySettingsTests {
    private func isDirect(_ host: String, port: Int = 443, except exceptions: String...) throws
        -> Bool
    {
        let settings = ProxySettings.all(try Proxy("proxy.test"), except: exceptions)
        return settings.proxy(forScheme: "https", host: HostName(host), port: port) == nil
    }

    @Test(arguments: [
        ("example.com", "example.com"), ("api.example.com", "example.com"),
        ("api.example.com", ".example.com"), ("example.com", "*.example.com"),
        ("EXAMPLE.com.", "example.COM"), ("localhost.", "localhost"), ("::1", "[::1]"),
        ("10.1.2.3", "10.0.0.0/8"), ("10.1.2.3", "10.1.2.3"), ("fd00::1", "fd00::/8"),
        ("anything", "*"), ("1.2.3.4", "0.0.0.0/0"), ("example.com", "example.com:443"),
        ("::1", "[::1]:443"), ("example.com", " example.com "),
        ("::ffff:127.0.0.1", "127.0.0.0/8"), ("[::ffff:7f00:1]", "127.0.0.1"),
        ("10.1.2.3", "::ffff:10.0.0.0/104"), ("1.2.3.4", "::ffff:0:0/96"),
    ])
    func `an exception covers`(_ host: String, _ exception: String) throws {
        #expect(try isDirect(host, except: exception))
        #expect(try isDirect(host, except: "other.test", exception))
    }

    @Test(arguments: [
        ("badexample.com", "example.com"), ("example.org", "example.com"),
        ("11.1.2.3", "10.0.0.0/8"),
        ("10.1.2.3", "10.1.2.4"), ("example.com", "example.com:80"),
        ("::1%25.example.com", "example.com"),
        ("::1", "0.0.0.0/0"), ("example.com", ""), ("example.com", "."),
        ("10.0.0.1", "10.0.0.0/33"),
        ("10.0.0.1", "0.0.1"), ("::ffff:11.1.2.3", "10.0.0.0/8"), ("::10.1.2.3", "10.0.0.0/8"),
        ("11.1.2.3", "::ffff:10.0.0.0/104"), ("1.2.3.4", "::ffff:1.2.3.4/95"),
        ("1.2.3.4", "::ffff:1.2.3.4/\(Int.min)"),
    ])
    func `it does not cover`(_ host: String, _ exception: String) throws {
        #expect(try !isDirect(host, except: exception))
    }

    @Test func `the scheme chooses`() throws {
        let settings = ProxySettings(http: try Proxy("one.test"))
        let host = HostName("example.com")
        #expect(settings.proxy(forScheme: "http", host: host, port: 80)?.host == "one.test")
        #expect(settings.proxy(forScheme: "https", host: host, port: 443) == nil)
    }

    @Test func `an environment is read as curl reads it`() throws {
        let settings = try ProxySettings.environment([
            "http_proxy": "one.test:1", "HTTPS_PROXY": "http://two.test:2",
            "ALL_PROXY": "three.test",
            "no_proxy": "localhost, .example.com",
        ])
        #expect(settings.http?.url == "http://one.test:1")
        #expect(settings.https?.url == "http://two.test:2")
        #expect(settings.exceptions == ["localhost", ".example.com"])
        let other = try ProxySettings.environment([
            "all_proxy": "socks5://three.test", "https_proxy": "",
        ])
        #expect(other.http?.url == "socks5://three.test:1080" && other.https == other.http)
    }

    @Test func `what is set to nothing is not set`() throws {
        let settings = try ProxySettings.environment([
            "https_proxy": "", "HTTPS_PROXY": "x.test", "no_proxy": "", "NO_PROXY": "y.test",
        ])
        #expect(settings.https?.host == "x.test" && settings.exceptions == ["y.test"])
    }

    @Test func `a proxy in capitals may be whoever's who sends a request`() throws {
        #expect(try ProxySettings.environment(["HTTP_PROXY": "evil.test"]) == .none)
    }

    @Test func `what is set and names no proxy is an error, and no way past it`() {
        #expect(throws: TransportError.self) {
            try ProxySettings.environment(["https_proxy": "ftp://proxy.test"])
        }
    }
}
