#if !canImport(Darwin)
import CLarderCurl
import Testing

@testable import LarderClient

@Suite struct CurlErrorTests {
    @Test(arguments: [CURLE_PARTIAL_FILE, CURLE_HTTP2])
    func `before a response has begun, the end of a connection is its loss`(_ code: CURLcode) {
        #expect(TransportError(code, detail: "", inHead: true).kind == .connectionLost)
        #expect(TransportError(code, detail: "", inHead: false).kind != .connectionLost)
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
