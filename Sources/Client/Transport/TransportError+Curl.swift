#if !canImport(Darwin)
import CLarderCurl

extension TransportError {
    /// Translates libcurl's result code.
    ///
    /// - Parameters:
    ///   - detail: What libcurl says beyond its code.
    ///   - inHead: Whether the head of the response was still to come, or to end.
    ///   - requestSize: How many bytes the request's head comes to, about.
    ///   - wasSent: Whether the request had been sent once, over a connection that ended.
    ///   - route: What was set for its connection, if anything was.
    init(
        _ code: CURLcode, detail: UnsafePointer<CChar>, inHead: Bool, requestSize: Int = 0,
        wasSent: Bool = false, over route: CurlRoute? = nil
    ) {
        let detail = String(cString: detail)
        let hasProxy = route?.proxy != nil
        switch code {
        case CURLE_RECV_ERROR where detail.contains("chunk"):
            // The code is that of a lost connection too.
            self = .malformedResponse("The content's chunks are not as they should be.")
        case CURLE_OUT_OF_MEMORY where requestSize > Self.mostOfRequest,
            Self.tooLarge where requestSize > Self.mostOfRequest:
            self = .invalidRequest(
                "The URL and the header fields exceed the 1 MB that can be sent.")
        case CURLE_RECV_ERROR where hasProxy && Self.isPassingRefusal(ofProxy: detail):
            self.init(
                wasSent ? .connectionLost : .cannotConnect,
                "The proxy could not connect to the host.", code: Int(code.rawValue))
        case CURLE_RECV_ERROR where hasProxy && detail.contains("CONNECT abort"):
            self.init(
                wasSent ? .connectionLost : .cannotConnect,
                "The proxy ended the connection before it had answered.", code: Int(code.rawValue))
        case CURLE_RECV_ERROR where hasProxy && Self.isRefusal(ofProxy: detail):
            let isUnknown = detail.contains("407")
            self =
                isUnknown
                ? .refusedByProxy(code: Int(code.rawValue))
                : TransportError(
                    .proxyFailed, "The proxy refused to connect to the host.",
                    code: Int(code.rawValue))
        case CURLE_COULDNT_CONNECT where hasProxy && !wasSent:
            self.init(.cannotConnect, "The proxy could not be reached.", code: Int(code.rawValue))
        case CURLE_RECV_ERROR where inHead && Self.isAboutCertificate(alert: detail):
            // With TLS 1.3 the server says so once the handshake is over.
            self.init(CURLE_SSL_CONNECT_ERROR)
            message = Self.sentence(ofRefusal: detail) ?? message
            reason = .clientCertificateRefused
            self.code = Int(code.rawValue)
        case CURLE_SEND_ERROR where inHead && route?.tls?.clientCertificate != nil,
            CURLE_RECV_ERROR where inHead && route?.tls?.clientCertificate != nil:
            // What the server had to say is lost where it hung up first.
            self.init(code)
            message =
                "The connection ended before the response had begun; the server may not accept the client's "
                + "certificate."
        case CURLE_RECV_ERROR where detail.contains("response headers"),
            CURLE_OUT_OF_MEMORY where inHead, Self.tooLarge:
            // libcurl's own bound for one line is 100 KB, and 300 KB for all since 8.3.
            self = .limitExceeded("A header field, or all of them, exceed what libcurl takes.")
        case CURLE_PARTIAL_FILE where inHead, CURLE_HTTP2 where inHead,
            CURLE_FAILED_INIT where inHead && wasSent, CURLE_COULDNT_CONNECT where wasSent,
            CURLE_COULDNT_RESOLVE_HOST where wasSent:
            // So libcurl says it where an HTTP/2 connection ends, in good order too, and where it has no
            // other connection to send again over what went over one that ended.
            self.init(
                .connectionLost, "The connection ended before the response had begun.",
                code: Int(code.rawValue))
        case CURLE_HTTP2_STREAM where detail.isEmpty && inHead:
            // So libcurl says it where the server has answered, if it has, before all of the content was sent.
            self.init(
                .connectionLost, "The server ended the stream before the content had been sent.",
                code: Int(code.rawValue))
        case CURLE_HTTP2_STREAM where Self.isReset(stream: detail):
            self.init(
                inHead ? .connectionLost : .truncatedBody,
                "The server, or one before it, ended the stream before the response was whole.",
                code: Int(code.rawValue))
        case CURLE_UNSUPPORTED_PROTOCOL:
            // The request's protocol has been checked, so an unsupported one is the response's.
            self = .malformedResponse("The response is not HTTP.")
        case CURLE_BAD_FUNCTION_ARGUMENT where !inHead:
            // So libcurl says it of a line behind chunks that it can't read.
            self = .malformedResponse("A field behind the content is not as it should be.")
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            self.init(code)
            message = Self.sentence(ofWrongPinOf: route)
        case CURLE_SSL_CACERT_BADFILE:
            self.init(code)
            message = "The authorities that are set for the host could not be read."
        case CURLE_SSL_CERTPROBLEM:
            self.init(code)
            message = "The client's certificate, or its key, could not be read."
        case CURLE_PEER_FAILED_VERIFICATION
        where detail == Self.wordsOfExpiredAlert && route?.tls?.clientCertificate != nil:
            // So libcurl says it where the server's certificate is good, and the server sends the alert.
            self.init(
                .clientCertificateRefused, "The client's certificate has expired.",
                code: Int(code.rawValue))
        case Self.clientCertificateRequired:
            self.init(
                .clientCertificateRefused, "The server asks for a client's certificate.",
                code: Int(code.rawValue))
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR:
            self.init(code)
            message = Self.sentence(ofRefusal: detail) ?? message
            if Self.isAboutCertificate(alert: detail) { reason = .clientCertificateRefused }
            // As where a server starts anew; or where it does not like the client's certificate.
            let mayRefuse = route?.tls?.clientCertificate ?? route?.proxyTLS?.clientCertificate
            if message == Self.wordsOfEarlyEnd, mayRefuse == nil {
                (reason, isUnsent) = (.connectionLost, !wasSent)
            }
        default:
            self.init(code)
        }
    }

    /// The error for a proxy's 407, to the request for a tunnel or to one that it is to pass on.
    static func refusedByProxy(code: Int? = nil) -> TransportError {
        TransportError(
            .proxyFailed,
            "The proxy asks for a name and a password, or refuses those that it got.", code: code)
    }

    /// Returns a sentence for a key that is not pinned; libcurl does not say whose it is.
    private static func sentence(ofWrongPinOf route: CurlRoute?) -> String {
        let ofProxy = route?.proxyTLS?.pins.isEmpty == false
        let ofServer = route?.tls?.pins.isEmpty == false
        let whose =
            switch (ofProxy, ofServer) {
            case (true, true): "The proxy's public key, or the server's,"
            case (true, false): "The proxy's public key"
            default: "The server's public key"
            }
        return whose + " is none of those that are pinned."
    }

    /// Returns a sentence for the TLS library's own words, which may hold the host's name.
    private static func sentence(ofRefusal detail: String) -> String? {
        let sentences = [
            ("alert certificate required", "The server asks for a client's certificate."),
            ("alert certificate revoked", "The client's certificate has been revoked."),
            ("alert certificate expired", "The client's certificate has expired."),
            ("alert bad certificate", "The server does not accept the client's certificate."),
            ("alert certificate unknown", "The server does not accept the client's certificate."),
            ("alert unsupported cert", "The server does not accept the client's certificate."),
            ("alert unknown ca", "The server does not accept the client's certificate."),
            ("certificate has expired", "The server's certificate has expired."),
            ("not yet valid", "The server's certificate is not valid yet."),
            ("does not match", "The server's certificate is for another host."),
            ("subject name matches", "The server's certificate is for another host."),
            ("certificate problem", "The server's certificate is not trusted."),
            // So 8.21 says it.
            ("verify result", "The server's certificate is not trusted."),
            // These three are GnuTLS's.
            ("certificate verification failed", "The server's certificate is not trusted."),
            ("expiration date has passed", "The server's certificate has expired."),
            ("not activated yet", "The server's certificate is not valid yet."),
            ("wrong version number", "The server does not speak TLS on this port."),
            ("unsupported protocol", "The server speaks no TLS version that is safe."),
            ("protocol version", "The server speaks no TLS version that is safe."),
            ("SSL_ERROR_SYSCALL", wordsOfEarlyEnd),
            ("onnection reset", wordsOfEarlyEnd),
            ("unexpected eof", wordsOfEarlyEnd),
            ("roken pipe", wordsOfEarlyEnd),
            // GnuTLS's again.
            ("non-properly terminated", wordsOfEarlyEnd),
            ("the pull function", wordsOfEarlyEnd),
            ("the push function", wordsOfEarlyEnd),
        ]
        return sentences.first { detail.contains($0.0) }?.1
    }

    /// Whether the TLS library's own words are of what a server said about the client's certificate.
    private static func isAboutCertificate(alert detail: String) -> Bool {
        detail.contains("alert")
            && (detail.contains("certificate") || detail.contains("unknown ca"))
    }

    /// Whether libcurl's words are of an HTTP/2 stream that the other side has given up, as it does where what it
    /// asks itself fails, and not of what this side objects to (RFC 9113, section 7).
    private static func isReset(stream detail: String) -> Bool {
        let objections = [
            "PROTOCOL_ERROR", "FLOW_CONTROL_ERROR", "FRAME_SIZE_ERROR", "COMPRESSION_ERROR",
            "STREAM_CLOSED",
        ]
        return (detail.contains("not closed cleanly") || detail.contains("reset by server"))
            && !objections.contains(where: detail.contains)
    }

    /// Whether libcurl's words are of a proxy that made no tunnel.
    private static func isRefusal(ofProxy detail: String) -> Bool {
        detail.contains("from proxy") || detail.contains("CONNECT tunnel")
    }

    /// Whether libcurl's words are of a proxy that could make no tunnel at the moment.
    private static func isPassingRefusal(ofProxy detail: String) -> Bool {
        isRefusal(ofProxy: detail) && ["502", "503", "504"].contains(where: detail.contains)
    }

    /// libcurl's own bound is 1 MiB, with two or three lines that it adds.
    private static let mostOfRequest = (1 << 20) - 1024

    /// CURLE_TOO_LARGE, which came with 8.6.
    private static let tooLarge = CURLcode(rawValue: 100)

    /// What libcurl makes of OpenSSL's "sslv3 alert certificate expired".
    private static let wordsOfExpiredAlert = "SSL certificate verification failed"

    private static let wordsOfEarlyEnd =
        "The server ended the connection during the TLS handshake."

    /// CURLE_SSL_CLIENTCERT, which came with 7.77.
    private static let clientCertificateRequired = CURLcode(rawValue: 98)

    /// CURLE_PROXY, which came with 7.73.
    private static let proxyError = CURLcode(rawValue: 97)

    private init(_ code: CURLcode) {
        let reason: Reason =
            switch code {
            case CURLE_ABORTED_BY_CALLBACK: .cancelled
            case CURLE_OPERATION_TIMEDOUT: .timedOut
            case CURLE_URL_MALFORMAT: .invalidRequest
            case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .cannotFindHost
            case Self.proxyError: .proxyFailed
            case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED: .cannotConnect
            case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CIPHER,
                CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
                CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH:
                .secureConnectionFailed
            // libcurl says HTTP2 both of frames that can't be read and of an end among them.
            case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_SEND_FAIL_REWIND,
                CURLE_HTTP2:
                .connectionLost
            case CURLE_PARTIAL_FILE: .truncatedBody
            case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_HTTP2_STREAM:
                .malformedResponse
            case CURLE_FILESIZE_EXCEEDED: .limitExceeded
            default: .other
            }
        let sentence = String(cString: curl_easy_strerror(code))
        self.init(
            reason, reason == .cancelled ? "The exchange was cancelled." : sentence + ".",
            code: reason == .cancelled ? nil : Int(code.rawValue))
    }
}
#endif
