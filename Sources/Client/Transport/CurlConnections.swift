#if !canImport(Darwin)
import CLarderCurl
import Foundation

/// The kept connections of HTTP/1, where nothing may come before a request has gone out.
///
/// What comes all the same, such as a 408 before the server hangs up or the rest of a response that
/// was longer than it said, would be taken for the answer to the next request, and that one's answer
/// for the one after it. libcurl looks for it before it uses a connection again, all but 7.88; but
/// over TLS, from 8 on, only at the socket, which what the TLS library has read is in no more.
final class CurlConnections {
    /// Whether this libcurl doesn't look for itself, or not everywhere.
    static let isNeeded = larder_curl_version() >= 0x07_58_00

    /// The ends of a connection, which tell it from all others that there are at the same time: the
    /// kernel may give those to different hosts the same local port.
    struct Ends: Hashable {
        var localPort: CInt
        var host: String
        var port: CInt

        func hash(into hasher: inout Hasher) {
            // Enough to tell them apart mostly, and less work.
            hasher.combine(localPort)
        }

        func areThose(of descriptor: CInt) -> Bool {
            larder_socket_connects(descriptor, localPort, host, port) != 0
        }
    }

    /// The descriptors of connections that a request has gone out over, and that are open.
    @exclusivity(unchecked) private var descriptors: [Ends: CInt] = [:]
    /// The same the other way round.
    @exclusivity(unchecked) private var ends: [CInt: Ends] = [:]
    /// The connections that requests may share.
    let shared = CurlSharedConnections()
    /// Whether a request has been kept from being sent since the loop looked last.
    @exclusivity(unchecked) var haveRefused = false
    /// Whether content has come, since the loop looked last, that somebody reads as it comes.
    @exclusivity(unchecked) var haveContent = false
    /// The number of exchanges under way.
    @exclusivity(unchecked) var exchangeCount = 0

    static func from(_ context: UnsafeMutableRawPointer?) -> CurlConnections? {
        context.map { Unmanaged<CurlConnections>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Closes a socket for libcurl, which is one of a connection or never became one.
    func close(_ descriptor: CInt) -> CInt {
        if let ends = ends.removeValue(forKey: descriptor) { descriptors[ends] = nil }
        shared.forget(descriptor)
        return Foundation.close(descriptor)
    }

    /// Takes note of the connection that a request goes out over; once the response is there, libcurl
    /// may hand it on to the next one before it says so.
    ///
    /// - Parameters:
    ///   - opened: The sockets that were opened for the request, none where it goes over a kept one.
    ///   - connection: The connection, where it is one that requests may share: over HTTP/2 things may
    ///     come at any time.
    func noteSending(over ends: Ends, opened: [CInt], as connection: CurlSharedConnection?) {
        guard Self.isNeeded, connection?.speaksHTTP2 != true,
            let descriptor = opened.last(where: ends.areThose)
        else { return }
        note(descriptor, between: ends)
    }

    /// Takes note of a connection.
    func note(_ descriptor: CInt, between ends: Ends) {
        descriptors[ends] = descriptor
        self.ends[descriptor] = ends
    }

    /// Takes no more note of a connection.
    func forget(_ ends: Ends) {
        guard let descriptor = descriptors.removeValue(forKey: ends) else { return }
        self.ends[descriptor] = nil
    }

    /// Whether nothing has come over the connection that a request is about to go out over.
    func isAtRest(_ ends: Ends, of easy: UnsafeMutableRawPointer) -> Bool {
        guard let descriptor = descriptors[ends],
            larder_socket_is_at_rest(descriptor) == 0
                || larder_curl_may_hold_unread_tls(easy) != 0
        else { return true }
        forget(ends)
        return false
    }
}
#endif
