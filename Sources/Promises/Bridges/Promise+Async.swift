extension Promise {
    /// The value, once it is there; throws the error of a rejection.
    ///
    /// Cancelling the waiting task cancels the promise, as one branch of it.
    public var value: Value {
        get async throws { try await result.get() }
    }

    /// The outcome, once the promise has settled.
    ///
    /// Cancelling the waiting task cancels the promise, as one branch of it; where its work is past the
    /// point of no return, the outcome is that of the work.
    public var result: Result<Value, any Error> {
        get async {
            if node.status.contains(.settled), let result = node.outcome(as: Value.self) {
                node.noteObserver()
                return result
            }
            let branch = watch(site: CreationSite())
            return await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    branch.observe { outcome, _ in
                        continuation.resume(returning: outcome.result)
                    }
                }
            } onCancel: {
                branch.cancelWithTask()
            }
        }
    }
}

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
