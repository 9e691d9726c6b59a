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

    /// Replaces an error by the value that `handler` returns on the main actor.
    @discardableResult
    public func recover(
        _ policy: CatchPolicy = .allErrorsExceptCancellation,
        on actor: MainActor,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable (any Error) throws -> Value
    ) -> Promise<Value> {
        recover(policy, on: .main, fileID: fileID, line: line) { error -> Value in
            try MainActor.assumeIsolated { try handler(error) }
        }
    }

    /// Replaces an error of one type by the value that `handler` returns on the main actor.
    @discardableResult
    public func recover<Failure: Error>(
        only type: Failure.Type,
        on actor: MainActor,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable (Failure) throws -> Value
    ) -> Promise<Value> {
        recover(only: type, on: .main, fileID: fileID, line: line) { failure -> Value in
            try MainActor.assumeIsolated { try handler(failure) }
        }
    }

    /// Replaces the error equal to `failure` by the value that `handler` returns on the main actor.
    @discardableResult
    public func recover<Failure: Error & Equatable>(
        only failure: Failure,
        on actor: MainActor,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable () throws -> Value
    ) -> Promise<Value> {
        recover(only: failure, on: .main, fileID: fileID, line: line) { () -> Value in
            try MainActor.assumeIsolated { try handler() }
        }
    }

    /// Replaces an error by the outcome of the promise from the main actor.
    @discardableResult
    @_disfavoredOverload
    public func recover(
        _ policy: CatchPolicy = .allErrorsExceptCancellation,
        on actor: MainActor,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable (any Error) throws -> Promise<Value>
    ) -> Promise<Value> {
        recover(policy, on: .main, fileID: fileID, line: line) { error -> Promise<Value> in
            try MainActor.assumeIsolated { try handler(error) }
        }
    }

    /// Replaces an error of one type by the outcome of the promise from the main actor.
    @discardableResult
    @_disfavoredOverload
    public func recover<Failure: Error>(
        only type: Failure.Type,
        on actor: MainActor,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable (Failure) throws -> Promise<Value>
    ) -> Promise<Value> {
        recover(only: type, on: .main, fileID: fileID, line: line) { failure -> Promise<Value> in
            try MainActor.assumeIsolated { try handler(failure) }
        }
    }

    /// Replaces the error equal to `failure` by the outcome of the promise from the main actor.
    @discardableResult
    @_disfavoredOverload
    public func recover<Failure: Error & Equatable>(
        only failure: Failure,
        on actor: MainActor,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable () throws -> Promise<Value>
    ) -> Promise<Value> {
        recover(only: failure, on: .main, fileID: fileID, line: line) { () -> Promise<Value> in
            try MainActor.assumeIsolated { try handler() }
        }
    }
}
