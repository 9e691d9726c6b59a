import HTTPTypes

/// A transport whose downloads and uploads go on while the app does not run, on Apple's systems; elsewhere they are
/// made in the foreground, by the same calls.
///
/// ```swift
/// let transfers = BackgroundTransport(identifier: "com.example.app.transfers") { transfer in
///     print("\(transfer.url) has ended: \(transfer.result)")
/// }
/// let client = client.configured { $0.transport = transfers }
/// client.download(.get("maps/europe"), to: file)
/// ```
///
/// What a client writes to a file, and requests with content, are handed to the system; whatever else is asked goes over the
/// `foreground` transport. As long as the app runs, promises are settled as ever. Where it has been ended and is
/// launched again, its promises are gone: a transport of the same identifier is created again then, at each launch, to which
/// the system tells how the transfers have ended. A file that has come whole takes its name. Whoever asks for the same
/// download again while it is still on its way, with the same credentials, goes on with it.
///
/// In the background, the system follows redirects by itself, with the request's header fields, waits for a
/// network, and tries again what has timed out; ``TransportRequest/timeout`` does not count, ``Configuration/timeout`` does.
/// Validators and processors have no part in what has ended without its promise.
public final class BackgroundTransport: Transport {
    /// The name by which the system knows its transfers.
    public let identifier: String

    private let foreground: any Transport
    /// Nil where the system has no such thing.
    private let background: (any BackgroundExchanger)?

    /// Creates a transport, of which an app has only one with each identifier.
    ///
    /// - Parameters:
    ///   - identifier: A name that is the app's own, and the same at each launch.
    ///   - foreground: The transport of whatever is no transfer; the one that all clients share unless given.
    ///   - onEnd: What is told of transfers that an earlier run of the app has begun.
    public init(
        identifier: String, configuration: Configuration = Configuration(),
        foreground: (any Transport)? = nil,
        onEnd: @escaping @Sendable (BackgroundTransfer) -> Void = { _ in }
    ) {
        self.identifier = identifier
        self.foreground = foreground ?? SharedTransport.current
        background = Self.exchanger(identifier, configuration, onEnd)
    }

    /// For tests, which have exchanges of their own.
    init(foreground: any Transport, background: any BackgroundExchanger) {
        identifier = "test"
        (self.foreground, self.background) = (foreground, background)
    }

    /// Starts an exchange, in the background where it is a transfer.
    @discardableResult
    public func send(
        _ request: TransportRequest,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) -> any TransportTask {
        let transport = request.isTransfer ? background ?? foreground : foreground
        return transport.send(request, completion: completion)
    }

    /// Waits until all has been told that happened while the app did not run; at once where nothing does then.
    ///
    /// ```swift
    /// func application(
    ///     _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String
    /// ) async {
    ///     await transfers.eventsDelivered()
    /// }
    /// ```
    public func eventsDelivered() async {
        await background?.eventsDelivered()
    }
}

extension BackgroundTransport {
    /// The settings of transfers in the background, none of which change anything in the foreground.
    public struct Configuration: Sendable {
        /// Whether the system may wait for a good moment, such as one with Wi-Fi and power; false unless set.
        public var isDiscretionary = false

        /// Whether the system launches the app where a transfer ends; true unless set.
        public var launchesApp = true

        /// Whether transfers go over cellular networks; true unless set.
        public var allowsCellularAccess = true

        /// The identifier of the container that an extension shares with its app; none unless set.
        public var sharedContainer: String?

        /// The time that a transfer may take, with all attempts of the system's; seven days unless set.
        public var timeout = Duration.seconds(7 * 86_400)

        /// What is asked of the certificates of hosts, by their name, as in ``CurlTransport/Configuration/tls``.
        public var tls: [String: TLSSettings] = [:]

        /// Creates a configuration.
        public init() {}
    }
}

/// Something that performs exchanges while the app does not run.
protocol BackgroundExchanger: Transport {
    /// Waits until all has been told that happened meanwhile.
    func eventsDelivered() async
}

extension TransportRequest {
    /// Whether it is one that the system can make while the app does not run: its content comes from a file, or goes
    /// to one.
    fileprivate var isTransfer: Bool {
        switch sink {
        case .file: body == nil
        case .reader: false
        case nil: body != nil && head.method != .get
        }
    }
}
