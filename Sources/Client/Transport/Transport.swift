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
