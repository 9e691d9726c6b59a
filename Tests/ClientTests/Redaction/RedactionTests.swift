import Foundation
import HTTPTypes
import Testing

@testable import LarderClient

@Suite struct RedactionTests {
    @Test(arguments: [900, 1_100, 4_000, 5_000, 100_000])
    func `a name far behind its value is found, or may be missing`(_ distance: Int) {
        let padding = String(repeating: "a", count: distance)
        for body in [
            #"{"value":"hunter2","a":"\#(padding)","name":"password"}"#,
            #"{"a":{"value":"hunter2","b":"\#(padding)","name":"password"}}"#,
            "<value>hunter2</value>\(String(repeating: " ", count: distance))<name>pin</name>",
            #"{"value":"hunter2\#(padding)","name":"password"}"#,
        ] {
            let excerpt = Redaction().excerpt(of: Data(body.utf8))
            #expect(!excerpt.contains("hunter2"), "\(body.prefix(20))")
            #expect(!Redaction().text(body).contains("hunter2"), "\(body.prefix(20))")
        }
    }

    /// What tells a secret, or ends it, may be in what is missing.
    @Test(arguments: [
        ("see https://ann:hidden", "see https://…"), ("see //ann:hidden@h", "see //…"),
        ("a=https%3A%2F%2Fann%3Ahidden%4", "a=https%3A%2F%2F…"),
        (#"{"m":"<https://ann:hidden"#, #"{"m":"<https://…"#),
        (#"{"m":"https://ann:hidden\u00"#, #"{"m":"https://…"#),
        (#"{"value":"hidden","name":"passw"#, #"{"value":"…","name":"passw"#),
        (#"{"value":"hidden","name":"#, #"{"value":"…","name":"#),
        (#"{"value":"shown","name":"a""#, #"{"value":"shown","name":"a""#),
        ("<value>hidden</value><name>pas", "<value>…</value><name>pas"),
        ("see https://h/a //a: b", "see https://h/a //a: b"),
    ])
    func `what is cut off may be a secret's`(_ text: String, _ expected: String) {
        #expect(
            Redaction().text(text + "…", upTo: text.utf8.count)
                == "\(expected)… (\(text.utf8.count + 3) bytes)")
    }

    @Test func `a path that was never resolved stays as it is`() {
        #expect(Redaction().url("issues?page=2") == "issues?page=2")
    }

    @Test(arguments: [
        ("https://h/a?token=x&page=2", "https://h/a?token=…&page=2"),
        ("https://h/a?Access_Token=x", "https://h/a?Access_Token=…"),
        ("https://u:p@h/a", "https://h/a"), ("https://h/a?%74oken=x", "https://h/a?%74oken=…"),
        ("https://h/a?page=2", "https://h/a?page=2"), ("https://h", "https://h/"),
        ("https://h/a?token", "https://h/a?token"), ("https://h/a?key=a=b", "https://h/a?key=…"),
        ("https://h/\u{1}", "…"), ("https://h/a?code=x&lang=y", "https://h/a?code=…&lang=y"),
        ("https://h/a?user_password=x", "https://h/a?user_password=…"),
        ("https://h/a?pass=x&passes=2&ssn=3", "https://h/a?pass=…&passes=2&ssn=…"),
        (
            "https://h/a?X-Amz-Signature=x&X-Amz-Date=y",
            "https://h/a?X-Amz-Signature=…&X-Amz-Date=y"
        ),
        ("https://h/?u=http://h/?token=x&page=2", "https://h/?u=http://h/?token=…&page=2"),
        ("https://h/?a=1;token=x&b=2", "https://h/?a=1;token=…&b=2"),
        ("https://h/?a=b?token=x", "https://h/?a=b?token=…"),
        ("https://h/x;token=y", "https://h/x;token=…"),
        ("https://h/?q=token:x&page=2", "https://h/?q=token:…&page=2"),
        ("https://h/?u=a%3Ftoken%3Dx%26b%3D1", "https://h/?u=a%3Ftoken%3D…%26b%3D1"),
        ("https://h/a:b/c;d?e=f:g#h", "https://h/a:b/c;d?e=f:g"),
        ("http:u:x@h", "http:…@h"), ("http:/u:x@h/a?token=x", "http:/…@h/a?token=…"),
        ("mailto:ann@h", "mailto:ann@h"),
        (
            "https://h/a?redirect=https%3A%2F%2Fh%2F%3Fuser%5Bpin%5D%3D1%26a%3Db",
            "https://h/a?redirect=https%3A%2F%2Fh%2F%3Fuser%5Bpin%5D%3D…%26a%3Db"
        ),
    ])
    func `secret query values are left out`(_ url: String, _ expected: String) {
        #expect(Redaction().url(url) == expected)
    }

    @Test func `secret fields are left out`() {
        let fields: HTTPFields = [.authorization: "Bearer x", .accept: "a", .named("X-Own"): "y"]
        let redaction = Redaction(headerFields: [.named("X-Own")])
        #expect(redaction.line(fields) == "Authorization: …, Accept: a, X-Own: …")
    }

    @Test func `a field may hold a URL, and it may hold secrets`() {
        let fields: HTTPFields = [
            .location: "https://ann:hidden@h/a?token=hidden&page=2",
            .named("Link"): "<https://h/?page=3>; rel=\"next\"",
        ]
        #expect(
            Redaction().line(fields)
                == "Location: https://…@h/a?token=…&page=2, Link: <https://h/?page=3>; rel=\"next\""
        )
    }

    /// In time that grows with the square of the length, each of these would take minutes.
    @Test(arguments: ["[a]", "[password]", "%5Bpassword%5D"])
    func `a server's long URL is hidden quickly`(_ token: String) {
        let tokens = String(repeating: token, count: 48 * 1024 / token.utf8.count)
        let start = Self.threadSeconds()
        let url = Redaction().url("https://a.test/?\(tokens)=secret-value&page=2")
        #expect(Self.threadSeconds() - start < 60)
        #expect(url.hasPrefix("https://a.test/?"))
        #expect(url.hasSuffix("page=2"))
    }

    /// Texts of which each piece looks as if a secret were to follow.
    @Test(arguments: [
        "%2525252525", "\\\\", "&amp;amp;", "\"value\":", "\"value\":\"name\":\"pin\",", "name=",
        "value: name: pin ", "<key>pin</key>", "<value>", "<value>a</value><name>pin</name>", "{",
        "<a", "token(", "token(\"", "password: |\n", "password:\n ", "%25257Btoken%25253A",
        "&#34;token&#34;:", "\\u0022token\\u0022:", "Authorization=Bearer ", "http:a,", "//a:",
        "Authorization=Digest a=\"b\",",
    ])
    func `a long text that looks like secrets is hidden quickly`(_ piece: String) {
        let text = String(repeating: piece, count: 128 * 1024 / piece.utf8.count)
        let start = Self.threadSeconds()
        let shown = RedactedText.of(Data((text + "\npassword=hunter2").utf8), by: Redaction())
        #expect(Self.threadSeconds() - start < 60)
        #expect(!shown.contains("hunter2"))
    }

    /// The time of a processor that this thread has had, whatever else the machine does.
    private static func threadSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test func `a field of a log is short, however long it is`() {
        let value = String(repeating: "code:", count: 20_000)
        let line = Redaction().line([.named("X-A"): value])
        #expect(line == "X-A: " + value.prefix(4096) + "… (100000 bytes)")
    }

    @Test func `an excerpt is short, however large the content`() {
        let excerpt = Redaction().excerpt(of: Data(repeating: 65, count: 1_000_000))
        #expect(excerpt.count < 300)
        #expect(excerpt.hasSuffix("(1000000 bytes)"))
    }
}
