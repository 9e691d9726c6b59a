import Testing

@testable import LarderClient

@Suite struct ProxyTests {
    @Test(arguments: [
        ("http://proxy.test:3128", "http://proxy.test:3128"),
        ("proxy.test", "http://proxy.test:80"),
        ("HTTPS://Proxy.test/", "https://proxy.test:443"),
        ("socks5h://[::1]", "socks5h://[::1]:1080"),
        ("localhost.:8080", "http://localhost:8080"),
        ("http://xn--bcher-kva.test:1", "http://xn--bcher-kva.test:1"),
    ])
    func `text names a scheme, a host and a port`(_ text: String, _ url: String) throws {
        #expect(try Proxy(text).url == url)
    }

    @Test func `name and password come from the URL or stand beside it`() throws {
        let proxy = try Proxy("http://ann:se%3Acret@proxy.test:1")
        #expect(proxy.username == "ann" && proxy.password == "se:cret")
        #expect(proxy.url == "http://proxy.test:1")
        let other = try Proxy("http://ann:secret@proxy.test:1", username: "bob")
        #expect(other.username == "bob" && other.password == nil)
    }

    @Test(arguments: [
        "", "http://", "ftp://proxy.test", "http://proxy.test/path", "http://proxy.test?x",
        "http://proxy.test#x", "http://proxy test", "http://proxy.test:99999", "http://a:b:c:d",
        "http://proxy.test\r\nX: y", "http://se:cret%00@proxy.test",
        "http://evil%40proxy.test", "http://a%00b.test", "http://a%2Fb", "http://a%3A99",
        "http://a%20b",
        "http://ann:%FFcret@proxy.test",
    ])
    func `other text names none, and is not shown`(_ text: String) {
        let error = #expect(throws: TransportError.self) { try Proxy(text) }
        #expect(error?.reason == .proxyFailed)
        #expect(error?.description.contains("cret") == false)
    }

    @Test func `nothing shows its name and password`() throws {
        let proxy = try Proxy("http://ann:secret@proxy.test:1")
        var dumped = ""
        dump(ProxySettings.all(proxy), to: &dumped)
        for text in ["\(proxy)", String(reflecting: proxy), dumped] {
            #expect(!text.contains("ann") && !text.contains("secret"))
        }
    }
}
