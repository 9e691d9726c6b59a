#if !canImport(Darwin)
import CLarderCurl
import Foundation
import HTTPTypes
import Testing

@testable import LarderClient

@Suite struct TransportErrorCurlTests {
    @Test func `before a response has begun, the end of a connection is its loss`() {
        for (code, kind) in [
            (CURLE_PARTIAL_FILE, TransportError.Reason.truncatedBody),
            (CURLE_HTTP2, .connectionLost),
        ] {
            #expect(TransportError(code, detail: "", inHead: true).reason == .connectionLost)
            #expect(TransportError(code, detail: "", inHead: false).reason == kind)
        }
        // Where there is no other to send again over.
        for code in [CURLE_FAILED_INIT, CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST] {
            let error = TransportError(code, detail: "", inHead: true, wasSent: true)
            #expect(error.reason == .connectionLost && !error.isUnsent)
            #expect(TransportError(code, detail: "", inHead: true).reason != .connectionLost)
        }
    }

    @Test(arguments: ["INTERNAL_ERROR (err 2)", "CANCEL (err 8)", "ENHANCE_YOUR_CALM (err 11)"])
    func `a stream that is given up is cut off`(_ reason: String) {
        let detail = "HTTP/2 stream 1 was not closed cleanly: \(reason)"
        let (head, content) = (
            TransportError(CURLE_HTTP2_STREAM, detail: detail, inHead: true),
            TransportError(CURLE_HTTP2_STREAM, detail: detail, inHead: false)
        )
        #expect(head.reason == .connectionLost && content.reason == .truncatedBody)
    }

    @Test(arguments: [
        "HTTP/2 stream 1 was not closed cleanly: PROTOCOL_ERROR (err 1)",
        "HTTP/2 stream 1 was closed cleanly, but before getting all response header fields",
    ])
    func `one that is not as it should be is malformed`(_ detail: String) {
        for inHead in [false, true] {
            let error = TransportError(CURLE_HTTP2_STREAM, detail: detail, inHead: inHead)
            #expect(error.reason == .malformedResponse)
        }
    }

    @Test func `too long a request is not mistaken for too long a response`() async throws {
        let request = TransportRequest.to(
            try #require(URL(string: "http://127.0.0.1:9/")),
            "/" + String(repeating: "a", count: 1 << 20))
        for code in [CURLE_OUT_OF_MEMORY, CURLcode(rawValue: 100)] {
            let long = TransportError(
                code, detail: "", inHead: true, requestSize: request.headSize)
            #expect(long.reason == .invalidRequest)
            let short = TransportError(code, detail: "", inHead: true, requestSize: 1000)
            #expect(short.reason == .limitExceeded)
        }
    }

    @Test func `a wrong key is the proxy's where that is pinned`() throws {
        let pinned = TLSSettings(pins: [
            try PublicKeyPin(Data(repeating: 1, count: 32).base64EncodedString())
        ])
        func message(_ route: CurlRoute?) -> String {
            TransportError(
                CURLE_SSL_PINNEDPUBKEYNOTMATCH, detail: "", inHead: true, over: route
            ).message
        }
        #expect(message(nil).hasPrefix("The server's public key is"))
        #expect(message(CurlRoute(tls: pinned)).hasPrefix("The server's public key is"))
        #expect(
            message(CurlRoute(tls: TLSSettings(), proxyTLS: pinned))
                .hasPrefix("The proxy's public key is"))
        #expect(
            message(CurlRoute(tls: pinned, proxyTLS: pinned))
                .hasPrefix("The proxy's public key, or the server's, is"))
    }

    @Test(arguments: [
        "SSL certificate OpenSSL verify result: self-signed certificate (18)",
        "SSL certificate OpenSSL verify result: unable to get local issuer certificate (20)",
        "SSL certificate problem: self-signed certificate",
    ])
    func `releases say in other words that nobody vouches for a certificate`(_ detail: String) {
        let error = TransportError(CURLE_PEER_FAILED_VERIFICATION, detail: detail, inHead: true)
        #expect(error.message == "The server's certificate is not trusted.")
    }

    @Test(arguments: [
        ("sslv3 alert certificate revoked", "has been revoked."),
        ("sslv3 alert certificate expired", "has expired."),
        ("tlsv13 alert certificate required", "asks for a client's certificate."),
        ("sslv3 alert unsupported certificate", "does not accept the client's certificate."),
        ("tlsv1 alert unknown ca", "does not accept the client's certificate."),
    ])
    func `what a server says of the client's certificate is the same in and behind the handshake`(
        _ alert: String, _ end: String
    ) {
        for (code, detail) in [
            (CURLE_SSL_CONNECT_ERROR, "error:0A000414:SSL routines::\(alert)"),
            (CURLE_RECV_ERROR, "OpenSSL SSL_read: error:0A000414:SSL routines::\(alert), errno 0"),
        ] {
            let error = TransportError(code, detail: detail, inHead: true)
            #expect(error.reason == .clientCertificateRefused)
            #expect(error.message.hasSuffix(end))
        }
        let other = TransportError(
            CURLE_SSL_CONNECT_ERROR, detail: "tlsv1 alert protocol version", inHead: true)
        #expect(other.reason == .secureConnectionFailed)
    }

    @Test func `an old certificate of the client's is told from one of the server's`() {
        var settings = TLSSettings()
        for certificate in [nil, ClientCertificate.pkcs12(Data())] {
            settings.clientCertificate = certificate
            let error = TransportError(
                CURLE_PEER_FAILED_VERIFICATION, detail: "SSL certificate verification failed",
                inHead: true, over: CurlRoute(tls: settings))
            #expect((error.reason == .clientCertificateRefused) == (certificate != nil))
        }
        let required = TransportError(CURLcode(rawValue: 98), detail: "", inHead: true)
        #expect(required.reason == .clientCertificateRefused)
    }

    @Test(arguments: [
        "OpenSSL SSL_connect: Connection reset by peer in connection to 127.0.0.1:9",
        "OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to 127.0.0.1:9",
        "TLS connect error: error:0A000126:SSL routines::unexpected eof while reading",
        "Send failure: Broken pipe",
        "GnuTLS, handshake failed: The TLS connection was non-properly terminated.",
    ])
    func `a handshake that ends early is the same, whatever the system says`(_ detail: String) {
        let error = TransportError(CURLE_SSL_CONNECT_ERROR, detail: detail, inHead: true)
        #expect(error.message == "The server ended the connection during the TLS handshake.")
        #expect(error.reason == .connectionLost && error.isUnsent)
        // Over a connection before.
        let late = TransportError(
            CURLE_SSL_CONNECT_ERROR, detail: detail, inHead: true, wasSent: true)
        #expect(late.reason == .connectionLost && !late.isUnsent)
        // It may be that the server refuses it.
        let settings = TLSSettings(clientCertificate: .pkcs12(Data()))
        for route in [CurlRoute(tls: settings), CurlRoute(proxyTLS: settings)] {
            let error = TransportError(
                CURLE_SSL_CONNECT_ERROR, detail: detail, inHead: true, over: route)
            #expect(error.reason == .secureConnectionFailed)
        }
    }

    @Test(
        arguments: [
            (403, TransportError.Reason.proxyFailed), (502, .cannotConnect), (503, .cannotConnect),
            (504, .cannotConnect),
        ],
        ["Received HTTP code # from proxy after CONNECT", "CONNECT tunnel failed, response #"])
    func `a proxy that can make no tunnel now has not refused to`(
        _ answer: (code: Int, reason: TransportError.Reason), _ words: String
    ) throws {
        let route = CurlRoute(proxy: try Proxy("127.0.0.1:8080"))
        let detail = words.replacing("#", with: "\(answer.code)")
        func error(wasSent: Bool) -> TransportError {
            TransportError(
                CURLE_RECV_ERROR, detail: detail, inHead: true, wasSent: wasSent, over: route)
        }
        #expect(error(wasSent: false).reason == answer.reason)
        #expect(error(wasSent: true).reason != .cannotConnect)
    }

    @Test(arguments: [
        ("server certificate verification failed. CAfile: a CRLfile: none", "is not trusted."),
        ("server certificate expiration date has passed.", "has expired."),
        ("server certificate not activated yet.", "is not valid yet."),
        (
            "SSL: certificate subject name (a) does not match target host name 'b'",
            "is for another host."
        ),
    ])
    func `what GnuTLS says of a certificate comes to the same sentences`(
        _ detail: String, _ end: String
    ) {
        let error = TransportError(CURLE_PEER_FAILED_VERIFICATION, detail: detail, inHead: true)
        #expect(error.message == "The server's certificate " + end)
    }
}
#endif
