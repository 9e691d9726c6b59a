import Foundation
import Testing

@testable import LarderClient

@Suite struct URLReferenceTests {
    /// RFC 3986, sections 5.4.1 and 5.4.2, without the fragments' part in the request.
    @Test(arguments: [
        ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"),
        ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"), ("//g", "http://g"),
        ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"),
        ("g;x", "http://a/b/c/g;x"), ("g;x?y", "http://a/b/c/g;x?y"), ("", "http://a/b/c/d;p?q"),
        (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
        ("../", "http://a/b/"),
        ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
        ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"),
        ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."),
        (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"),
        ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
        ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
        ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"),
        ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s", "http://a/b/c/g"),
        ("g?y#s", "http://a/b/c/g?y"),
    ])
    func `references are resolved as the RFC's examples are`(
        _ reference: String, _ expected: String
    ) throws {
        let base = try URLReference("http://a/b/c/d;p?q")
        var resolved = try URLReference(reference).resolved(against: base)
        resolved.fragment = nil
        #expect(Self.text(resolved) == expected)
    }

    @Test(arguments: [
        ("http://h/api", "users", "http://h/users"),
        ("http://h/api/", "users", "http://h/api/users"),
        ("http://h/api/", "/users", "http://h/users"),
        ("http://h", "users", "http://h/users"),
        ("http://h/", "", "http://h/"),
        ("http://h:8080/v1/", "users/1?full=yes", "http://h:8080/v1/users/1?full=yes"),
        ("http://h/v1/", "https://other/x", "https://other/x"),
        ("http://h/v1/", "//other/x", "http://other/x"),
        ("http://h/v1/", "things/1:archive", "http://h/v1/things/1:archive"),
        ("http://[::1]:80/a/", "b", "http://[::1]:80/a/b"),
    ])
    func `paths are resolved against the base URL`(
        _ base: String, _ path: String, _ expected: String
    ) throws {
        let resolved = try URLReference(path).resolved(against: URLReference(base))
        #expect(Self.text(resolved) == expected)
    }

    @Test(arguments: [
        ("São Paulo", "S%C3%A3o%20Paulo"), ("a%20b", "a%20b"), ("100%", "100%25"), ("%zz", "%25zz"),
        ("a+b", "a+b"), ("a\"<>\\^`{|}b", "a%22%3C%3E%5C%5E%60%7B%7C%7Db"),
        ("日本", "%E6%97%A5%E6%9C%AC"),
        ("a?q=ü&r=a b", "a?q=%C3%BC&r=a%20b"), ("a/b;c=d,e", "a/b;c=d,e"),
    ])
    func `what a URL cannot hold is percent-encoded`(_ path: String, _ expected: String) throws {
        let resolved = try URLReference(path).resolved(against: URLReference("http://h/"))
        #expect(resolved.pathAndQuery == "/" + expected)
    }

    @Test(arguments: ["a\r\nX: y", "a\nb", "a\0b", "\u{7F}", "a?b\r", "a#\u{1}", "http://h\r/"])
    func `control characters are refused`(_ text: String) {
        #expect(throws: TransportError.self) { try URLReference(text) }
    }

    @Test func `items are added behind a query that is there`() throws {
        var url = try URLReference("a?b=c")
        url.appendQuery([URLQueryItem(name: "d", value: "e")])
        #expect(url.query == "b=c&d=e")
        url.appendQuery([])
        #expect(url.query == "b=c&d=e")
        var empty = try URLReference("a?")
        empty.appendQuery([URLQueryItem(name: "d", value: nil)])
        #expect(empty.query == "d")
    }

    @Test func `an origin is compared without regard to case`() throws {
        #expect(try URLReference("HTTP://Host/a").origin == URLReference("http://hOST/b").origin)
        #expect(try URLReference("http://h/").origin != URLReference("https://h/").origin)
        #expect(try URLReference("http://h/").origin != URLReference("http://h:81/").origin)
    }

    /// RFC 9110, section 4.2.3.
    @Test(arguments: [
        ("https://h/", "https://h:443/", true), ("http://h/", "http://h:80/", true),
        ("https://h/", "https://h:/", true), ("http://h:/", "http://h:80/", true),
        ("https://[::1]/", "https://[::1]:443/", true), ("HTTPS://H:443/", "https://h/", true),
        ("https://h/", "https://h:80/", false), ("http://h/", "http://h:443/", false),
        ("https://h/", "https://h:4430/", false), ("https://h/", "https://h:1443/", false),
        ("https://h/", "http://h:443/", false), ("http://h/", "https://h/", false),
        ("https://h/", "https://h./", false), ("http://[::80]/", "http://[::]/", false),
    ])
    func `an origin is the same with the port that its scheme implies and without`(
        _ one: String, _ other: String, _ isSame: Bool
    ) throws {
        #expect((try URLReference(one).origin == URLReference(other).origin) == isSame)
    }

    private static func text(_ url: URLReference) -> String {
        (url.scheme.map { $0 + ":" } ?? "") + (url.authority.map { "//" + $0 } ?? "") + url.path
            + (url.query.map { "?" + $0 } ?? "")
    }
}
