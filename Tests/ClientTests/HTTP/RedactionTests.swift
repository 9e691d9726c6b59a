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
        ("https://h/\u{1}", "…"),
    ])
    func `secret query values are left out`(_ url: String, _ expected: String) {
        #expect(Redaction().url(url) == expected)
    }

    @Test func `secret fields are left out`() {
        let fields: HTTPFields = [.authorization: "Bearer x", .accept: "a", .named("X-Own"): "y"]
        let redaction = Redaction(headerFields: [.named("X-Own")])
        #expect(redaction.lines(fields) == "Authorization: …, Accept: a, X-Own: …")
    }

    @Test(arguments: [
        (#"{"token": "abc", "id": 1}"#, #"{"token": "…", "id": 1}"#),
        (#"{"Password":"a\"b","x":"y"}"#, #"{"Password": "…","x":"y"}"#),
        (#"{"secret": 12345}"#, #"{"secret": "…"}"#),
        (#"{"message": "not found"}"#, #"{"message": "not found"}"#),
        (#"{"token": "abc"#, #"{"token": "…""#),
        ("plain\ntext", "plain text"),
    ])
    func `secret JSON fields are left out of an excerpt`(_ body: String, _ expected: String) {
        #expect(Redaction().excerpt(of: Data(body.utf8)) == expected)
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
