import LarderPromises

/// Something that performs exactly one HTTP exchange.
///
/// A transport sends the request as it is and hands over whatever response comes back. It follows no
/// redirect, keeps no cookies, answers no authentication challenge, caches nothing and retries
/// nothing: all of that stands above it, so that every platform behaves alike.
///
/// It refuses to start what ``TransportRequest/validate()`` refuses, and keeps within the request's
/// ``TransportRequest/timeout`` and ``TransportRequest/limits``.
public protocol Transport: Sendable {
    /// Starts an exchange and returns at once.
    ///
    /// `completion` is called exactly once, on a thread of the transport's choosing, and must not
    /// block that thread. It may be called before this method returns.
    @discardableResult
    func send(
        _ request: TransportRequest,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) -> any TransportTask
}

/// A handle on one exchange that is under way.
public protocol TransportTask: Sendable {
    /// Stops the exchange, from any thread.
    ///
    /// Its completion is called with ``TransportError/Reason/cancelled``, unless the exchange had ended
    /// before; then nothing happens.
    func cancel()
}

/// The way of one request to its response, over as many exchanges of a transport as it takes.
protocol Exchange: Sendable {
    /// Sends a request, once.
    func send(_ request: TransportRequest)

    /// Stops whatever is under way.
    func cancel()
}

/// What an exchange tells of on its way.
enum ExchangeStep: Sendable {
    /// It is that of another request, which was sent before.
    case joined
    /// It waits for its turn in the client's queue.
    case waits
    /// It has its turn there.
    case goesOn
    /// A redirect leads to another request, which is about to be sent.
    case redirected(SentRequest)
}

/// The request that a response answers, as interceptors have left it.
///
/// A class, so that a response stays small.
final class SentRequest: Sendable {
    let request: TransportRequest

    /// The URLs that led to it, the first first.
    let redirects: [String]

    /// The time that it may take with all that led to it.
    let timeout: Duration?

    /// Where its response comes from.
    let source: ResponseSource

    /// The time since the server made or confirmed what comes from a cache; nil for what comes from the server.
    let age: Duration?

    /// The cache's receipt for the response, nil where none keeps it.
    let receipt: (any ResponseReceipt)?

    init(_ request: TransportRequest) {
        self.request = request
        redirects = []
        timeout = request.timeout
        (source, age, receipt) = (.network, nil, nil)
    }

    /// Creates the request that is sent in place of one that has waited.
    init(_ request: TransportRequest, after waiting: SentRequest) {
        self.request = request
        redirects = waiting.redirects
        timeout = waiting.timeout
        (source, age, receipt) = (.network, nil, nil)
    }

    /// Creates the same request, whose response comes from somewhere else, or is kept.
    init(
        _ other: SentRequest, from source: ResponseSource, age: Duration?,
        _ receipt: (any ResponseReceipt)?
    ) {
        request = other.request
        redirects = other.redirects
        timeout = other.timeout
        (self.source, self.age, self.receipt) = (source, age, receipt)
    }

    /// Creates a request that is identical to another, and has its response.
    init(_ request: TransportRequest, sharing other: SentRequest?) {
        self.request = request
        redirects = []
        timeout = request.timeout
        (source, age) = (other?.source ?? .network, other?.age)
        receipt = other?.receipt
    }

    /// Creates the request that the response to another leads to.
    init(_ request: TransportRequest, redirectedFrom other: SentRequest) {
        self.request = request
        redirects = other.redirects + [other.request.urlText]
        timeout = other.timeout
        (source, age, receipt) = (.network, nil, nil)
    }
}

/// The transport of clients that are given none: one for all, for as long as one of them lives.
enum SharedTransport {
    private struct Slot {
        weak var transport: PlatformTransport?
    }

    private static let slot = Guarded(Slot())

    static var current: PlatformTransport {
        slot.withLock { slot in
            if let transport = slot.transport { return transport }
            let transport = PlatformTransport()
            slot.transport = transport
            return transport
        }
    }
}
