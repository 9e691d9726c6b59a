import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

@Suite struct URLPathTests {
    private static func url(
        _ path: some EndpointPath, base: String = "https://h/api/"
    ) throws -> String {
        let target = try URLPath(any: path).target(against: URLReference(base))
        return target.origin + target.pathAndQuery
    }

    @Test(arguments: [
        ("ann", "ann"), ("a/b", "a%2Fb"), ("a?b=c", "a%3Fb%3Dc"), ("a#b", "a%23b"),
        ("100%", "100%25"), ("%2F", "%252F"), ("%2e%2e", "%252e%252e"), ("a b+c", "a%20b%2Bc"),
        ("ü/日本", "%C3%BC%2F%E6%97%A5%E6%9C%AC"), ("...", "..."), ("a..", "a.."), (".a", ".a"),
        ("../x", "..%2Fx"), ("//evil/", "%2F%2Fevil%2F"),
        ("https://evil/", "https%3A%2F%2Fevil%2F"),
        (#"\evil"#, "%5Cevil"), ("a;b=c,d", "a%3Bb%3Dc%2Cd"), ("a:b@c", "a%3Ab%40c"),
        ("a\r\nX: y", "a%0D%0AX%3A%20y"), ("\0", "%00"), ("~-._", "~-._"),
    ])
    func `a name stays one segment, whatever it holds`(
        _ name: String, _ expected: String
    ) throws {
        #expect(
            try Self.url("users/\(name)/repos" as URLPath)
                == "https://h/api/users/\(expected)/repos")
        #expect(try Self.url("users/\(name)" as URLPath) == "https://h/api/users/\(expected)")
        #expect(try Self.url("\(name)" as URLPath) == "https://h/api/\(expected)")
        #expect(
            try Self.url("/\(name)?q=\(name)" as URLPath) == "https://h/\(expected)?q=\(expected)")
    }

    /// The law: the way that most paths take leads to where the others' leads.
    @Test(arguments: 0..<20)
    func `plain paths are what all paths are`(_ seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        let letters = Array("abYZ09-_//..:?#%~é ")
        func text(_ random: inout SplitMix) -> String {
            let all = Bool.random(using: &random) ? letters[...] : letters.prefix(9)
            return String(
                (0..<Int.random(in: 0...6, using: &random)).map { _ in
                    all.randomElement(using: &random) ?? "a"
                })
        }
        for _ in 0..<500 {
            let base = try URLReference(
                ["https://h", "http://h:8/a", "https://h/a/", "https://h/a/../b/c?d#e"]
                    .randomElement(using: &random) ?? "")
            var pieces = URLPath.StringInterpolation(literalCapacity: 0, interpolationCount: 0)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                switch Int.random(in: 0..<3, using: &random) {
                case 0: pieces.appendLiteral(text(&random))
                case 1: pieces.appendInterpolation(text(&random))
                default: pieces.appendInterpolation(raw: text(&random))
                }
            }
            let path = URLPath(stringInterpolation: pieces)
            let expected = Result { try path.reference.resolved(against: base) }
            let found = Result { try path.target(against: base) }
            switch (expected, found) {
            case (.success(let expected), .success(let found)):
                #expect(found == expected, "\(path) from \(base)")
            case (.failure, .failure): break
            // Another origin is refused behind the reference.
            case (.success(let expected), .failure): #expect(expected.origin != base.origin)
            case (.failure, .success): Issue.record("\(path) is refused by itself")
            }
        }
    }

    @Test(arguments: ["", ".", ".."])
    func `a name that would make another resource of the path is refused`(_ name: String) {
        let none = ""
        for path in [
            "users/\(name)", "users/\(name)/repos", "/\(name)/x", "\(name)/x", "\(name)",
            "users/\(name)?full=true", "users/\(none)\(name)\(none)", "/\(name)#top",
            "users/\(segments: ["a", name, "b"])", "users/\(segments: [name])", "\(name)//evil/",
        ] as [URLPath] {
            #expect(throws: TransportError.self, "\(path)") { try Self.url(path) }
        }
        #expect(throws: TransportError.self) {
            try Self.url("users/\(segments: [String]())/x" as URLPath)
        }
        #expect(throws: Never.self) { try Self.url("users/a\(name)" as URLPath) }
        #expect(throws: Never.self) { try Self.url("users?q=\(name)" as URLPath) }
        #expect(throws: Never.self) { try Self.url("users?q=/\(name)/" as URLPath) }
    }

    @Test func `dots make no segment relative in pieces either`() throws {
        let dot = "."
        #expect(throws: TransportError.self) { try Self.url("a/.\(dot)/b" as URLPath) }
        #expect(throws: TransportError.self) { try Self.url("a/\(dot)\(dot)/b" as URLPath) }
        #expect(throws: TransportError.self) { try Self.url("a/%2E\(dot)" as URLPath) }
        #expect(throws: TransportError.self) { try Self.url("a/\(raw: ".")\(dot)" as URLPath) }
    }

    @Test func `a piece never completes an escape that stands before it`() throws {
        let (letter, rest) = ("e", "2f")
        #expect(try Self.url("a/100%\(rest)" as URLPath) == "https://h/api/a/100%252f")
        #expect(try Self.url("a/x%2\(letter)" as URLPath) == "https://h/api/a/x%252e")
        #expect(try Self.url("a/\(raw: "%")\(rest)" as URLPath) == "https://h/api/a/%252f")
    }

    @Test func `what has text of its own is a part`() throws {
        let id = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        #expect(
            try Self.url("a/\(1)/\(2.5)/\(true)/\("x"[...])/\(id)" as URLPath)
                == "https://h/api/a/1/2.5/true/x/E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
        #expect(
            try Self.url("a/\(Kind.pullRequest)" as URLPath) == "https://h/api/a/pull%2Frequest")
    }

    @Test func `several segments, and text as it is, are asked for`() throws {
        #expect(
            try Self.url("files/\(segments: ["a b", "c/d", "e"])/raw" as URLPath)
                == "https://h/api/files/a%20b/c%2Fd/e/raw")
        #expect(
            try Self.url("files/\(raw: "a b/../c?d=e%20f")&g=\("h&i")" as URLPath)
                == "https://h/api/files/c?d=e%20f&g=h%26i")
    }

    @Test func `a colon behind a name makes no scheme of it`() throws {
        let name = "javascript"
        #expect(try Self.url("\(name):archive" as URLPath) == "https://h/api/javascript:archive")
        #expect(try Self.url("\(name)://evil/" as URLPath) == "https://h/api/javascript://evil/")
    }

    @Test(arguments: [
        "https://evil/", "//evil/", "//evil", "http://h/x", "https://h:8443/", "https://h.evil/",
        "https:evil", "HTTPS://EVIL/", "//h@evil/", "file:///etc/passwd",
    ])
    func `what is known only at run time leads to no other origin`(_ text: String) throws {
        #expect(throws: TransportError.self) { try Self.url(text) }
        #expect(throws: TransportError.self) { try Self.url(URLPath(text)) }
        #expect(throws: TransportError.self) { try Self.url("\(raw: text)" as URLPath) }
        let rest = String(text.dropFirst(2))
        if text.hasPrefix("//") {
            #expect(throws: TransportError.self) { try Self.url("/\(raw: "/" + rest)" as URLPath) }
        }
        #expect(try Self.url("\(text)" as URLPath).hasPrefix("https://h/api/"))
    }

    @Test(arguments: ["https://h/x?page=2", "//h/x?page=2", "HTTPS://H:443/x?page=2", "/x?page=2"])
    func `text of the base URL's own origin is taken`(_ text: String) throws {
        #expect(try Self.url(text) == "https://h/x?page=2")
        #expect(try Self.url("\(raw: text)" as URLPath) == "https://h/x?page=2")
    }

    @Test func `another origin is named by the literal or by a URL`() throws {
        let name = "a/b"
        #expect(try Self.url("https://cdn/x" as URLPath) == "https://cdn/x")
        #expect(try Self.url("https://cdn" as URLPath) == "https://cdn/")
        #expect(try Self.url("https://cdn/\(name)" as URLPath) == "https://cdn/a%2Fb")
        #expect(try Self.url("//cdn:81/\(raw: name)" as URLPath) == "https://cdn:81/a/b")
        #expect(try Self.url("https://cdn\(raw: "/x")" as URLPath) == "https://cdn/x")
        #expect(try Self.url("https://cdn?q=\(name)" as URLPath) == "https://cdn/?q=a%2Fb")
        let url = try #require(URL(string: "http://cdn/x%2Fy?z"))
        #expect(try Self.url(url) == "http://cdn/x%2Fy?z")
        #expect(try Self.url(URLPath(url)) == "http://cdn/x%2Fy?z")
    }

    @Test func `no part of a host's name is known only at run time`() {
        let host = "evil"
        for path in [
            "https://\(host)/", "//\(host)/", "https://cdn.\(host)/", "https://cdn\(host)/x",
            "https://cdn\(raw: ".evil/")", "https://cdn:8\(1)/", "\(raw: "https:")//cdn/",
            "https:\(raw: "//evil/")", "https:/\(raw: "/evil/")", "https://\(raw: "x@evil")/",
        ] as [URLPath] {
            #expect(throws: TransportError.self, "\(path)") { try Self.url(path) }
        }
    }

    @Test(arguments: ["a\r\nX: y", "a\0", "\u{7F}"])
    func `control characters that nothing encodes are refused`(_ text: String) {
        #expect(throws: TransportError.self) { try Self.url(text) }
        #expect(throws: TransportError.self) { try Self.url("a/\(raw: text)/\(1)" as URLPath) }
    }

    @Test func `a path of another type is refused`() throws {
        #expect(throws: TransportError.self) { try URLPath(any: OtherPath()) }
    }

    @Test func `an endpoint's path is of each of the types`() throws {
        struct Text: Endpoint { let path = "a b" }
        struct Parts: Endpoint {
            let name: String
            var path: URLPath { "users/\(name)" }
        }
        struct Page: Endpoint { let path: URL }
        let base = try #require(URL(string: "https://h/api/"))
        #expect(try Text().request(baseURL: base).head.path == "/api/a%20b")
        #expect(try Parts(name: "a/b").request(baseURL: base).head.path == "/api/users/a%2Fb")
        let next = try #require(URL(string: "https://cdn/x?page=2"))
        let request = try Page(path: next).request(baseURL: base)
        #expect(request.head.authority == "cdn" && request.head.path == "/x?page=2")
    }

    @Test func `a refused path is an invalid request that names it, and nothing is sent`()
        async throws
    {
        struct Text: Endpoint { let path = "//evil/users?token=abc" }
        let transport = StubTransport(.json("[]"))
        let client = try TestClient.client(over: transport)
        let promise: Promise<Void> = client.enqueue(Text())
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.reason == .invalidRequest)
        #expect(error?.url?.contains("evil/users") == true)
        #expect(error?.description.contains("abc") == false)
        #expect(transport.requests.isEmpty)
    }

    /// A law: a path of random literals and names has the literals' segments, and in them the names.
    @Test(arguments: UInt64(0)..<500)
    func `names can be read back from where they were put`(_ seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let alphabet = [
            "/", "?", "#", "%", "%2F", ".", "..", ":", "@", "//", "\\", "a", "é", " ", "\n", "+",
            "&",
        ]
        let names = (0..<3).map { _ in random.word(of: alphabet, upTo: 5) }
        let paths: [(URLPath, [String])] = [
            ("\(names[0])/x/\(names[1])/\(names[2])", [names[0], "x", names[1], names[2]]),
            ("a\(names[0])/\(names[1])b\(names[2])", ["a" + names[0], names[1] + "b" + names[2]]),
            ("\(segments: names)", names),
        ]
        for (path, segments) in paths {
            guard let url = try? Self.url(path) else {
                #expect(segments.contains { ["", ".", ".."].contains($0) }, "seed \(seed)")
                continue
            }
            let prefix = "https://h/api/"
            #expect(url.hasPrefix(prefix), "seed \(seed)")
            let read = url.dropFirst(prefix.count)
                .split(separator: "/", omittingEmptySubsequences: false)
            #expect(read.map { $0.removingPercentEncoding } == segments, "seed \(seed)")
        }
    }
}

private enum Kind: String {
    case pullRequest = "pull/request"
}

private struct OtherPath: EndpointPath {
    var description: String { "x" }
}
