import Foundation
import Testing

@testable import LarderClient

@Suite struct RedactedTextWordsTests {
    @Test(arguments: [
        ("password='it''s my cat', id=1", "password='…', id=1"),
        (#"password='C:\'' or', id=1"#, "password='…', id=1"),
        ("password=a')secret&id=1", "password=…&id=1"),
        // Where a quote is not closed, nobody knows what is behind it.
        ("password='a')secret&id=1", "password=…"),
        ("password=;)secret&id=1", "password=…&id=1"),
        ("password==)secret&id=1", "password==…&id=1"),
        ("password=a%26quot;)secret&id=1", "password=…&id=1"),
        ("q=password%3Da%3B)secret%26id%3D1", "q=password%3D…%26id%3D1"),
        (#"curl -d 'password=it'\''s me&id=1'"#, #"curl -d 'password=… me&id=1'"#),
        (#"curl -H 'X-Token: "a" b'"#, #"curl -H 'X-Token: …'"#),
        (#"password=C:\new\secret id=1"#, "password=… id=1"),
        ("password=a\"b\")secret id=1", "password=… id=1"),
        (
            #"Authorization = Digest username="a, b", nc=1,response="c d" id=1"#,
            "Authorization = … id=1"
        ),
        ("Authorization=Basic YQ==, id=1", "Authorization=…, id=1"),
        ("Authorization=Digest nc=1, see id=1", "Authorization=…, see id=1"),
    ])
    func `what may be a part of a value is left out`(_ body: String, _ expected: String) {
        #expect(RedactedText.of(Data(body.utf8), by: Redaction()) == expected)
    }

    @Test(arguments: [
        (
            #"{"a":"{\"password\" :\n\t\"x\\\"y\",\"id\":1}"}"#,
            #"{"a":"{\"password\" :\n\t\"…\",\"id\":1}"}"#
        ),
        (
            #"{"error": "bad password: x, y", "id": 1}"#,
            #"{"error": "bad password: …", "id": 1}"#
        ),
        (
            #"{"log": "pin: x, y\nid: 1"}"#, #"{"log": "pin: …\nid: 1"}"#
        ),
        (
            #"{"log": "a=password=\"x\\\"y z\" id=1"}"#, #"{"log": "a=password=\"…\" id=1"}"#
        ),
        (#"{"a": "password=x\") secret"}"#, #"{"a": "password=… secret"}"#),
        (
            #"{"a":"password\u003dx\") secret\u0026id\u003d1"}"#,
            #"{"a":"password\u003d… secret\u0026id\u003d1"}"#
        ),
        (
            #"<a>{&quot;password&quot;:&quot;x\\\&quot;secret&quot;,&quot;id&quot;:1}</a>"#,
            "<a>{&quot;password&quot;:&quot;…&quot;,&quot;id&quot;:1}</a>"
        ),
    ])
    func `quotes and lines in strings are those of the text in them`(
        _ body: String, _ expected: String
    ) {
        #expect(RedactedText.of(Data(body.utf8), by: Redaction()) == expected)
    }

    @Test(arguments: [
        ("[12:30] password: a, b\nid: 1", "[12:30] password: …\nid: 1"),
        ("Authorization: Bearer a\r\n b\r\nid: 1", "Authorization: …\r\nid: 1"),
        ("X-Token: \"a\" b\nid: 1", "X-Token: …\nid: 1"),
        ("X-Token: {a} b\nid: 1", "X-Token: …\nid: 1"),
        ("- password: \"a\"\n  id: 1", "- password: \"…\"\n  id: 1"),
    ])
    func `a value may be a whole line, and go on in the next one`(
        _ body: String, _ expected: String
    ) {
        #expect(RedactedText.of(Data(body.utf8), by: Redaction()) == expected)
    }

    @Test func `a part of a form ends at its own boundary`() {
        let head = "Content-Disposition: form-data; name="
        let body =
            "--b7\r\n\(head)\"pin\"\r\n\r\nx\r\n--secret\r\n--b7\r\n\(head)\"a\"\r\n\r\nshown\r\n--b7--"
        let shown = RedactedText.of(Data(body.utf8), by: Redaction())
        #expect(!shown.contains("secret") && shown.contains("shown"))
    }

    @Test func `names are found in what is left out, as its end may be another one`() {
        let body = #"password: x token="a\#nsecret" id"#
        let shown = RedactedText.of(Data(body.utf8), by: Redaction())
        #expect(!shown.contains("secret"))
    }
}
