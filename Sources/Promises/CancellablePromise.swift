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

/// A promise that reports how far it has come.
public struct ProgressPromise<Value: Sendable, Progress: Sendable>: Sendable {
    /// The promise of the value.
    public let promise: Promise<Value>
    /// The newest report not yet read, and those that follow; ends when the promise has settled.
    public let progress: AsyncStream<Progress>

    /// Creates a promise whose executor gets a function to report progress with.
    ///
    /// The executor runs at once; an error it throws rejects.
    public init(
        fileID: StaticString = #fileID, line: UInt = #line,
        _ executor: (
            _ resolver: Resolver<Value>, _ report: @escaping @Sendable (Progress) -> Void
        ) throws -> Void
    ) {
        self.init(fileID: fileID, line: line) { report in
            Promise(fileID: fileID, line: line) { resolver in try executor(resolver, report) }
        }
    }

    /// Creates a promise that is another one, to whose maker it gives a function to report progress with.
    package init(
        fileID: StaticString = #fileID, line: UInt = #line,
        of source: (_ report: @escaping @Sendable (Progress) -> Void) -> Promise<Value>
    ) {
        let (progress, continuation) = AsyncStream.makeStream(
            of: Progress.self, bufferingPolicy: .bufferingNewest(1))
        self.progress = progress
        promise = source { continuation.yield($0) }
            .watch(fileID: fileID, line: line) { _ in continuation.finish() }
    }
}
