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
        let (progress, continuation) = AsyncStream.makeStream(
            of: Progress.self, bufferingPolicy: .bufferingNewest(1))
        let source = Promise<Value>(fileID: fileID, line: line) { resolver in
            try executor(resolver) { continuation.yield($0) }
        }
        self.progress = progress
        self.promise = source.tap(on: .immediate, fileID: fileID, line: line) { _ in
            continuation.finish()
        }
    }
}
