#if !canImport(Darwin)
import Foundation
import TestProgram
import Testing

@testable import LarderClient

/// The keys of certificates, as openssl tells them.
@Suite(.enabled(if: TLSServer.isPossible, "There is no python3 or no openssl on the PATH."))
struct CertificateKeyTests {
    private static func made(_ commands: String) async throws -> Data {
        let made = try await TestProgram(at: URL(filePath: "/bin/sh"))
            .run(["-c", "set -e; cd $(mktemp -d); \(commands)"])
        return try #require(Data(base64Encoded: made.output, options: .ignoreUnknownCharacters))
    }

    @Test(arguments: [
        "ec -pkeyopt ec_paramgen_curve:P-256", "ec -pkeyopt ec_paramgen_curve:P-521", "ed25519",
        "rsa:2048", "rsa:4096",
    ])
    func `a certificate's key is the one that openssl tells`(_ kind: String) async throws {
        let key = "openssl req -x509 -newkey \(kind) -nodes -keyout k -subj /CN=a -days 2 -out c"
        let parts = try await Self.made(
            "\(key) 2>/dev/null; openssl x509 -in c -outform der > all;"
                + "openssl x509 -in c -pubkey -noout | openssl pkey -pubin -outform der > key;"
                + "printf '%08d' $(wc -c < all) | cat - all key | openssl base64")
        let count = try #require(Int(String(decoding: parts.prefix(8), as: UTF8.self)))
        let certificate = parts.dropFirst(8).prefix(count)
        #expect(CertificateKey.info(ofCertificate: certificate) == parts.dropFirst(8 + count))
        // What is cut off, or of other lengths, is no certificate, and traps nothing.
        let bytes = [UInt8](certificate)
        for end in 0..<min(bytes.count, 300) {
            #expect(CertificateKey.info(ofCertificate: Data(bytes[..<end])) == nil)
        }
        for index in 0..<40 {
            for byte in [UInt8(0), 0x7F, 0x80, 0x84, 0x89, 0xFF] {
                var damaged = bytes
                damaged[index] = byte
                _ = CertificateKey.info(ofCertificate: Data(damaged))
            }
        }
    }

    @Test func `certificates are read one after the other`() async throws {
        let folder = try await TestCertificates.made()
        defer { try? FileManager.default.removeItem(at: folder) }
        let texts = try ["good.pem", "authority.pem"].map {
            try Data(contentsOf: folder.appending(path: $0))
        }
        let both = try #require(
            CertificateKey.certificates(inPEM: texts[0] + Data("# and\n".utf8) + texts[1]))
        #expect(both.count == 2)
        let keys = both.map { CertificateKey.info(ofCertificate: $0) }
        #expect(keys[0] != nil && keys[1] != nil && keys[0] != keys[1])
        #expect(CertificateKey.certificates(inPEM: Data()) == [])
        #expect(CertificateKey.certificates(inPEM: texts[0].dropLast(40)) == nil)
        let damaged = String(decoding: texts[0], as: UTF8.self).replacing("M", with: "!")
        #expect(CertificateKey.certificates(inPEM: Data(damaged.utf8)) == nil)
    }
}
#endif
