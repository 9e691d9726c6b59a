public import LarderPromises

/// A hook over the promises that a client hands out, whatever they are of.
///
/// ```swift
/// struct SessionGuard: PromiseProcessor {
///     func process<Value>(
///         _ promise: Promise<Value>, for endpoint: any Endpoint
///     ) -> Promise<Value> {
///         promise.watch { result in
///             guard case .failure(let error as ClientError) = result else { return }
///             if error.status == .unauthorized { logOut() }
///         }
///     }
/// }
/// ```
///
/// What is only watched stays what it is: cancelling stops the request, and does nothing once it is stored. Whatever else
/// is chained to the promise and not returned is one more who waits, for whom a request goes on that the caller has
/// cancelled.
///
/// It is the last stage: what a response has become is there, and stored, or why it is not. Requests and responses are
/// changed by an ``Interceptor``.
public protocol PromiseProcessor: Sendable {
    /// Returns what the caller is given, which is usually the promise, or one that is made of it.
    ///
    /// Called on the thread that enqueues, before it has the promise. Cancelling what is returned has to reach
    /// the promise, as it does through operators.
    func process<Value: Sendable>(
        _ promise: Promise<Value>, for endpoint: any Endpoint
    ) -> Promise<Value>
}
