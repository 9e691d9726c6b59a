public import LarderPromises

/// Sees a request before it is sent and its response before it is read.
///
/// An interceptor may change the request, wait for something before it calls `next`, change the
/// response, call `next` again, or answer without calling it at all.
///
/// ```swift
/// struct Authorization: Interceptor {
///     let host: String
///     let token: @Sendable () -> Promise<String>
///
///     func intercept(_ request: TransportRequest, next: @escaping Next) -> Promise<TransportResponse> {
///         guard request.head.authority == host else { return next(request) }
///         return token().then { token in
///             var request = request
///             request.head.headerFields[.authorization] = "Bearer \(token)"
///             return next(request)
///         }
///     }
/// }
/// ```
public protocol Interceptor: Sendable {
    /// The interceptors that follow, and the transport behind them.
    ///
    /// Cancelling the promise that it returns stops the exchange.
    typealias Next = @Sendable (TransportRequest) -> Promise<TransportResponse>

    /// Returns the response to `request`, which is usually what `next` gives.
    ///
    /// Called on the thread that enqueues, or on a queue of the client's where there is content to
    /// encode, so it does not block: what it waits for, it waits for with `then`, and `wait` throws on that
    /// queue. A request that is cancelled cancels its branch of the promise: one that several
    /// requests are given goes on for the others. What the promise is rejected with reaches the caller of
    /// ``Client`` unchanged, except for a ``TransportError``, which becomes part of a ``ClientError``.
    /// What it enqueues belongs to the transaction that the request was enqueued in; what its handlers
    /// enqueue does not.
    func intercept(
        _ request: TransportRequest, next: @escaping Next
    ) -> Promise<TransportResponse>
}
