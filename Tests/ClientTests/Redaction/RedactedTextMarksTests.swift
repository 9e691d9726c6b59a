import Foundation
import HTTPTypes
import Testing

@testable import LarderClient

@Suite struct RedactedTextMarksTests {
    @Test(arguments: [
        ("\"password\" => \"x y\", a", "\"password\" => \"…\", a"),
        ("password == x", "password == …"),
        (#"{"password"/* c */: /* d */ "x"}"#, #"{"password"/* c */: /* d */ "…"}"#),
        ("password\0=x", "password=…"), ("password\u{A0}= x", "password\u{A0}= …"),
        (#"{"new password": "x", "a b": "c"}"#, #"{"new password": "…", "a b": "c"}"#),
    ])
    func `other signs may stand behind a name`(_ body: String, _ expected: String) {
        #expect(Redaction().excerpt(of: Data(body.utf8)) == expected)
    }

    @Test(arguments: [
        ("user[password]=x&a=b", "user[password]=…&a=b"),
        ("/a?user%5Bapi_token%5D=x&a=b", "/a?user%5Bapi_token%5D=…&a=b"),
        ("/a?user%5Bpwd%5D=x", "/a?user%5Bpwd%5D=…"),
        ("Array\n(\n  [password] => x y\n  [a] => b\n)", "Array (   [password] => …   [a] => b )"),
        (
            "array(1) {\n [\"password\"]=>\n string(7) \"x\"\n}",
            "array(1) {  [\"password\"]=>  … }"
        ),
        (
            #"["password": Optional("x, \"y"), "a": Optional("b")]"#,
            #"["password": "…", "a": Optional("b")]"#
        ),
        (#"["password"]=> string(7) "x""#, #"["password"]=> …"#),
        (#"[AnyHashable("password"): "x", "a": 1]"#, #"[AnyHashable("password"): "…", "a": 1]"#),
        (
            #"["token": Token(value: "x", id: (1)), "a": f("b"), "c": "d"]"#,
            #"["token": "…", "a": f("b"), "c": "d"]"#
        ),
        (#"password=Optional(["a b"])&c=d"#, "password=…&c=d"),
        ("password[]=x&y[password][0]=z&a[]=b", "password[]=…&y[password][0]=…&a[]=b"),
        ("user[password][confirm]=x&a[b]=c", "user[password][confirm]=…&a[b]=c"),
        ("x%5Bpassword%5D%5B%5D=y&password%5B0%5D=z", "x%5Bpassword%5D%5B%5D=…&password%5B0%5D=…"),
        ("{'token': {'a': '}', 'b': 'x'}, 'a': 1}", #"{'token': "…", 'a': 1}"#),
        ("{token: {a: it's}, b: 1}", "{token: …, b: 1}"),
    ])
    func `a name may be a key of a list's, as programs write it down`(
        _ body: String, _ expected: String
    ) {
        #expect(Redaction().excerpt(of: Data(body.utf8)) == expected)
    }
}
