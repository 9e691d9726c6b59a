import Foundation
import Testing

@testable import LarderClient

@Suite struct RedactedTextPairsTests {
    @Test(arguments: [
        (#"[{"value": "x y", "name": "password"}]"#, #"[{"value": "…", "name": "password"}]"#),
        (
            #"{"value": {"a": "x"}, "meta": {"b": 1}, "name": "password", "id": 1}"#,
            #"{"value": "…", "meta": {"b": 1}, "name": "password", "id": 1}"#
        ),
        (
            #"{"id": 1, "value": "x", "name": "token"}"#,
            #"{"id": 1, "value": "…", "name": "token"}"#
        ),
        (
            #"{"name": "password", "meta": {"name": "a"}, "hint": "a > b", "value": "x"}"#,
            #"{"name": "password", "meta": {"name": "a"}, "hint": "a > b", "value": "…"}"#
        ),
        ("<input value='x' name='pin'><b>", "<input value='…' name='pin'><b>"),
        (
            #"<input id="password" name="p" value="x">"#,
            #"<input id="password" name="p" value="…">"#
        ),
        (#"<input type="password" value="x">"#, #"<input type="password" value="…">"#),
        (
            "- name: password\n  value: x y\n- name: a\n  value: z",
            "- name: password   value: … - name: a   value: z"
        ),
        (
            "<key>password</key>\n<string>x</string><key>a</key><string>y</string>",
            "<key>password</key> <string>…</string><key>a</key><string>y</string>"
        ),
        (
            "<key>tokens</key><array><string>x</string></array>y",
            "<key>tokens</key><array>…</array>y"
        ),
        (
            "<p><name>pin</name><value>x</value></p><p><name>a</name><value>y</value></p>",
            "<p><name>pin</name><value>…</value></p><p><name>a</name><value>y</value></p>"
        ),
        ("<value>x</value> <name>pin</name>", "<value>…</value> <name>pin</name>"),
    ])
    func `a value and its name may stand in any order`(_ body: String, _ expected: String) {
        #expect(Redaction().excerpt(of: Data(body.utf8)) == expected)
    }

    @Test(arguments: [
        #"[{"value": "x"}, {"name": "password"}]"#,
        #"{"value": "x", "meta": {"name": "password"}}"#,
        #"[{"name": "password"}, {"name": "a", "value": "x"}]"#,
        #"{"value": [{"a": "x", "name": "token"}, {"b": "y"}], "c": 1}"#,
        #"{"value": "x", "name": "Ann"}"#, #"{"value": "x", "key": "code"}"#,
        "name: a\nvalue: x\nname: password\nid: 1", "<key>a</key><string>x</string>",
        "<input value='x'><input name='password'>",
        "<value>x</value><a/><name>password</name>",
        #"<input type="text" value="x">"#,
    ])
    func `what stands beside something else's name is shown`(_ body: String) {
        let shown = Redaction().excerpt(of: Data(body.utf8))
        #expect(shown == body.replacingOccurrences(of: "\n", with: " "))
    }

    @Test(arguments: [
        ("Authorization=Bearer x.y a=b", "Authorization=… a=b"),
        ("authorization = basic x&a=b", "authorization = …&a=b"),
        (#"invalidToken("x")"#, "invalidToken(…)"),
        (#"Refusal.wrongPassword(Optional("x"), 3) at 5"#, "Refusal.wrongPassword(…) at 5"),
        ("wrongPin(1234)", "wrongPin(…)"), ("invalidToken(\"x", "invalidToken(…"),
        ("password:\n  - x\n  - y\nuser: a", "password:\n  …\nuser: a"),
        ("a:\n  password: |\n    x\n\n    y\n  user: a", "a:\n  password: …\n  user: a"),
        ("password: >-\n  x", "password: …"),
        ("password:\nuser: a", "password:\n…"),
    ])
    func `values may have other shapes`(_ body: String, _ expected: String) {
        let shown = RedactedText.of(Data(body.utf8), by: Redaction())
        #expect(shown == expected)
    }

    @Test(arguments: [
        "token(s) expired", "tokens (3)", "validateToken(_:)", "tokenCount(3)", "session()",
        #"notFound("x")"#, "auth=none a=b",
    ])
    func `what calls something by a secret's name is shown where it holds none`(_ body: String) {
        let shown = Redaction().excerpt(of: Data(body.utf8))
        #expect(body == "auth=none a=b" ? shown == "auth=… a=b" : shown == body)
    }
}
