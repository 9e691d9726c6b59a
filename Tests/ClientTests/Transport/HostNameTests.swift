import Testing

@testable import LarderClient

@Suite struct HostNameTests {
    @Test(arguments: [
        ("Example.COM", "example.com"), ("localhost.", "localhost"), ("[::1]", "::1"),
        ("127.0.0.1", "127.0.0.1"), ("0:0:0:0:0:0:0:1", "[::1]"), ("[2001:DB8::0]", "2001:db8::"),
        ("[::ffff:127.0.0.1]", "127.0.0.1"), ("::FFFF:7f00:1", "127.0.0.1"),
    ])
    func `spellings of a host are equal`(_ one: String, _ other: String) {
        #expect(HostName(one) == HostName(other))
        #expect(HostName(one).hashValue == HostName(other).hashValue)
    }

    @Test(arguments: [
        ("example.com", "example.org"), ("1.2.3.4", "1.2.3.5"), ("::1", "127.0.0.1"),
        ("example.com", ""), ("1.2.3", "1.2.3.4"), ("::127.0.0.1", "127.0.0.1"),
    ])
    func `other hosts are not`(_ one: String, _ other: String) {
        #expect(HostName(one) != HostName(other))
    }

    @Test(arguments: [
        ("api.example.com", "example.com", true), ("a.b.example.com", "example.com", true),
        ("example.com", "example.com", false), ("badexample.com", "example.com", false),
        ("api.example.com", "", false), ("10.0.0.1", "0.0.1", false),
        // The zone of an address is no domain (CVE-2025-22870).
        ("::1%25.example.com", "example.com", false), ("::1", "1", false),
    ])
    func `names end in others at a dot`(_ name: String, _ other: String, _ isBelow: Bool) {
        #expect(HostName(name).isBelow(HostName(other)) == isBelow)
    }
}
