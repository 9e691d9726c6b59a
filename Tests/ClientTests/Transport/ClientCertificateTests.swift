#if !canImport(Darwin)
import Foundation
import HTTPTypes
import LarderTesting
import Testing

@testable import LarderClient

/// Servers that ask who the client is.
@Suite(.enabled(if: TLSServer.isPossible, "There is no python3 or no openssl on the PATH."))
struct ClientCertificateTests {
    @Test func `a client's certificate is shown to the host that it is set for`() async throws {
        let server = try await TLSServer(.mutual)
        defer { server.stop() }
        let (key, encrypted) = (try server.file("server.key"), try server.file("encrypted.key"))
        let pem = try server.file("client.pem")
        for certificate in [
            ClientCertificate.pem(certificates: pem, key: key),
            .pem(certificates: pem, key: encrypted, password: "se:cret"),
            .pkcs12(try server.file("client.p12"), password: "se:cret"),
        ] {
            let transport = CurlTransport(configuration: configuration(of: server, certificate))
            let response = try await transport.response(to: .secure(server.baseURL, "/a"))
            #expect(String(decoding: response.body, as: UTF8.self).hasSuffix(" /a"))
        }
    }

    @Test func `an error says what is wrong with a client's certificate`() async throws {
        let server = try await TLSServer(.mutualBefore)
        defer { server.stop() }
        let (key, encrypted) = (try server.file("server.key"), try server.file("encrypted.key"))
        let (pem, stranger) = (try server.file("client.pem"), try server.file("selfSigned.pem"))
        let unreadable = "The client's certificate, or its key, could not be read."
        for certificate in [
            .pem(certificates: pem, key: encrypted, password: "wrong"),
            .pem(certificates: pem, key: encrypted),
            .pem(certificates: Data("x".utf8), key: key), .pkcs12(Data("x".utf8)),
        ] as [ClientCertificate] {
            let transport = CurlTransport(configuration: configuration(of: server, certificate))
            let error = await transport.error(of: .secure(server.baseURL))
            #expect(error?.reason == .secureConnectionFailed)
            #expect(error?.message == unreadable)
        }
        // What the server says, in an alert.
        for (certificates, message) in [
            (try server.file("revoked.pem"), "The client's certificate has been revoked."),
            (try server.file("expired.pem"), "The client's certificate has expired."),
            (stranger, "The server does not accept the client's certificate."),
        ] {
            let transport = CurlTransport(
                configuration: configuration(of: server, .pem(certificates: certificates, key: key))
            )
            let error = await transport.error(of: .secure(server.baseURL))
            #expect(error?.reason == .clientCertificateRefused)
            #expect(error?.message == message)
        }
    }

    /// With TLS 1.3 the server says so after the handshake, and may have hung up before it is heard.
    @Test func `a refused certificate is an error also where the server has hung up`() async throws
    {
        let server = try await TLSServer(.mutual)
        defer { server.stop() }
        let key = try server.file("server.key")
        let refused = ClientCertificate.pem(certificates: try server.file("revoked.pem"), key: key)
        for certificate in [nil, refused] {
            let transport = CurlTransport(configuration: configuration(of: server, certificate))
            let error = try #require(await transport.error(of: .secure(server.baseURL)))
            let isHeard = error.reason == .clientCertificateRefused
            #expect(isHeard || error.reason == .connectionLost)
            #expect(certificate == nil || error.message.contains("certificate"))
        }
    }

    private func configuration(
        of server: TLSServer, _ certificate: ClientCertificate?
    ) -> CurlTransport.Configuration {
        var configuration = server.configuration
        configuration.tls["127.0.0.1"]?.clientCertificate = certificate
        return configuration
    }
}
#endif
