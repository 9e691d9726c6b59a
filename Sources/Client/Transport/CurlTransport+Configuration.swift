#if !canImport(Darwin)
extension CurlTransport {
    /// The settings of a transport's connections and of its threads.
    public struct Configuration: Sendable {
        /// The time to connect in, TLS included; 15 seconds unless set.
        public var connectTimeout: Duration

        /// The most exchanges under way at once, and connections kept; 128 unless set.
        ///
        /// More wait their turn, in the order they came, and their timeout counts from its coming. The
        /// bound is one for all hosts; a ``RequestQueue`` has one for each.
        public var maximumExchanges: Int

        /// As many as there may be, which is one at least, whatever has been set.
        var exchangeLimit: Int { max(maximumExchanges, 1) }

        /// The name of the transport's threads, at most 15 bytes.
        public var threadName: String

        /// The versions of HTTP that are spoken with hosts that have none of their own;
        /// ``HTTPVersions/upTo2`` unless set.
        public var httpVersions = HTTPVersions.upTo2

        /// The versions of HTTP that are spoken with hosts, by name.
        ///
        /// ```swift
        /// configuration.httpVersionsOfHosts["backend.internal"] = .priorKnowledge
        /// ```
        public var httpVersionsOfHosts: [String: HTTPVersions] = [:]

        /// The proxies that requests go through; none unless set.
        public var proxies = ProxySettings.none

        /// What is asked of the certificates of hosts, and of proxies that are spoken to over https, by their name;
        /// `*.example.com` stands for all that end in `.example.com` and have no settings of their own.
        ///
        /// Where one of the keys is no name or address, nothing is sent at all: nobody is to believe a host pinned
        /// that is not.
        public var tls: [String: TLSSettings] = [:]

        /// The addresses of hosts and proxies, by name, which are not looked up then.
        ///
        /// Certificates have to be the host's for all that. What is reached through a proxy is the proxy's to look up.
        public var addresses: [String: [String]] = [:]

        /// The paths of the sockets that hosts listen on instead of a network's, by name.
        ///
        /// ```swift
        /// configuration.unixSockets["docker"] = "/var/run/docker.sock"    // http://docker/containers/json
        /// ```
        ///
        /// Each request has a connection of its own there. A redirect of any http host may lead there: a transport that
        /// asks hosts which are not trusted should have none.
        public var unixSockets: [String: String] = [:]

        /// The address, or the name of the interface, that connections go out from; any unless set.
        public var localAddress: String?

        /// The time for which a connection is kept that nobody uses, in whole seconds; 118 seconds unless set.
        public var idleConnectionTimeout = Duration.seconds(118)

        /// The time for which a connection is used again after it was opened, in whole seconds; any unless set.
        ///
        /// libcurl knows it from 7.80 on.
        public var connectionLifetime: Duration?

        /// The time after which the other end of a silent connection is asked whether it is still there, and
        /// between two such questions, in whole seconds; none are asked unless set.
        public var keepAliveInterval: Duration?

        /// Replaced where a test lets it fail.
        var wait = CurlWait()

        /// The time for which a request waits for a connection to be shared that another opens.
        var sharingPatience = Duration.seconds(2)

        /// Creates a configuration.
        public init(
            connectTimeout: Duration = .seconds(15),
            maximumExchanges: Int = 128,
            threadName: String = "larder-curl"
        ) {
            self.connectTimeout = connectTimeout
            self.maximumExchanges = max(maximumExchanges, 1)
            self.threadName = threadName
        }
    }
}
#endif
