extension Promise {
    /// Calls `handler` on the main actor with the value and returns a promise of what it returns.
    @discardableResult
    public func then<Output>(
        on actor: MainActor,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable (Value) throws -> Output
    ) -> Promise<Output> {
        then(on: .main, fileID: fileID, line: line) { value in
            try MainActor.assumeIsolated { try handler(value) }
        }
    }

    /// Calls `handler` on the main actor with the value and returns a promise of its return.
    @discardableResult
    public func then(
        on actor: MainActor,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable (Value) throws -> Void
    ) -> Promise<Void> {
        then(on: .main, fileID: fileID, line: line) { value -> Void in
            try MainActor.assumeIsolated { try handler(value) }
        }
    }

    /// Calls `handler` on the main actor with the value and settles as the returned promise does.
    @discardableResult
    public func then<Output>(
        on actor: MainActor,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable (Value) throws -> Promise<Output>
    ) -> Promise<Output> {
        then(on: .main, fileID: fileID, line: line) { value in
            try MainActor.assumeIsolated { try handler(value) }
        }
    }

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

    /// Calls `handler` on the main actor on either outcome and passes the outcome on.
    @discardableResult
    public func finally(
        on actor: MainActor,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable () throws -> Void
    ) -> Promise<Value> {
        finally(on: .main, fileID: fileID, line: line) { () -> Void in
            try MainActor.assumeIsolated { try handler() }
        }
    }
}
