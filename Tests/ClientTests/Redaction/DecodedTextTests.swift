import Foundation
import Testing

@testable import LarderClient

@Suite struct DecodedTextTests {
    @Test(arguments: [
        (#"a password\u003dx b"#, #"a password\u003d… b"#),
        (#"{"m": "password\u003a x y"}"#, #"{"m": "password\u003a …"}"#),
        ("{&quot;password&quot;:&quot;x y&quot;}", "{&quot;password&quot;:&quot;…&quot;}"),
        (
            "{&#34;pin&#x22;:&#34;x&#34;,&#34;a&#34;:1}",
            "{&#34;pin&#x22;:&#34;…&#34;,&#34;a&#34;:1}"
        ),
        ("&lt;token&gt;x&lt;/token&gt;", "&lt;token&gt;…&lt;/token&gt;"),
        ("<a href='?a=1&amp;token=x&amp;b=2'>", "<a href='?a=1&amp;token=…&amp;b=2'>"),
        (
            #"{"a": "{\"b\": \"{\\\"password\\\": \\\"x\\\\\\\"y z\\\"}\"}"}"#,
            #"{"a": "{\"b\": \"{\\\"password\\\": \\\"…\\\"}\"}"}"#
        ),
        ("%2522password%2522%253A%2522x%2522%257D", "%2522password%2522%253A%2522…%2522%257D"),
        ("see https%3A%2F%2Fann%3Ap%40h%2Fa", "see https%3A%2F%2F…%40h%2Fa"),
        (
            "&lbrace;&quot;pin&quot;&colon;&lsqb;7&comma;8&rsqb;}",
            "&lbrace;&quot;pin&quot;&colon;…}"
        ),
        ("{&quotpin&quot:&quotx y&quot}", "{&quotpin&quot:&quot…&quot}"),
        (
            "{&#0000000034;pin&#x000000022;:&#34;x y&#34;}",
            "{&#0000000034;pin&#x000000022;:&#34;…&#34;}"
        ),
        ("a&NewLine;password&colon;&Tab;x y", "a&NewLine;password&colon;&Tab;…"),
        ("api&UnderBar;key&equals;x&semi;b=y", "api&UnderBar;key&equals;…&semi;b=y"),
        ("a%3A 1%0Apassword%3A%0A- x%0A- y%0Ab%3A 2", "a%3A 1%0Apassword%3A%0A…%0Ab%3A 2"),
        (#"Invalid.token(\"x\", 1)"#, #"Invalid.token(…)"#),
    ])
    func `a secret is found however what it stands in is written`(
        _ body: String, _ expected: String
    ) {
        #expect(Redaction().excerpt(of: Data(body.utf8)) == expected)
    }

    @Test(arguments: [
        ("/a?q=%22password%22%3A%22x%22&page=2", "/a?q=%22password%22%3A%22…%22&page=2"),
        (
            "/a?q=%257B%2522password%2522%253A%2522x%2522%257D&page=2",
            "/a?q=%257B%2522password%2522%253A%2522…%2522%257D&page=2"
        ),
        ("/a?u=%2Fb%3Ftoken%3Dx%2526y%26c%3Dd", "/a?u=%2Fb%3Ftoken%3D…%26c%3Dd"),
        ("/a?u=%252Fb%253Ftoken%253Dx%2526c%253Dd", "/a?u=%252Fb%253Ftoken%253D…%2526c%253Dd"),
    ])
    func `a secret is found in a URL's item`(_ path: String, _ expected: String) {
        #expect(Redaction().url("https://h" + path) == "https://h" + expected)
    }

    @Test(arguments: [
        #"{"code": 401, "message": "token expired"}"#, "100%, &amp; 5% &lt; 6%",
        #"{"path": "C:\\users\\ann", "a": "\u00e9\n\"b\"", "tokens": true}"#,
        "{&quot;message&quot;:&quot;token expired&quot;}", "a%20b%2Fc%3Fd%3De", "%", "&", "\\",
        "%4", "&#", "&#;", "\\u12", "&#x110000;", "\\ud800", "%ff", "&quot",
    ])
    func `what is written in other ways is shown as it was`(_ body: String) {
        #expect(Redaction().excerpt(of: Data(body.utf8)) == body)
    }

    /// A secret under a secret name, in texts within texts.
    @Test(arguments: 0..<20)
    func `no nesting of ways to write shows a secret`(_ seed: UInt64) {
        var random = SplitMix(seed: seed)
        for _ in 0..<50 {
            let secret =
                "hunter2"
                + random.word(
                    of: [
                        "hunter2", " ", ",", "}", "\"", "\\", "&", "é", "'", "%", ";", "<", "#",
                        ":",
                        "=", ")", String(repeating: "1", count: 200),
                    ], upTo: 4)
            let name = ["password", "apiKey", "new-token"].randomElement(using: &random) ?? ""
            let ways = (0..<Int.random(in: 0...4, using: &random)).compactMap { _ in
                Writing.allCases.randomElement(using: &random)
            }
            let ofLines = Int.random(in: 0..<5, using: &random) == 0
            let shapes = ofLines ? Self.shapesOfLines : Self.shapes
            var text = shapes.randomElement(using: &random)?(name, secret) ?? ""
            for way in ways { text = way.written(text) }
            let shown = RedactedText.of(Data(text.utf8), by: Redaction())
            let url = Redaction().url("https://h/?a=\(Writing.percent.written(text))&b=end")
            #expect(!url.contains("hunter2"), "\(ways) of \(text)")
            #expect(url.hasPrefix("https://h/?a="), "\(ways) of \(text)")
            #expect(!shown.contains("hunter2"), "\(ways) of \(text)")
            #expect(shown.contains("begin"), "\(ways) of \(text)")
            // What ends like an escape may be taken for one, and more be left out; so may the end of a
            // line that is written otherwise.
            if ofLines, !ways.isEmpty { continue }
            if !secret.contains("\\"), !secret.contains("\"") {
                #expect(shown.contains("end"), "\(ways) of \(text)")
            }
        }
    }

    /// A name and a value, as texts have them.
    private static let shapes: [@Sendable (_ name: String, _ value: String) -> String] = [
        { #"{"a":"begin","\#($0)":\#(Writing.json.written($1)),"b":"end"}"# },
        { #"[{"a":"begin"},{"name":"\#($0)","value":\#(Writing.json.written($1))},"end"]"# },
        { #"[{"a":"begin"},{"value":\#(Writing.json.written($1)),"name":"\#($0)"},"end"]"# },
        { "<a>begin</a><\($0)>\(Writing.entities.written($1))</\($0)><b>end</b>" },
        { "<a>begin</a><key>\($0)</key><data>\(Writing.entities.written($1))</data><b>end</b>" },
        { "begin=1&\($0)=\(Writing.percent.written($1))&b=end" },
        {
            #"{"a":"begin","b":{"value":\#(Writing.json.written($1)),"c":"a } b","name":"\#($0)"},"d":"end"}"#
        },
        {
            #"{"a":"begin","b":{"name":"\#($0)","c":"a } b","value":\#(Writing.json.written($1))},"d":"end"}"#
        },
        { "<a>begin</a><p name=\"\($0)\">\(Writing.entities.written($1))</p><b>end</b>" },
    ]

    /// The same in text that is made of lines.
    private static let shapesOfLines: [@Sendable (_ name: String, _ value: String) -> String] = [
        { "a: begin\n\($0):\n- \(Writing.json.written($1))\n- hunter2\nb: end\n" },
        { "a: begin\nb:\n  \($0):\n  - \(Writing.json.written($1))\n  c: end\n" },
        { "begin end failed(\($0): \(Writing.json.written($1)))\n" },
        { "begin \($0)(\(Writing.json.written($1))) end" },
    ]

    /// A way to write a text within another one.
    private enum Writing: CaseIterable {
        case json, escapes, entities, numbers, percent

        func written(_ text: String) -> String {
            let body = text.unicodeScalars.map { scalar in
                let isPlain = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                let hex = String(scalar.value, radix: 16)
                return switch self {
                case _ where isPlain: "\(scalar)"
                case .json:
                    "\"\\\n".unicodeScalars.contains(scalar)
                        ? scalar.escaped(asASCII: true) : "\(scalar)"
                case .escapes: "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
                case .entities: Self.names[scalar] ?? "\(scalar)"
                case .numbers: "&#\(scalar.value);"
                case .percent: "%" + (hex.count == 1 ? "0" : "") + hex.uppercased()
                }
            }.joined()
            return self == .json ? "\"\(body)\"" : body
        }

        private static let names: [Unicode.Scalar: String] = [
            "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&apos;",
        ]
    }
}
