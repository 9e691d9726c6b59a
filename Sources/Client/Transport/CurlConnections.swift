#if !canImport(Darwin)
import CLarderCurl

/// Which connections are kept for HTTP/1, where nothing may come before a request has gone out.
///
/// What comes all the same, such as a 408 before the server hangs up or the rest of a response that
/// was longer than it said, would be taken for the answer to the next request, and that one's answer
/// for the one after it. libcurl looks for it before it uses a connection again, all but 7.88.
final class CurlConnections {
    /// Whether this libcurl doesn't look for itself.
    static let isNeeded = (0x07_58_00..<0x08_00_00).contains(larder_curl_version())

    /// The descriptors of connections that a whole response has come over, by their local ports.
    ///
    /// A connection that was closed may still be here; its descriptor has that port no more.
    private var descriptors: [Int: CInt] = [:]

    /// Takes note of the connection that a response has come over; `opened` are the sockets that were
    /// opened for its request.
    func noteResponse(to easy: UnsafeMutableRawPointer, opened: [CInt]) {
        guard Self.isNeeded else { return }
        var version = 0
        var port = 0
        larder_curl_get_long(easy, CURLINFO_HTTP_VERSION, &version)
        larder_curl_get_long(easy, CURLINFO_LOCAL_PORT, &port)
        guard version == CURL_HTTP_VERSION_1_0 || version == CURL_HTTP_VERSION_1_1 else {
            // Over HTTP/2 things may come at any time.
            descriptors[port] = nil
            return
        }
        if let descriptor = opened.last(where: { larder_socket_port($0) == CInt(port) }) {
            descriptors[port] = descriptor
        }
    }

    /// Whether nothing has come over the connection that a request is about to go out from.
    func isAtRest(port: CInt, of easy: UnsafeMutableRawPointer) -> Bool {
        guard let descriptor = descriptors[Int(port)], larder_socket_port(descriptor) == port,
            larder_socket_is_at_rest(descriptor) == 0
                || larder_curl_may_hold_unread_tls(easy) != 0
        else { return true }
        descriptors[Int(port)] = nil
        return false
    }
}
#endif
