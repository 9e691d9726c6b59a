import Foundation
import Testing

@testable import LarderClient

@Suite struct PublicSuffixesTests {
    private static let list = PublicSuffixes(
        "com\nuk\nco.uk\njp\n*.kawasaki.jp\n!city.kawasaki.jp\nio\ngithub.io\n*.ck\n!www.ck\nрф\n公司.cn"
    )

    @Test(arguments: [
        "com", "co.uk", "uk", "CO.UK", "co.uk.", "anything.kawasaki.jp", "kawasaki.jp",
        "github.io", "xn--p1ai", "xn--55qx5d.cn", "localhost", "", "nosuchsuffix", "a.ck", "ck",
    ])
    func `a list knows what is nobody's`(_ name: String) {
        #expect(Self.list.contains(name))
    }

    @Test(arguments: [
        "example.com", "example.co.uk", "city.kawasaki.jp", "x.city.kawasaki.jp", "ann.github.io",
        "www.ck", "a.b.ck", "example.nosuchsuffix", "127.0.0.1", "a.anything.kawasaki.jp",
        "example.xn--p1ai",
    ])
    func `a list knows what is somebody's`(_ name: String) {
        #expect(!Self.list.contains(name))
    }

    @Test func `without a list, two labels of a country's are nobody's`() {
        for name in ["com", "uk", "co.uk", "example.de", "CO.UK.", ""] {
            #expect(PublicSuffixes.cautious.contains(name), "\(name)")
        }
        for name in ["example.com", "a.co.uk", "a.b.c.de", "127.0.0.1", "a.x1"] {
            #expect(!PublicSuffixes.cautious.contains(name), "\(name)")
        }
    }

    @Test func `that of the system is one or the other`() {
        #expect(PublicSuffixes.system.contains("co.uk"))
        #expect(!PublicSuffixes.system.contains("example.com"))
    }

    @Test func `a list of one's own is read as it is published`() {
        let suffixes = PublicSuffixes(
            """
            // A comment
            // ===BEGIN ICANN DOMAINS===
            com

            *.Example  // behind a rule
            !www.example\r
            公司.cn
            """)
        #expect(suffixes.contains("a.example") && suffixes.contains("example"))
        #expect(!suffixes.contains("www.example"))
        #expect(!suffixes.contains("b.a.example"))
        #expect(suffixes.contains("xn--55qx5d.cn"))
        #expect(!suffixes.contains("a.com"))
        #expect(!suffixes.contains("co.uk"))
    }

    /// The first and the last rule of each list that halving could miss.
    @Test(arguments: 0..<6)
    func `each rule is found`(_ count: Int) {
        let rules = ["a.x", "ab.x", "abc.x", "b.x", "z.z.x"].prefix(count)
        let suffixes = PublicSuffixes(rules.joined(separator: "\n"))
        for rule in ["a.x", "ab.x", "abc.x", "b.x", "z.z.x"] {
            #expect(suffixes.contains(rule) == rules.contains(rule))
        }
    }

    /// Of RFC 3492's samples and of names in use.
    @Test(arguments: [
        ("münchen", "xn--mnchen-3ya"), ("公司", "xn--55qx5d"), ("рф", "xn--p1ai"), ("abc", "abc"),
        ("bücher", "xn--bcher-kva"), ("他们为什么不说中文", "xn--ihqwcrb4cv8a8dqg056pqjye"),
        ("ليهمابتكلموشعربي؟", "xn--egbpdaj6bu4bxfgehfvwxn"), ("ñandú", "xn--and-6ma2c"),
    ])
    func `labels outside ASCII become A-labels`(_ label: String, _ aLabel: String) {
        #expect(Punycode.aLabel(label[...]) == aLabel)
    }
}
