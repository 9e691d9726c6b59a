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
        (#"{"key":"token","val":"x"}"#, #"{"key":"token","val":"…"}"#),
        (#"{"val":"x","key":"token"}"#, #"{"val":"…","key":"token"}"#),
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
        (
            #"{"headers":[["Authorization","Bearer x y"],["Accept","a"]]}"#,
            #"{"headers":[["Authorization","…"],["Accept","a"]]}"#
        ),
        ("[('Cookie', 'a=x; b=y'), ('Accept', 'a')]", "[('Cookie', '…'), ('Accept', 'a')]"),
        (#"{"required": ["password", "name"]}"#, #"{"required": ["password", "name"]}"#),
        (
            #"{"value":"x y","a":"b } c","name":"pin"}"#,
            #"{"value":"…","a":"b } c","name":"pin"}"#
        ),
        (
            #"{"a":"{\"value\":\"x y\",\"b\":\"a } b\",\"name\":\"pin\"}"}"#,
            #"{"a":"{\"value\":\"…\",\"b\":\"a } b\",\"name\":\"pin\"}"}"#
        ),
        (
            #"{"a":"{\"value\":\"x y\",\"b\":\"\\\\\",\"name\":\"pin\",\"c\":\"}{\"}"}"#,
            #"{"a":"{\"value\":\"…\",\"b\":\"\\\\\",\"name\":\"pin\",\"c\":\"}{\"}"}"#
        ),
        (
            "{&quot;value&quot;:&quot;x&quot;,&quot;a&quot;:&quot;}&quot;,&quot;name&quot;:&quot;pin&quot;}",
            "{&quot;value&quot;:&quot;…&quot;,&quot;a&quot;:&quot;}&quot;,&quot;name&quot;:&quot;pin&quot;}"
        ),
        (#"<p name="pin">x y</p><p name="a">y</p>"#, #"<p name="pin">…</p><p name="a">y</p>"#),
        ("<p name='pin'><![CDATA[x<y]]></p>z", "<p name='pin'>…</p>z"),
        (
            #"<p name="pin"><value>x</value></p><value>y</value>"#,
            #"<p name="pin"><value>…</value></p><value>y</value>"#
        ),
        (
            #"[{"op":"replace","path":"/user/api_key","value":"x y"}]"#,
            #"[{"op":"replace","path":"/user/api_key","value":"…"}]"#
        ),
        (
            #"[{"value":{"a":"x"},"path":"/pin/0"},{"path":"/a","value":"y"}]"#,
            #"[{"value":"…","path":"/pin/0"},{"path":"/a","value":"y"}]"#
        ),
        (
            #"{"path": "\/a\/b~1my~0pin\/c", "value": "x"}"#,
            #"{"path": "\/a\/b~1my~0pin\/c", "value": "…"}"#
        ),
        (
            #"{"op": "copy", "from": "/password", "path": "/a", "value": "x"}"#,
            #"{"op": "copy", "from": "/password", "path": "/a", "value": "…"}"#
        ),
        (
            #"{"path": "/user/key", "value": "sk_live_4eC39HqLyjWDarjtT1zdp7dc"}"#,
            #"{"path": "/user/key", "value": "…"}"#
        ),
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
        "<input value='x'><input name='password'> a b",
        #"[{"value":"x"},{"name":"password"},{"a":"b } c"}]"#,
        #"<p name="a">x</p>"#, #"<p name="code">not found</p>"#, #"<p name="pin"> <b>x</b></p>"#,
        "<value>x</value><a/><name>password</name>",
        #"<input type="text" value="x">"#,
        #"[{"op":"replace","path":"/user/name","value":"x"}]"#,
        #"[{"op":"remove","path":"/user/pin"},{"op":"add","path":"/user/name","value":"x"}]"#,
        #"{"path": "/user/key", "value": "PROJ-12"}"#, #"{"value":"x","path":"users/pin"}"#,
    ])
    func `what stands beside something else's name is shown`(_ body: String) {
        let shown = Redaction().excerpt(of: Data(body.utf8))
        #expect(shown == body.replacingOccurrences(of: "\n", with: " "))
    }

    @Test(arguments: [
        ("Authorization=Bearer x.y a=b", "Authorization=… a=b"),
        ("authorization = basic x&a=b", "authorization = …&a=b"),
        ("Authorization=Custom x.y a=b", "Authorization=… a=b"),
        ("Proxy-Authorization=AWS4-HMAC-SHA256 eHk= a", "Proxy-Authorization=… a"),
        (#"invalidToken("x")"#, "invalidToken(…)"),
        (#"Refusal.wrongPassword(Optional("x"), 3) at 5"#, "Refusal.wrongPassword(…) at 5"),
        ("wrongPin(1234)", "wrongPin(…)"), ("invalidToken(\"x", "invalidToken(…"),
        ("password:\n  - x\n  - y\nuser: a", "password:\n  …\nuser: a"),
        ("a:\n  password: |\n    x\n\n    y\n  user: a", "a:\n  password: …\n  user: a"),
        ("password: >-\n  x", "password: …"),
        ("password:\nuser: a", "password:\n…"),
        ("password:\n- x\n- y\n  z\n\n- z\nuser: a", "password:\n…\nuser: a"),
        ("- a: 1\n  password:\n  - x\n  - y\n- b: 2", "- a: 1\n  password:\n  …\n- b: 2"),
        ("password:\n\n  x\nuser: a", "password:\n\n  …\nuser: a"),
        ("password:\n\n- x\nuser: a", "password:\n\n…\nuser: a"),
        ("'password':\n\n'x'", "'password':\n\n'…'"),
    ])
    func `values may have other shapes`(_ body: String, _ expected: String) {
        let shown = RedactedText.of(Data(body.utf8), by: Redaction())
        #expect(shown == expected)
    }

    @Test(arguments: [
        "Authorization:\r\n\r\nbody of it", "token:\n\nAll is well.\n",
        #"{"prompt_tokens": 12, "completion_tokens":8}"#, "max_tokens=500&a=b",
        #"{"prompt_tokens_details": {"cached_tokens": 0}, "a": 1}"#, "total-tokens: 20\na: b",
        "<Tokens>20</Tokens>",
    ])
    func `a number of tokens and what stands behind a blank line are shown`(_ body: String) {
        #expect(RedactedText.of(Data(body.utf8), by: Redaction()) == body)
    }

    @Test(arguments: [
        #"{"tokens": ["x1"]}"#, #"{"token": 12}"#, #"{"tokens": "12a"}"#,
        #"{"access_tokens": 12345678901234567890}"#, #"{"tokens_details": {"token": "x1"}}"#,
    ])
    func `tokens that are no number are left out`(_ body: String) {
        let shown = Redaction().excerpt(of: Data(body.utf8))
        #expect(shown.contains("…") && !shown.contains("1"))
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
