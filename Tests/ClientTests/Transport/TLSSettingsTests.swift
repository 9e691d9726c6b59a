import Foundation
import Testing

@testable import LarderClient

@Suite struct TLSSettingsTests {
    private let hash = Data(repeating: 7, count: 32).base64EncodedString()

    @Test func `a pin is the base64 of 32 bytes`() throws {
        #expect(try PublicKeyPin(hash) == PublicKeyPin("sha256/" + hash))
        #expect(try "\(PublicKeyPin(hash))" == hash)
        for text in [
            "", "x", "sha256//" + hash, Data([1]).base64EncodedString(), hash + ";" + hash,
        ] {
            let error = #expect(throws: TransportError.self) { try PublicKeyPin(text) }
            #expect(error?.reason == .invalidRequest)
        }
    }

    @Test func `nothing shows a key and its password`() {
        let secret = Data("secret".utf8)
        for certificate in [
            ClientCertificate.pem(certificates: secret, key: secret, password: "secret"),
            .pkcs12(secret, password: "secret"),
        ] {
            var dumped = ""
            dump(TLSSettings(clientCertificate: certificate), to: &dumped)
            for text in ["\(certificate)", String(reflecting: certificate), dumped] {
                #expect(!text.contains("secret") && !text.contains("6 bytes"))
            }
        }
    }
}
