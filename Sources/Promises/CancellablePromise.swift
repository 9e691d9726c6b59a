/// A promise, and how to give it up.
public struct CancellablePromise<Value: Sendable>: Sendable {
    /// The promise of the value.
    public let promise: Promise<Value>
    private let stop: @Sendable () -> Void

    /// Creates the pair from a promise.
    public init(_ promise: Promise<Value>) {
        self.init(promise: promise) { promise.cancel() }
    }

    /// Creates the pair from a promise and a way of its own to cancel it.
    public init(promise: Promise<Value>, cancel: @escaping @Sendable () -> Void) {
        self.promise = promise
        self.stop = cancel
    }

    /// Rejects the promise with `CancellationError` and stops the work behind it.
    public func cancel() {
        stop()
    }
}
