import Foundation
import HTTPTypes
import Testing

@testable import LarderClient

@Suite struct SecretNamesTests {
    @Test(arguments: [
        ("X-Api-Key", true), ("X-Auth-Token", true), ("X-Amz-Signature", true),
        ("Ocp-Apim-Subscription-Key", true),
        ("Content-Type", false), ("ETag", false), ("X-Request-Id", false),
    ])
    func `a field may be secret by its name`(_ name: String, _ isSecret: Bool) {
        let fields: HTTPFields = [.named(name): "value"]
        #expect(Redaction().line(fields) == "\(name): \(isSecret ? "…" : "value")")
    }

    @Test func `names need not be English`() {
        let redaction = Redaction(names: ["пароль", "mot de passe", "Passwört"])
        let body = #"{"Пароль": "x", "mot de passe": "y", "passwo\#u{308}rt": "z", "a": "b"}"#
        #expect(
            redaction.excerpt(of: Data(body.utf8))
                == #"{"Пароль": "…", "mot de passe": "…", "passwo\#u{308}rt": "…", "a": "b"}"#)
    }

    @Test func `names can be taken away`() {
        var redaction = Redaction()
        redaction.names.remove("code")
        #expect(redaction.url("https://h/?code=1&key=2") == "https://h/?code=1&key=…")
    }

    @Test func `names of one's own are added`() {
        #expect(
            Redaction(names: ["PIN"]).url("https://h/?pin=1&token=2") == "https://h/?pin=…&token=…")
    }

    @Test(arguments: ["a_key", "uKey", "x-id", "checked_in", "appType", "$"])
    func `a name of one's own may be of short words, or have any ending`(_ name: String) {
        #expect(Redaction(names: [name]).url("https://h/?\(name)=s3cret") == "https://h/?\(name)=…")
    }
}
