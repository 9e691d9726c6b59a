extension Promise {
    /// Replaces an error by the value that `handler` returns, or by the error it throws.
    @discardableResult
    public func recover(
        _ policy: CatchPolicy = .allErrorsExceptCancellation,
        on scheduler: Scheduler = .default,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @Sendable (any Error) throws -> Value
    ) -> Promise<Value> {
        handleRejection(on: scheduler, site: CreationSite(fileID, line)) { error in
            policy.admits(error) ? .fulfill(try handler(error)) : .pass
        }
    }

    /// Replaces an error by the outcome of the promise that `handler` returns.
    @discardableResult
    @_disfavoredOverload
    public func recover(
        _ policy: CatchPolicy = .allErrorsExceptCancellation,
        on scheduler: Scheduler = .default,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @Sendable (any Error) throws -> Promise<Value>
    ) -> Promise<Value> {
        handleRejection(on: scheduler, site: CreationSite(fileID, line)) { error in
            policy.admits(error) ? .adopt(try handler(error)) : .pass
        }
    }

    /// Replaces an error of one type by the value that `handler` returns.
    @discardableResult
    public func recover<Failure: Error>(
        only type: Failure.Type,
        on scheduler: Scheduler = .default,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @Sendable (Failure) throws -> Value
    ) -> Promise<Value> {
        handleRejection(on: scheduler, site: CreationSite(fileID, line)) { error in
            guard let failure = error as? Failure else { return .pass }
            return .fulfill(try handler(failure))
        }
    }

    /// Replaces an error of one type by the outcome of the promise that `handler` returns.
    @discardableResult
    @_disfavoredOverload
    public func recover<Failure: Error>(
        only type: Failure.Type,
        on scheduler: Scheduler = .default,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @Sendable (Failure) throws -> Promise<Value>
    ) -> Promise<Value> {
        handleRejection(on: scheduler, site: CreationSite(fileID, line)) { error in
            guard let failure = error as? Failure else { return .pass }
            return .adopt(try handler(failure))
        }
    }

    /// Replaces the error that is equal to `failure` by the value that `handler` returns.
    @discardableResult
    public func recover<Failure: Error & Equatable>(
        only failure: Failure,
        on scheduler: Scheduler = .default,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @Sendable () throws -> Value
    ) -> Promise<Value> {
        handleRejection(on: scheduler, site: CreationSite(fileID, line)) { error in
            error as? Failure == failure ? .fulfill(try handler()) : .pass
        }
    }

    /// Replaces the error that is equal to `failure` by the outcome of the promise returned.
    @discardableResult
    @_disfavoredOverload
    public func recover<Failure: Error & Equatable>(
        only failure: Failure,
        on scheduler: Scheduler = .default,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @Sendable () throws -> Promise<Value>
    ) -> Promise<Value> {
        handleRejection(on: scheduler, site: CreationSite(fileID, line)) { error in
            error as? Failure == failure ? .adopt(try handler()) : .pass
        }
    }
}
