import Foundation
import HTTPTypes
import Testing

@testable import LarderClient

@Suite struct RedactionTests {
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

    @Test(arguments: [
        ("see https://ann:p@h/a@b", "see https://…@h/a@b"),
        (#"{"url": "https:\/\/ann:p@h\/a"}"#, #"{"url": "https:\/\/…@h\/a"}"#),
        ("https://h/a@b, mail@h", "https://h/a@b, mail@h"), ("://", "://"), ("a://@", "a://…@"),
        ("https:/ann:p@h/x", "https:/…@h/x"), ("see HTTP:ann:p@h/x", "see HTTP:…@h/x"),
        ("mailto:ann@h", "mailto:ann@h"), ("http: ann@h", "http: ann@h"),
    ])
    func `who asks is left out of URLs in text`(_ text: String, _ expected: String) {
        #expect(Redaction().excerpt(of: Data(text.utf8)) == expected)
    }

    @Test(arguments: [
        ("X-Api-Key", true), ("X-Auth-Token", true), ("X-Amz-Signature", true),
        ("Content-Type", false), ("ETag", false), ("X-Request-Id", false),
    ])
    func `a field may be secret by its name`(_ name: String, _ isSecret: Bool) {
        let fields: HTTPFields = [.named(name): "value"]
        #expect(Redaction().line(fields) == "\(name): \(isSecret ? "…" : "value")")
    }

    @Test(arguments: [
        (#"{"token": "abc", "id": 1}"#, #"{"token": "…", "id": 1}"#),
        (#"{"Password":"a\"b","x":"y"}"#, #"{"Password":"…","x":"y"}"#),
        (#"{"password": {"value": "x}", "a": [1]}, "id": 1}"#, #"{"password": "…", "id": 1}"#),
        (#"{"token": ["a1", "b2"]}"#, #"{"token": "…"}"#),
        (#"{"token": ["a1", "b2"#, #"{"token": "…""#),
        (#"{"pass\u0077ord": "x"}"#, #"{"pass\u0077ord": "…"}"#),
        ("{\"password\u{301}\": \"x\"}", "{\"password\u{301}\": \"…\"}"),
        ("{\"password\": \"\u{301}x y\"}", "{\"password\": \"…\"}"),
        (
            #"{"auth_token": "x", "sessionId": 7, "jwt": "z", "pwd": "a", "otp": 1}"#,
            #"{"auth_token": "…", "sessionId": "…", "jwt": "…", "pwd": "…", "otp": "…"}"#
        ),
        (
            #"{"user_password": "x", "newPassword": "y"}"#,
            #"{"user_password": "…", "newPassword": "…"}"#
        ),
        (
            #"{"token_type": "bearer", "tokens": true, "author": "a"}"#,
            #"{"token_type": "bearer", "tokens": true, "author": "a"}"#
        ),
        (
            #"{"body": "{\"password\": \"x\", \"a\": 1}"}"#,
            #"{"body": "{\"password\": \"…\", \"a\": 1}"}"#
        ),
        (
            #"{"message": "bad password: x", "id": 1}"#,
            #"{"message": "bad password: "…"", "id": 1}"#
        ),
        (#"{"secret": 12345}"#, #"{"secret": "…"}"#),
        (#"{"message": "not found"}"#, #"{"message": "not found"}"#),
        (#"{"token": "abc"#, #"{"token": "…""#),
        ("plain\ntext", "plain text"),
    ])
    func `values behind secret names are left out of JSON`(_ body: String, _ expected: String) {
        #expect(Redaction().excerpt(of: Data(body.utf8)) == expected)
    }

    @Test(arguments: [
        ("access_token=x&token_type=bearer", "access_token=…&token_type=bearer"),
        ("a=1&pass%77ord=x", "a=1&pass%77ord=…"),
        ("grant=a&code=abc", "grant=a&code=…"),
        ("password: x y\nnext: z", "password: … next: z"),
        ("see https://h/a?token=x for more", "see https://h/a?token=… for more"),
        (
            "<user><password>x</password><id>1</id></user>",
            "<user><password>…</password><id>1</id></user>"
        ),
        ("Basic password='x y', id=1", "Basic password='…', id=1"),
        ("no secret here", "no secret here"),
    ])
    func `values behind secret names are left out of other content`(
        _ body: String, _ expected: String
    ) {
        #expect(Redaction().excerpt(of: Data(body.utf8)) == expected)
    }

    @Test(arguments: [
        ("<s:B><w:Password>x</w:Password></s:B>", "<s:B><w:Password>…</w:Password></s:B>"),
        ("<Password Type=\"a>b\">x</Password><id>1</id>", "<Password …>…</Password><id>1</id>"),
        ("<token><![CDATA[x</token>y]]></token>z", "<token>…</token>z"),
        ("<token><value>x</value><token>y</token>z</token>1", "<token>…</token>1"),
        ("<token value='x'/><id a='b'/>", "<token …/><id a='b'/>"), ("<token>x", "<token>…"),
        ("<token value='x", "<token …"), ("<token/><token></token>", "<token/><token></token>"),
        (#"{"a": "<token>x<\/token> b"}"#, #"{"a": "<token>…<\/token> b"}"#),
        ("<code>a b</code><code>not_found</code>", "<code>a b</code><code>not_found</code>"),
        ("<key>sk_live_4eC39HqLyjWDarjtT1zdp7dc</key>", "<key>…</key>"),
        ("a < token > b, <token", "a < token > b, <token"),
    ])
    func `what is in an element with a secret name is left out`(_ body: String, _ expected: String)
    {
        #expect(Redaction().excerpt(of: Data(body.utf8)) == expected)
    }

    @Test(arguments: [
        (#"[{"name": "password", "value": "x"}]"#, #"[{"name": "password", "value": "…"}]"#),
        (#"[{"key": "token"}, {"value": "x"}]"#, #"[{"key": "token"}, {"value": "x"}]"#),
        (#"{"name": "Ann", "value": "x"}"#, #"{"name": "Ann", "value": "x"}"#),
        (
            #"<input name="csrf_token" value="x"><input name="a" value="y">"#,
            #"<input name="csrf_token" value="…"><input name="a" value="y">"#
        ),
        (
            "--b\r\nC: form-data; name=\"password\"\r\n\r\nx\r\n--b\r\nC: a; name=\"d\"\r\n\r\ne\r\n--b--",
            "--b C: form-data; name=\"password\" … --b C: a; name=\"d\" e --b--"
        ),
    ])
    func `a value whose name is a value too is left out`(_ body: String, _ expected: String) {
        #expect(Redaction().excerpt(of: Data(body.utf8)) == expected)
    }

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
        String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian,
    ])
    func `JSON that is not in UTF-8 is read, too`(_ encoding: String.Encoding) throws {
        // In UTF-16 a byte of the letter is a quote.
        let letter = encoding == .utf32LittleEndian ? "" : "\u{122}"
        let text = #"{"password": "a\#(letter)b", "user": "ann", "id": 1}"#
        let body = try #require(text.data(using: encoding))
        #expect(
            Redaction().excerpt(of: body) == #"{"password": "…", "user": "ann", "id": 1}"#)
    }

    @Test func `names need not be English`() {
        let redaction = Redaction(names: ["пароль", "mot de passe", "Passwört"])
        let body = #"{"Пароль": "x", "mot de passe": "y", "passwo\#u{308}rt": "z", "a": "b"}"#
        #expect(
            redaction.excerpt(of: Data(body.utf8))
                == #"{"Пароль": "…", "mot de passe": "…", "passwo\#u{308}rt": "…", "a": "b"}"#)
    }

    /// In time that grows with the square of the length, each of these would take minutes.
    @Test(.timeLimit(.minutes(1)), arguments: ["[a]", "[password]", "%5Bpassword%5D"])
    func `a server's long URL is hidden quickly`(_ token: String) {
        let tokens = String(repeating: token, count: 48 * 1024 / token.utf8.count)
        let url = Redaction().url("https://a.test/?\(tokens)=secret-value&page=2")
        #expect(url.hasPrefix("https://a.test/?"))
        #expect(url.hasSuffix("page=2"))
    }

    @Test func `a field of a log is short, however long it is`() {
        let value = String(repeating: "code:", count: 20_000)
        let line = Redaction().line([.named("X-A"): value])
        #expect(line == "X-A: " + value.prefix(4096) + "… (100000 bytes)")
    }

    @Test(arguments: [
        (#"{"code": "not_found"}"#, true), (#"{"code": 404}"#, true),
        (#"{"code": "validation_failed_for_email"}"#, true), (#"{"key": "PROJ-12"}"#, true),
        (#"{"key": "sk_live_4eC39HqLyjWDarjtT1zdp7dc"}"#, false),
        (#"{"code": "SplxlOBeZQQYbYS6WxSbIA"}"#, false),
        (#"{"code": "abc", "redirect_uri": "app:/"}"#, false),
        (#"{"device_code": "abc"}"#, false), (#"{"postal_code": "12345"}"#, true),
    ])
    func `a code or key is shown unless it looks like a credential`(
        _ body: String, _ isShown: Bool
    ) {
        let excerpt = Redaction().excerpt(of: Data(body.utf8))
        #expect((excerpt == body) == isShown)
        #expect(excerpt.contains("…") != isShown)
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
        (#"["password"]=> string(7) "x""#, #"["password"]=> "…""#),
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
        ("{token: {a: it's}, b: 1}", #"{token: "…", b: 1}"#),
    ])
    func `a name may be a key of a list's, as programs write it down`(
        _ body: String, _ expected: String
    ) {
        #expect(Redaction().excerpt(of: Data(body.utf8)) == expected)
    }

    @Test(arguments: [
        (
            #"{"detail":[{"loc":["body","password"],"msg":"short","input":"x"},{"input":"y"}]}"#,
            #"{"detail":[{"loc":["body","password"],"msg":"short","input":"…"},{"input":"y"}]}"#
        ),
        (
            #"{"path": ["body", "age"], "input": "x"}"#, #"{"path": ["body", "age"], "input": "x"}"#
        ),
        (#"{"path": "/tokens", "value": "x"}"#, #"{"path": "/tokens", "value": "x"}"#),
        (
            #"{"field": "password", "rejectedValue": "x"}"#,
            #"{"field": "password", "rejectedValue": "…"}"#
        ),
    ])
    func `what a refused form says of a secret is left out`(_ body: String, _ expected: String) {
        #expect(Redaction().excerpt(of: Data(body.utf8)) == expected)
    }

    @Test func `any bytes can be read, and no secret is among what is left`() {
        var generator = SystemRandomNumberGenerator()
        let pieces = [
            "\"password\"", "token", ":", "=", "{", "}", "[", "]", "\\", "\"", "'", "<", ">", " ",
            "\n",
            "\\u0070", "%70", "a", ",", "&", "\u{301}",
        ]
        for _ in 0..<2000 {
            let noise = (0..<Int.random(in: 0..<12, using: &generator))
                .map { _ in pieces.randomElement() ?? "" }.joined()
            let text = noise + #"{"password": "hunter2"}"#
            _ = Redaction().excerpt(of: Data(noise.utf8))
            #expect(
                !Redaction().excerpt(of: Data((#"{"password": "hunter2"}"# + noise).utf8)).contains(
                    "hunter2"))
            _ = Redaction().excerpt(of: Data(text.utf8))
            for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian] {
                let body = (#"{"password": "hunter2"}"# + noise).data(using: encoding) ?? Data()
                #expect(!Redaction().excerpt(of: body).contains("hunter2"))
            }
            let element = "<a:password b='c'>" + noise + "hunter2" + noise + "</a:password>"
            #expect(!Redaction().excerpt(of: Data(element.utf8)).contains("hunter2"))
        }
    }

    @Test func `names can be taken away`() {
        var redaction = Redaction()
        redaction.names.remove("code")
        #expect(redaction.url("https://h/?code=1&key=2") == "https://h/?code=1&key=…")
    }

    @Test func `an excerpt is short, however large the content`() {
        let excerpt = Redaction().excerpt(of: Data(repeating: 65, count: 1_000_000))
        #expect(excerpt.count < 300)
        #expect(excerpt.hasSuffix("(1000000 bytes)"))
    }

    @Test func `names of one's own are added`() {
        #expect(
            Redaction(names: ["PIN"]).url("https://h/?pin=1&token=2") == "https://h/?pin=…&token=…")
    }
}
