import Foundation
import HTTPTypes
import Testing

@testable import LarderClient

@Suite struct RedactedTextTests {
    @Test(arguments: [
        ("see https://ann:p@h/a@b", "see https://…@h/a@b"),
        (#"{"url": "https:\/\/ann:p@h\/a"}"#, #"{"url": "https:\/\/…@h\/a"}"#),
        ("https://h/a@b, mail@h", "https://h/a@b, mail@h"), ("://", "://"), ("a://@", "a://…@"),
        ("https:/ann:p@h/x", "https:/…@h/x"), ("see HTTP:ann:p@h/x", "see HTTP:…@h/x"),
        ("mailto:ann@h", "mailto:ann@h"), ("http: ann@h", "http: ann@h"),
        ("see <https://ann:p@h/a> now", "see <https://…@h/a> now"),
        ("<redis://:p@h><redis://:q@h>", "<redis://…@h><redis://…@h>"),
        ("<https:/ann:p@h/>", "<https:/…@h/>"), ("<a:/><b:c/>", "<a:/><b:c/>"),
        ("see https://ann:p,q;r's@h/a", "see https://…@h/a"),
        ("a://h1,h2/x b@h", "a://h1,h2/x b@h"), ("a://u:p@h1,h2/x", "a://…@h1,h2/x"),
        ("//ann:p@h/a", "//…@h/a"), ("url(//ann:p,q@h)", "url(//…@h)"),
        ("//h/a:b@c //ann@h //a: b@c", "//h/a:b@c //ann@h //a: b@c"),
        // What may be a pair in it goes on behind it.
        ("https://h,password=a@b/c d", "https://… d"), ("a://h;sid=b@c&d=e", "a://…&d=e"),
    ])
    func `who asks is left out of URLs in text`(_ text: String, _ expected: String) {
        #expect(Redaction().excerpt(of: Data(text.utf8)) == expected)
    }

    @Test(arguments: [
        (#"{"token": "abc", "id": 1}"#, #"{"token": "…", "id": 1}"#),
        (#"{"a":"it's","password":"b':c","d":"'="}"#, #"{"a":"it's","password":"…","d":"'="}"#),
        (
            #"{"a":"{\"password\":\"x\\\"y%22z\\\"w\",\"id\":1}"}"#,
            #"{"a":"{\"password\":\"…\",\"id\":1}"}"#
        ),
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
            #"{"message": "bad password: …", "id": 1}"#
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
        ("password=it's%201&a=b", "password=…&a=b"), ("password=a,b;c&d=e", "password=…&d=e"),
        ("password=a,d=e", "password=…,d=e"), ("(password=a, b)", "(password=…, b)"),
        ("{'password=a', 'b'}", "{'password=…', 'b'}"),
        ("a=1&pass%77ord=x", "a=1&pass%77ord=…"),
        ("grant=a&code=abc", "grant=a&code=…"),
        ("password: x y\nnext: z", "password: … next: z"),
        ("see https://h/a?token=x for more", "see https://h/a?token=… for more"),
        (
            "a: Error Domain=NSURLErrorDomain Code=-1009 \"(null)\" Code=12",
            "a: Error Domain=NSURLErrorDomain Code=-1009 \"(null)\" Code=…"
        ),
        ("Error Domain=a Code=x1", "Error Domain=a Code=…"), ("Domain=a Code=1", "Domain=a Code=…"),
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
        (
            #"{"detail":[{"loc":["body","password"],"msg":"short","input":"x"},{"input":"y"}]}"#,
            #"{"detail":[{"loc":["body","password"],"msg":"short","input":"…"},{"input":"y"}]}"#
        ),
        (
            #"{"path": ["body", "age"], "input": "x"}"#, #"{"path": ["body", "age"], "input": "x"}"#
        ),
        (#"{"path": "/tokens", "value": "x"}"#, #"{"path": "/tokens", "value": "…"}"#),
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
}
