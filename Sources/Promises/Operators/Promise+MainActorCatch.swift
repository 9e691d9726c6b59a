extension Promise {
    /// Calls `handler` on the main actor with the error of a rejection and passes the outcome on.
    @discardableResult
    public func `catch`(
        _ policy: CatchPolicy = .allErrorsExceptCancellation,
        on actor: MainActor,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable (any Error) throws -> Void
    ) -> Promise<Value> {
        `catch`(policy, on: .main, fileID: fileID, line: line) { error in
            try MainActor.assumeIsolated { try handler(error) }
        }
    }

    /// Calls `handler` on the main actor with an error of one type and passes the outcome on.
    @discardableResult
    public func `catch`<Failure: Error>(
        only type: Failure.Type,
        on actor: MainActor,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable (Failure) throws -> Void
    ) -> Promise<Value> {
        `catch`(only: type, on: .main, fileID: fileID, line: line) { failure in
            try MainActor.assumeIsolated { try handler(failure) }
        }
    }

    /// Calls `handler` on the main actor when the error is equal to `failure` and passes it on.
    @discardableResult
    public func `catch`<Failure: Error & Equatable>(
        only failure: Failure,
        on actor: MainActor,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable () throws -> Void
    ) -> Promise<Value> {
        `catch`(only: failure, on: .main, fileID: fileID, line: line) {
            try MainActor.assumeIsolated { try handler() }
        }
    }
}
