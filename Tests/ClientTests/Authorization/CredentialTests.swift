import Foundation
import HTTPTypes
import LarderClient
import Testing

@Suite struct CredentialTests {
    private static let secret = "s3cr3t-value"

    private static let all: [Credential] = [
        .basic(user: "ann", password: secret),
        .bearer(secret, refreshToken: secret + "2", expires: Date(timeIntervalSince1970: 0)),
        .apiKey(secret, field: .named("X-API-Key")),
        .apiKey(secret, queryItem: "appid"),
        .headerFields([.named("X-User"): secret, .named("X-Pass"): secret]),
    ]

    @Test(arguments: all)
    func `no text that is made of it has a secret`(_ credential: Credential) {
        struct Owner {
            let credential: Credential
            let more: [Credential?]
        }
        var texts = ["\(credential)", String(reflecting: credential), credential.debugDescription]
        for value in [
            credential as Any, [credential], Owner(credential: credential, more: [credential]),
        ] {
            var text = ""
            dump(value, to: &text)
            texts += [text, "\(value)", String(reflecting: value)]
        }
        let encoded = Data("ann:\(Self.secret)".utf8).base64EncodedString()
        for text in texts {
            #expect(!text.contains(Self.secret) && !text.contains(encoded))
        }
    }

    @Test func `its description says what it is`() {
        #expect("\(Credential.bearer("a"))" == "Credential(Authorization: …)")
        #expect("\(Credential.apiKey("a", queryItem: "key"))" == "Credential(?key=…)")
        let expiring = Credential.bearer("a", expires: Date(timeIntervalSince1970: 0))
        #expect("\(expiring)".contains("expires 1970-01-01"))
        #expect(
            Mirror(reflecting: expiring).children.map(\.label) == [
                "headerFields", "queryItems", "expires",
            ])
    }

    @Test(arguments: all)
    func `what is kept of it is all of it`(_ credential: Credential) throws {
        let data = try JSONEncoder().encode(credential)
        #expect(try JSONDecoder().decode(Credential.self, from: data) == credential)
    }

    @Test func `two are equal where all of them is`() {
        #expect(Credential.bearer("a") == .bearer("a"))
        #expect(Credential.bearer("a") != .bearer("b"))
        #expect(Credential.bearer("a") != .bearer("a", refreshToken: "r"))
        #expect(Credential.bearer("a") != .bearer("a", expires: Date(timeIntervalSince1970: 0)))
        #expect(Credential.apiKey("a", queryItem: "k") != .apiKey("a", queryItem: "l"))
        #expect(Set(Self.all).count == Self.all.count)
    }
}
