extension Promise {
    /// Calls `handler` with the error of a rejection and passes value or error on unchanged.
    ///
    /// An error that the handler throws takes the other's place. Use `recover`
    /// to go on with a value.
    @discardableResult
    public func `catch`(
        _ policy: CatchPolicy = .allErrorsExceptCancellation,
        on scheduler: Scheduler = .default,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @Sendable (any Error) throws -> Void
    ) -> Promise<Value> {
        handleRejection(on: scheduler, site: CreationSite(fileID, line)) { error in
            guard policy.admits(error) else { return .pass }
            try handler(error)
            return .passHandled
        }
    }

    /// Calls `handler` with an error of one type and passes everything on unchanged.
    ///
    /// `CancellationError.self` asks for cancellations.
    @discardableResult
    public func `catch`<Failure: Error>(
        only type: Failure.Type,
        on scheduler: Scheduler = .default,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @Sendable (Failure) throws -> Void
    ) -> Promise<Value> {
        handleRejection(on: scheduler, site: CreationSite(fileID, line)) { error in
            guard let failure = error as? Failure else { return .pass }
            try handler(failure)
            return .passHandled
        }
    }

    /// Calls `handler` when the error is equal to `failure` and passes everything on unchanged.
    @discardableResult
    public func `catch`<Failure: Error & Equatable>(
        only failure: Failure,
        on scheduler: Scheduler = .default,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @Sendable () throws -> Void
    ) -> Promise<Value> {
        handleRejection(on: scheduler, site: CreationSite(fileID, line)) { error in
            guard error as? Failure == failure else { return .pass }
            try handler()
            return .passHandled
        }
    }
}
