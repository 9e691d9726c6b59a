import Foundation
import HTTPTypes
import LarderPromises
import Testing

@testable import LarderClient

/// A jar against the rules of the RFC, told a second time: random programs of fields and requests.
@Suite struct CookieLawTests {
    private static let programs = UInt64(
        ProcessInfo.processInfo.environment["LARDER_ORACLE_COUNT"].flatMap { UInt64($0) }
            .map { min($0, 20_000) } ?? 400)

    private static let suffixes = ["com", "uk", "co.uk", "*.ck", "!www.ck", "pages.com"]

    @Test func `a jar does what the rules say`() async {
        for seed in 0..<Self.programs {
            await Task.yield()
            guard run(seed) else { return }
        }
    }

    /// A path whose slash has an accent behind it.
    @Test func `a jar and the rules agree where they once did not`() {
        #expect(run(7_797))
    }

    private func run(_ seed: UInt64) -> Bool {
        var random = SplitMix(seed: seed)
        let (limit, domainLimit) = (Int.random(in: 3...12, using: &random), 3)
        let time = Guarded(1_800_000_000.0)
        let jar = CookieJar(
            suffixes: PublicSuffixes(Self.suffixes.joined(separator: "\n")),
            limits: .init(cookies: limit, cookiesOfDomain: domainLimit),
            date: { Date(timeIntervalSince1970: time.withLock(\.self)) })
        var rules = CookieRules(suffixes: Self.suffixes, limit: limit, domainLimit: domainLimit)
        var program: [String] = []
        for _ in 0..<Int.random(in: 1...40, using: &random) {
            let place = random.place()
            let url = "\(place.scheme)://\(place.host)\(place.path)"
            let now = time.withLock(\.self)
            switch Int.random(in: 0..<20, using: &random) {
            case 0:
                let seconds = [1, 59, 60, 86_400, 400 * 86_400].randomElement(using: &random) ?? 1
                program.append("wait \(seconds)")
                time.withLock { $0 += Double(seconds) }
                rules.evictExpired(now + Double(seconds))
            case 1 where Bool.random(using: &random):
                program.append("end the session")
                jar.removeSessionCookies()
                rules.endSession()
            case 2...7:
                program.append("request \(url)")
                let request = TransportRequest(
                    head: HTTPRequest(
                        method: .get, scheme: place.scheme, authority: place.host, path: place.path)
                )
                let sent = jar.adding(to: request).head.headerFields[.cookie]
                let expected = rules.request(place, at: now)
                guard agree(sent, expected, seed, program) else { return false }
            default:
                let field = random.field()
                program.append("\(url) sets \(field.prefix(200))")
                let isTaken = URL(string: url).map { jar.set(field, from: $0) }
                let expected = rules.receive(field, from: place, at: now)
                guard agree(isTaken, expected, seed, program) else { return false }
            }
            let kept = jar.cookies.map(CookieRules.Record.init)
            let expected = rules.store.sorted { $0.creation < $1.creation }.map(\.withoutTurns)
            guard agree(kept, expected, seed, program) else { return false }
        }
        return true
    }

    private func agree<Value: Equatable>(
        _ value: Value, _ expected: Value, _ seed: UInt64, _ program: [String]
    ) -> Bool {
        #expect(value == expected, "seed \(seed):\n\(program.joined(separator: "\n"))")
        return value == expected
    }

    @Test func `dates are read as the rules say`() {
        for seed in 0..<(Self.programs * 5) {
            var random = SplitMix(seed: seed)
            let text = random.date()
            let date = CookieDate.date(text.utf8)?.timeIntervalSince1970
            let expected = CookieRules.time(text)
            #expect(date == expected, "seed \(seed): \(text.debugDescription)")
            guard date == expected else { return }
        }
    }

    @Test func `a name is a public suffix where the list's algorithm says so`() {
        let labels = ["com", "uk", "co", "ck", "www", "a", "b"]
        for seed in 0..<Self.programs {
            var random = SplitMix(seed: seed)
            let rules = (0..<Int.random(in: 0...8, using: &random)).map { _ -> String in
                let mark = ["", "", "", "*.", "!a."].randomElement(using: &random) ?? ""
                return mark + random.name(of: labels, upTo: mark == "!a." ? 2 : 3)
            }
            let suffixes = PublicSuffixes(rules.joined(separator: "\n"))
            for _ in 0..<20 {
                let name = random.name(of: labels, upTo: 4)
                // Two exceptions for one name, one below the other, are no list.
                guard rules.count(where: { $0.hasPrefix("!") }) < 2 else { continue }
                let isSuffix = suffixes.contains(name)
                let expected = CookieRules.isPublicSuffix(name, by: rules)
                #expect(isSuffix == expected, "seed \(seed): \(name) by \(rules)")
                guard isSuffix == expected else { return }
            }
        }
    }
}

extension CookieRules.Record {
    fileprivate init(_ cookie: Cookie) {
        self.init(
            name: cookie.name, value: cookie.value, domain: cookie.domain, path: cookie.path,
            expiry: cookie.expires?.timeIntervalSince1970, isHostOnly: cookie.isHostOnly,
            isSecure: cookie.isSecure, isHTTPOnly: cookie.isHTTPOnly,
            sameSite: cookie.sameSite?.rawValue ?? "Default")
    }

    fileprivate var withoutTurns: CookieRules.Record {
        var record = self
        (record.creation, record.access) = (0, 0)
        return record
    }
}

extension SplitMix {
    private mutating func pick(_ texts: [String]) -> String {
        texts.randomElement(using: &self) ?? ""
    }

    fileprivate mutating func place() -> CookieRules.Place {
        CookieRules.Place(
            scheme: pick(["http", "https", "https"]),
            host: pick([
                "a.com", "a.com", "x.a.com", "y.x.a.com", "b.com", "com", "pages.com",
                "a.pages.com",
                "a.co.uk", "www.ck", "x.www.ck", "a.b.ck", "b.ck", "127.0.0.1", "localhost",
                "[::1]",
                "7",
            ]),
            path: pick(["/", "/", "/a", "/a/", "/a/b", "/ab", "/a/b/c", "//", "/a//b"]))
    }

    fileprivate mutating func name(of labels: [String], upTo count: Int) -> String {
        (0..<Int.random(in: 1...count, using: &self)).map { _ in pick(labels) }
            .joined(separator: ".")
    }

    fileprivate mutating func field() -> String {
        var field = pick(["a", "b", "c", "d", "e", "", "__Host-a", "__secure-b", "é"])
        field += pick(["=", "=", "=", "=", " = ", ""])
        field += pick([
            "1", "2", "", "\"3\"", "4=5", "__Host-x", " 6\t", "é", "\u{1}", "\u{7F}", "a\tb",
            String(repeating: "x", count: Int.random(in: 4090...4098, using: &self)),
        ])
        for _ in 0..<Int.random(in: 0...4, using: &self) { field += ";" + attribute() }
        return field
    }

    private mutating func attribute() -> String {
        switch Int.random(in: 0..<10, using: &self) {
        case 0, 1:
            let name = pick(["Domain", "DOMAIN", " domain "])
            let domain = pick([
                "a.com", ".a.com", "A.com", "x.a.com", "com", "pages.com", "co.uk", "uk", "b.ck",
                "www.ck", "ck", "127.0.0.1", "0.0.1", "localhost", "[::1]", "..a.com", "",
                "a.com.", "\u{212A}.com", "é.com", "7",
                String(repeating: "a", count: Int.random(in: 1023...1025, using: &self)),
            ])
            return "\(name)=\(domain)"
        case 2, 3:
            let path = pick(["/", "/a", "/a/", "/a/b", "a", "", "/ab", "/\u{301}"])
            return pick(["Path=", "path =", " PATH= "]) + path
        case 4, 5: return pick(["Secure", " secure", "Secure=no", "HttpOnly", "httponly="])
        case 6:
            return "SameSite=" + pick(["Strict", "lax", "None", "NONE", "x", ""])
        case 7:
            return "Max-Age="
                + pick([
                    "0", "1", "60", "-1", "-", "", "1x", "+1", "99999999999999999999", "-0", "00",
                    "86400", "34560000", "34560001",
                ])
        case 8: return "Expires=" + date()
        default:
            return pick(["", " ", "=", "x=y", "=Secure", "Expires", "Max-Age", "Domain", "Path"])
        }
    }

    fileprivate mutating func date() -> String {
        let year = pick([
            "1600", "1601", "1969", "1970", "2026", "2027", "2028", "27", "99", "70", "69", "0",
            "9999",
            "12345", "2027x",
        ])
        var parts = [
            pick(["Wed", "Wednesday", "", "x1"]),
            pick(["1", "01", "28", "29", "30", "31", "32", "00", "5th", "123"]),
            pick(["Jan", "FEB", "february", "Mar", "apr", "Jun", "dec", "Ma", "xJan"]),
            year,
            pick([
                "00:00:00", "23:59:59", "24:00:00", "1:2:3", "12:30", "12:30:60", "1:2:3x",
                "1:2:345",
                "x1:2:3", "01:02:03.5",
            ]),
            pick(["GMT", "", "é", "+0100"]),
        ]
        if Int.random(in: 0..<4, using: &self) == 0 { parts.shuffle(using: &self) }
        if Int.random(in: 0..<8, using: &self) == 0 { parts.removeLast() }
        return parts.joined(separator: pick([" ", " ", "-", ", ", "  ", "/"]))
    }
}
