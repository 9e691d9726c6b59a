public import LarderPromises

/// Sees a request before it is sent and its response before it is read.
///
/// An interceptor may change the request, wait for something before it calls `next`, change the
/// response, call `next` again, or answer without calling it at all.
///
/// ```swift
/// struct Authorization: Interceptor {
///     let token: @Sendable () -> Promise<String>
///
///     func intercept(
///         _ request: TransportRequest, for endpoint: any Endpoint, next: @escaping Next
///     ) -> Promise<TransportResponse> {
///         guard request.head.authority == "api.example.com", !(endpoint is LogIn) else {
///             return next(request)
///         }
///         return token().then { token in
///             var request = request
///             request.head.headerFields[.authorization] = "Bearer \(token)"
///             return next(request)
///         }
///     }
/// }
/// ```
///
/// In async code it is an ``AsyncInterceptor``.
public protocol Interceptor: Sendable {
    /// The interceptors that follow, and the transport behind them.
    ///
    /// Cancelling the promise that it returns stops the exchange.
    typealias Next = @Sendable (TransportRequest) -> Promise<TransportResponse>

    /// Returns the response to `request`, which is usually what `next` gives.
    ///
    /// Called on the thread that enqueues, on a queue of the client's where there is content to encode, or
    /// wherever what an interceptor before it waits for settles, so it does not block: what it waits for, it waits for with `then`, and `wait` throws on that
    /// queue. A request that is cancelled cancels its branch of the promise: one that several
    /// requests are given goes on for the others. What the promise is rejected with reaches the caller of
    /// ``Client`` unchanged, except for a ``TransportError``, which becomes part of a ``ClientError``.
    /// A response that was kept from an earlier exchange stands for that one's request as well, in validators and
    /// in `Response.url`; one made anew of its head and body answers this request.
    /// What it enqueues belongs to the transaction that the request was enqueued in; what its handlers
    /// enqueue does not.
    ///
    /// - Parameters:
    ///   - request: The request as the interceptors before have left it.
    ///   - endpoint: The endpoint that was enqueued.
    ///   - next: Sends a request on its way.
    func intercept(
        _ request: TransportRequest, for endpoint: any Endpoint, next: @escaping Next
    ) -> Promise<TransportResponse>
}

/// An interceptor in async code.
///
/// ```swift
/// struct Authorization: AsyncInterceptor {
///     let tokens: TokenStore  // an actor
///
///     func intercept(
///         _ request: TransportRequest, for endpoint: any Endpoint, next: @escaping AsyncNext
///     ) async throws -> TransportResponse {
///         var request = request
///         request.head.headerFields[.authorization] = "Bearer \(try await tokens.current)"
///         return try await next(request)
///     }
/// }
/// ```
public protocol AsyncInterceptor: Interceptor {
    /// The interceptors that follow, and the transport behind them.
    ///
    /// Cancelling the task that awaits it stops the exchange.
    typealias AsyncNext = @Sendable (TransportRequest) async throws -> TransportResponse

    /// Returns the response to `request`, which is usually what `next` gives.
    ///
    /// Called in a task of its own, which is cancelled with the request. What it throws reaches the caller
    /// of ``Client`` as what the promise of an ``Interceptor`` is rejected with.
    ///
    /// - Parameters:
    ///   - request: The request as the interceptors before have left it.
    ///   - endpoint: The endpoint that was enqueued.
    ///   - next: Sends a request on its way.
    func intercept(
        _ request: TransportRequest, for endpoint: any Endpoint, next: @escaping AsyncNext
    ) async throws -> TransportResponse
}

extension AsyncInterceptor {
    /// Intercepts in a task.
    public func intercept(
        _ request: TransportRequest, for endpoint: any Endpoint, next: @escaping Next
    ) -> Promise<TransportResponse> {
        Promise {
            try await intercept(request, for: endpoint) { request in
                // What the interceptor awaited may have gone on for others.
                try Task.checkCancellation()
                return try await next(request).value
            }
        }
    }
}
