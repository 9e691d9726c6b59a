#if !canImport(Darwin)
import CLarderCurl
import Foundation
import LarderPromises

/// The transport over libcurl: one thread at a time around its multi interface.
///
/// Connections are kept and used again. HTTP/2 is spoken where the server offers it, for requests without
/// content, which share a connection; those with content go over HTTP/1.1, as libcurl waits for ever where
/// an HTTP/2 server answers before it has read the content. So do, below libcurl 8.14, those whose response is read as
/// it comes, where one that is not read stops all others of its HTTP/2 connection. Which version is spoken can be set
/// by host (``HTTPVersions``). A connection of HTTP/1.1 carries one request at a time.
///
/// Content in the codings `gzip` and, where their libraries are there, `br` and `zstd` is decoded, also where
/// up to five codings have been applied one after the other.
///
/// Certificates and host names are always verified. Trusted are the authorities of the bundle that libcurl
/// was built with, on Linux the system's, and for a named host those that its ``TLSSettings`` name.
/// `SSL_CERT_FILE`, `SSL_CERT_DIR` and `CURL_CA_BUNDLE` change nothing about that. No proxy is taken from the
/// environment but by ``ProxySettings/environment(_:)``. What libcurl and its TLS library read there by themselves
/// is: `SSLKEYLOGFILE` names a file that the secrets of connections are written to, and `OPENSSL_CONF` configures
/// OpenSSL, and `HOSTALIASES`, `LOCALDOMAIN` and `RES_OPTIONS` are the system's, where it looks names up; whoever sets
/// the environment of a process is trusted with its connections.
///
/// A kept connection of HTTP/1.1 over which something has come unasked is not used again. Where a connection turns
/// out to be gone, a request is sent again over another one if it is idempotent (RFC 9110, section 9.2.2) and
/// nothing of a response has come, over HTTP/2 at most once; any other fails with ``TransportError/Reason/connectionLost``, also
/// where the server, as it may, only closes a connection that has served enough requests.
///
/// Content whose length the response does not declare ends with the connection. Over TLS a libcurl
/// such as 7.88 takes any end for the right one, also one that a broken connection or somebody between brought about
/// (8.23 does not); JSON that is cut off is refused by its parser, text and data are not.
///
/// Where no other exchange is under way, the thread that has read a response also stores it and runs the handlers of
/// the default scheduler; a second thread goes on with the transport where that takes long.
///
/// The thread starts with the first exchange; it ends when the transport is let go and the last exchange
/// under way has finished. Once the process exits, it does nothing more, and what is under way is never
/// answered.
public final class CurlTransport: Transport {
    private let mailbox = CurlMailbox()
    private let configuration: Configuration

    /// Creates a transport, which opens nothing before its first exchange.
    public init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    deinit {
        mailbox.close()
    }

    /// Starts an exchange; `completion` runs on the transport's thread.
    @discardableResult
    public func send(
        _ request: TransportRequest,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) -> any TransportTask {
        let exchange = CurlExchange(request, mailbox: mailbox, completion: completion)
        do throws(TransportError) {
            try request.validate()
        } catch {
            exchange.complete(.failure(error))
            return exchange
        }
        if mailbox.start(exchange) { startThread() }
        return exchange
    }

    private func startThread() {
        let mailbox = mailbox
        let configuration = configuration
        Thread.detachNewThread {
            larder_name_thread(configuration.threadName)
            WaitBan.perform { CurlLoop.run(mailbox, configuration) }
        }
    }

    /// Whether libcurl's process-wide state is set up, which happens once.
    static let isLibraryReady: Bool = {
        guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK else { return false }
        CurlStandstill.prepare()
        return true
    }()
}
#endif
