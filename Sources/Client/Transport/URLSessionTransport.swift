#if canImport(Darwin) || LARDER_URLSESSION
import HTTPTypes
import LarderPromises

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// The transport over URLSession, for Apple's systems.
///
/// The session is ephemeral: it keeps no cookies, credentials or cache, and every redirect comes back
/// as the response that it is. Contents in the codings that the system knows are decoded by it, also where a
/// request names its own, so that ``TransportLimits/maximumCompressionRatio`` is not enforced;
/// ``TransportLimits/maximumBodySize`` is. Fields of one name arrive as one, joined by commas, except for
/// `Set-Cookie`. A GET with content is refused, as the system sends none,
/// and content without a type is said to be bytes (`application/octet-stream`), as the system would call it a form.
///
/// Content that is read as it comes holds up the server where its reader is slow: the task is suspended.
public final class URLSessionTransport: Transport {
    private let session: URLSession
    private let exchanges: URLSessionExchanges
    private let turns: URLSessionTurns

    /// Creates a transport, which opens nothing before its first exchange.
    public init(configuration: Configuration = Configuration()) {
        exchanges = URLSessionExchanges(trust: URLSessionTrust(configuration.tls))
        turns = URLSessionTurns(configuration.maximumExchanges)
        session = URLSession(
            configuration: configuration.withoutStorage, delegate: exchanges, delegateQueue: nil)
    }

    /// Creates a transport of a session's settings.
    ///
    /// Of `configuration` the proxy, TLS and network settings count; storage of any kind is
    /// switched off.
    public convenience init(configuration: URLSessionConfiguration) {
        self.init(configuration: Configuration(session: configuration))
    }

    deinit {
        // Exchanges under way still end as they would; the session then lets its delegate go.
        session.finishTasksAndInvalidate()
    }

    /// Starts an exchange; `completion` runs on the session's queue.
    @discardableResult
    public func send(
        _ request: TransportRequest,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) -> any TransportTask {
        let id = turns.makeID()
        let exchange = URLSessionExchange(
            request, onEnd: { [turns] in turns.leave(id) }, completion: completion)
        let urlRequest: URLRequest
        do throws(TransportError) {
            try exchanges.trust.check(request)
            urlRequest = try URLRequest(request)
        } catch {
            exchange.refuse(error)
            return exchange
        }
        // Whoever waits keeps the transport, as a session that has ended makes no tasks.
        turns.enter(id) { self.start(exchange, urlRequest) }
        return exchange
    }

    private func start(_ exchange: URLSessionExchange, _ request: URLRequest) {
        let task = session.dataTask(with: request)
        exchanges.add(exchange, for: task)
        exchange.start(task, within: exchange.request.timeout ?? .seconds(60))
    }
}

extension URLSessionTransport {
    /// The settings of a transport's session.
    public struct Configuration: Sendable {
        /// The settings of the system's, of which proxies, TLS and the network count; storage of any kind is
        /// switched off.
        public var session: URLSessionConfiguration

        /// What is asked of the certificates of hosts, by their name; `*.example.com` stands for all that end in
        /// `.example.com` and have no settings of their own.
        ///
        /// Where one of the keys is no name or address, nothing is sent at all: nobody is to believe a host pinned
        /// that is not. A client's certificate has to be PKCS #12, as the system reads no other.
        public var tls: [String: TLSSettings]

        /// The most exchanges under way at once; 128 unless set.
        ///
        /// More wait their turn, in the order they came, and their timeout counts from its coming. A session of
        /// one's own has its own bound on the connections to one host, six unless set, by which the time counts.
        public var maximumExchanges: Int

        /// Creates a configuration.
        ///
        /// - Parameter session: The system's settings; those of an ephemeral session that has as many connections
        ///   to a host as there are exchanges unless given.
        public init(
            session: URLSessionConfiguration? = nil, tls: [String: TLSSettings] = [:],
            maximumExchanges: Int = 128
        ) {
            let ordinary = URLSessionConfiguration.ephemeral
            ordinary.httpMaximumConnectionsPerHost = max(maximumExchanges, 1)
            // An exchange has a bound of its own, or none.
            ordinary.timeoutIntervalForResource = Double(Int32.max)
            self.session = session ?? ordinary
            self.tls = tls
            self.maximumExchanges = max(maximumExchanges, 1)
        }

        /// The settings of the session in a copy that keeps nothing.
        fileprivate var withoutStorage: URLSessionConfiguration {
            let configuration = session.copy() as? URLSessionConfiguration ?? session
            configuration.storeNothing()
            return configuration
        }
    }
}

extension URLSessionConfiguration {
    /// Switches off whatever would be kept of exchanges.
    func storeNothing() {
        urlCache = nil
        httpCookieStorage = nil
        httpShouldSetCookies = false
        urlCredentialStorage = nil
        requestCachePolicy = .reloadIgnoringLocalCacheData
    }
}
#endif
