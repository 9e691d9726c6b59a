extension Promise {
    /// Returns the promise of a function that reports a result to a completion handler.
    ///
    /// `start` runs at once; an error it throws rejects.
    public static func wrap(
        fileID: StaticString = #fileID, line: UInt = #line,
        _ start: (
            _ completion: @escaping @Sendable (Result<Value, any Error>) -> Void
        ) throws -> Void
    ) -> Promise<Value> {
        Promise(fileID: fileID, line: line) { resolver in
            try start { resolver.resolve(with: $0) }
        }
    }

    /// Returns the promise of a function that reports a value or an error to a completion handler.
    ///
    /// The error counts where there are both; neither rejects with ``PromiseError/noOutcome``.
    public static func wrap(
        fileID: StaticString = #fileID, line: UInt = #line,
        _ start: (
            _ completion: @escaping @Sendable (Value?, (any Error)?) -> Void
        ) throws -> Void
    ) -> Promise<Value> {
        Promise(fileID: fileID, line: line) { resolver in
            try start { value, error in
                if let error {
                    resolver.reject(error)
                } else if let value {
                    resolver.fulfill(value)
                } else {
                    resolver.reject(PromiseError.noOutcome)
                }
            }
        }
    }
}
