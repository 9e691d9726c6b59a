import Foundation
import LarderPromises
import Testing

@testable import LarderClient

@Suite struct CookieJarTests {
    private let jar: CookieJar
    private let time = Time()

    init() {
        jar = CookieJar(date: { [time] in time.now })
    }

    /// A clock that stands still until it is set.
    private final class Time: Sendable {
        private let seconds = Guarded(1_800_000_000.0)

        var now: Date { Date(timeIntervalSince1970: seconds.withLock(\.self)) }

        func pass(_ seconds: Double) {
            self.seconds.withLock { $0 += seconds }
        }
    }

    private func set(_ field: String, from url: String = "https://a.example.com/") -> Bool {
        URL(string: url).map { jar.set(field, from: $0) } ?? false
    }

    private func sent(to url: String) -> [String] {
        URL(string: url).map { jar.cookies(for: $0).map(\.pair) } ?? []
    }

    @Test func `a cookie of a host is not for those below it, one of a domain is`() {
        #expect(set("host=1"))
        #expect(set("domain=1; Domain=example.com"))
        #expect(sent(to: "https://a.example.com/") == ["host=1", "domain=1"])
        #expect(sent(to: "https://x.a.example.com/") == ["domain=1"])
        #expect(sent(to: "https://example.com/") == ["domain=1"])
        #expect(sent(to: "https://notexample.com/") == [])
        #expect(sent(to: "http://A.Example.COM:8080/") == ["host=1", "domain=1"])
    }

    @Test(arguments: ["com", "COM", ".com", "uk", "co.uk", "Co.Uk", "b.example.com", "ample.com"])
    func `no domain is taken that is a stranger's, or nobody's`(_ domain: String) {
        #expect(!set("a=1; Domain=\(domain)"))
        #expect(!set("a=1; Domain=\(domain)", from: "https://example.co.uk/"))
        #expect(jar.cookies == [])
    }

    @Test func `a suffix that has pages itself has cookies of its own`() {
        #expect(set("a=1; Domain=github.io", from: "https://github.io/"))
        #expect(sent(to: "https://github.io/") == ["a=1"])
        #expect(sent(to: "https://ann.github.io/") == [])
        #expect(set("a=1; Domain=localhost", from: "http://localhost:80/"))
        #expect(sent(to: "http://x.localhost/") == [])
    }

    @Test func `there is nothing below an address`() {
        #expect(!set("a=1; Domain=0.0.1", from: "http://127.0.0.1/"))
        #expect(set("b=1; Domain=127.0.0.1", from: "http://127.0.0.1/"))
        #expect(sent(to: "http://127.0.0.1:81/") == ["b=1"])
        #expect(set("c=1", from: "http://[::1]:8080/"))
        #expect(sent(to: "http://[::1]/") == ["c=1"])
    }

    @Test func `paths match whole segments, and the longest go first`() {
        #expect(set("root=1; Path=/"))
        #expect(set("a=1; Path=/a"))
        #expect(set("ab=1", from: "https://a.example.com/a/b?x=/c/d"))
        #expect(set("slash=1; Path=/a/b/"))
        #expect(sent(to: "https://a.example.com/ab") == ["root=1"])
        #expect(sent(to: "https://a.example.com/a/b") == ["a=1", "ab=1", "root=1"])
        #expect(sent(to: "https://a.example.com/a/b/c") == ["slash=1", "a=1", "ab=1", "root=1"])
        #expect(sent(to: "https://a.example.com") == ["root=1"])
    }

    @Test func `secure cookies come and go over https alone, and stay what they are`() {
        #expect(!set("a=1; Secure", from: "http://a.example.com/"))
        #expect(set("a=1; Secure; Path=/x"))
        #expect(sent(to: "http://a.example.com/x") == [])
        #expect(!set("a=2; Path=/x/y", from: "http://a.example.com/"))
        #expect(!set("a=2; Path=/x; Domain=example.com", from: "http://a.example.com/"))
        #expect(set("a=2; Path=/y", from: "http://a.example.com/"))
        #expect(sent(to: "https://a.example.com/x") == ["a=1"])
    }

    @Test func `a name that promises something keeps it`() {
        #expect(!set("__Secure-a=1"))
        #expect(!set("__secure-A=1", from: "http://a.example.com/"))
        #expect(set("__Secure-a=1; Secure"))
        #expect(!set("__Host-a=1; Secure"))
        #expect(!set("__Host-a=1; Secure; Path=/x"))
        #expect(!set("__HOST-a=1; Secure; Path=/; Domain=a.example.com"))
        #expect(!set("__Host-a; Secure; Path=/"))
        #expect(set("__Host-a=1; Secure; Path=/"))
    }

    @Test func `cookies of any site's requests go along, as there are no sites`() {
        #expect(set("strict=1; SameSite=Strict"))
        #expect(set("lax=1; SameSite=lax"))
        #expect(set("odd=1; SameSite=whatever"))
        #expect(!set("none=1; SameSite=None"))
        #expect(set("none=1; SameSite=None; Secure"))
        #expect(
            sent(to: "https://a.example.com/") == ["strict=1", "lax=1", "odd=1", "none=1"])
        #expect(jar.cookies.map(\.sameSite) == [.strict, .lax, nil, Cookie.SameSite.none])
    }

    @Test func `Max-Age counts before Expires, and neither for longer than 400 days`() {
        #expect(set("a=1; Max-Age=10; Expires=Thu, 01 Jan 1970 00:00:00 GMT"))
        #expect(set("b=1; Expires=Fri, 15 Jan 2027 08:00:05 GMT"))
        #expect(set("c=1; Expires=Fri, 31 Dec 9999 23:59:59 GMT"))
        #expect(set("d=1; Max-Age=99999999999999999999"))
        #expect(set("e=1; Max-Age=soon"))
        let all = ["a=1", "b=1", "c=1", "d=1", "e=1"]
        #expect(sent(to: "https://a.example.com/") == all)
        time.pass(6)
        #expect(sent(to: "https://a.example.com/") == ["a=1", "c=1", "d=1", "e=1"])
        time.pass(5)
        #expect(jar.cookies.map(\.name) == ["c", "d", "e"])
        time.pass(400 * 86_400)
        #expect(jar.cookies.map(\.name) == ["e"])
        jar.removeSessionCookies()
        #expect(jar.cookies == [])
    }

    @Test func `one takes the other's place in the order, and none's by expiring`() {
        #expect(set("a=1"))
        #expect(set("b=1"))
        #expect(set("a=2"))
        #expect(sent(to: "https://a.example.com/") == ["a=2", "b=1"])
        #expect(set("a=; Max-Age=0"))
        #expect(sent(to: "https://a.example.com/") == ["b=1"])
        #expect(set("a=3"))
        #expect(sent(to: "https://a.example.com/") == ["b=1", "a=3"])
    }

    @Test(arguments: ["", "=", " = ; Path=/", "a=b\u{1}", "a=b\u{7F}", "a=b\nc", "a=b\0"])
    func `what can be no cookie is none`(_ field: String) {
        #expect(!set(field))
    }

    @Test func `sizes are bounded`() {
        #expect(set("a=" + String(repeating: "x", count: 4095)))
        #expect(!set("a=" + String(repeating: "x", count: 4096)))
        #expect(set("b=1; Path=/" + String(repeating: "x", count: 1024)))
        #expect(jar.cookies.last?.path == "/")
    }

    @Test func `what is too much goes, insecure and unused first`() {
        let jar = CookieJar(limits: .init(cookies: 4, cookiesOfDomain: 2))
        let urls = ["a", "b", "c"].compactMap { URL(string: "https://\($0).example.com/") }
        for url in urls {
            jar.set("1=1; Secure", from: url)
            jar.set("2=1", from: url)
        }
        #expect(jar.cookies.map { "\($0.domain.prefix(1))\($0.name)" } == ["b1", "b2", "c1", "c2"])
        _ = jar.cookies(for: urls[1])
        jar.set("3=1", from: urls[2])
        #expect(jar.cookies.map { "\($0.domain.prefix(1))\($0.name)" } == ["b1", "b2", "c1", "c3"])
        jar.set("1=1", from: urls[0])
        #expect(jar.cookies.map { "\($0.domain.prefix(1))\($0.name)" } == ["b1", "b2", "c3", "a1"])
    }

    @Test func `cookies are removed by whatever one asks of them`() {
        #expect(set("a=1; Path=/x"))
        #expect(set("b=1", from: "https://b.example.com/"))
        jar.remove { $0.domain == "b.example.com" }
        #expect(jar.cookies.map(\.name) == ["a"])
        jar.removeAll()
        #expect(jar.cookies == [])
    }

    @Test func `what is printed tells no secret`() throws {
        #expect(set("sid=s3cret; Secure; HttpOnly; Max-Age=60"))
        let cookie = try #require(jar.cookies.first)
        var dumped = ""
        dump(cookie, to: &dumped)
        dump(jar, to: &dumped)
        for text in ["\(cookie)", "\(jar.cookies)", "\(jar)", String(reflecting: cookie), dumped] {
            #expect(!text.contains("s3cret"))
        }
        #expect(
            "\(cookie)".hasPrefix("Cookie(sid=…, host a.example.com, path /, secure, HTTP only"))
    }

    @Test func `a jar is filled with another one's cookies`() throws {
        #expect(set("a=1"))
        #expect(set("b=1; Max-Age=1"))
        #expect(set("c=1; Max-Age=10"))
        let data = try JSONEncoder().encode(jar.cookies)
        time.pass(5)
        let cookies = try JSONDecoder().decode([Cookie].self, from: data)
        let other = CookieJar(cookies, date: { [time] in time.now })
        #expect(other.cookies.map(\.name) == ["a", "c"])
    }
}
