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

/// The request that a response answers, as interceptors have left it.
///
/// A class, so that a response stays small.
final class SentRequest: Sendable {
    let request: TransportRequest

    /// The URLs that led to it, the first first.
    let redirects: [String]

    init(_ request: TransportRequest, redirects: [String] = []) {
        self.request = request
        self.redirects = redirects
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
