extension Promise {
    /// Replaces an error by what `handler` returns on the main actor: a value or a promise.
    @discardableResult
    public func recover<A, B, C, D>(
        policy: CatchPolicy = .allErrorsExceptCancellation,
        on actor: MainActor,
        fileID: StaticString = #fileID, line: UInt = #line,
        @RecoveryBuilder<Value> _ handler:
            @escaping @MainActor @Sendable (any Error) throws -> Step<Value, (A, B, C, D)>
    ) -> Promise<Value> {
        handleRejection(on: .main, site: CreationSite(fileID, line)) { error in
            policy.admits(error)
                ? .init(try MainActor.assumeIsolated { try handler(error) }) : .pass
        }
    }

    /// Replaces an error by the value of several statements on the main actor.
    @discardableResult
    @_disfavoredOverload
    public func recover(
        policy: CatchPolicy = .allErrorsExceptCancellation,
        on actor: MainActor,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable (any Error) throws -> Value
    ) -> Promise<Value> {
        handleRejection(on: .main, site: CreationSite(fileID, line)) { error in
            policy.admits(error)
                ? .fulfill(try MainActor.assumeIsolated { try handler(error) }) : .pass
        }
    }

    /// Replaces an error by the promise of several statements on the main actor.
    @discardableResult
    @_disfavoredOverload
    public func recover<Other: PromiseConvertible>(
        policy: CatchPolicy = .allErrorsExceptCancellation,
        on actor: MainActor,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable (any Error) throws -> Other
    ) -> Promise<Value> where Other.Value == Value {
        handleRejection(on: .main, site: CreationSite(fileID, line)) { error in
            policy.admits(error)
                ? .adopt(try MainActor.assumeIsolated { try handler(error).promise }) : .pass
        }
    }

    /// Replaces an error of one type by what `handler` returns on the main actor: a value or a promise.
    @discardableResult
    public func recover<Failure: Error, A, B, C, D>(
        only type: Failure.Type,
        on actor: MainActor,
        fileID: StaticString = #fileID, line: UInt = #line,
        @RecoveryBuilder<Value> _ handler:
            @escaping @MainActor @Sendable (Failure) throws -> Step<Value, (A, B, C, D)>
    ) -> Promise<Value> {
        handleRejection(on: .main, site: CreationSite(fileID, line)) { error in
            guard let failure = error as? Failure else { return .pass }
            return .init(try MainActor.assumeIsolated { try handler(failure) })
        }
    }

    /// Replaces an error of one type by the value of several statements on the main actor.
    @discardableResult
    @_disfavoredOverload
    public func recover<Failure: Error>(
        only type: Failure.Type,
        on actor: MainActor,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable (Failure) throws -> Value
    ) -> Promise<Value> {
        handleRejection(on: .main, site: CreationSite(fileID, line)) { error in
            guard let failure = error as? Failure else { return .pass }
            return .fulfill(try MainActor.assumeIsolated { try handler(failure) })
        }
    }

    /// Replaces an error of one type by the promise of several statements on the main actor.
    @discardableResult
    @_disfavoredOverload
    public func recover<Failure: Error, Other: PromiseConvertible>(
        only type: Failure.Type,
        on actor: MainActor,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable (Failure) throws -> Other
    ) -> Promise<Value> where Other.Value == Value {
        handleRejection(on: .main, site: CreationSite(fileID, line)) { error in
            guard let failure = error as? Failure else { return .pass }
            return .adopt(try MainActor.assumeIsolated { try handler(failure).promise })
        }
    }

    /// Replaces the error that is equal to `failure` by what `handler` returns on the main actor: a value or a promise.
    @discardableResult
    public func recover<Failure: Error & Equatable, A, B, C, D>(
        only failure: Failure,
        on actor: MainActor,
        fileID: StaticString = #fileID, line: UInt = #line,
        @RecoveryBuilder<Value> _ handler:
            @escaping @MainActor @Sendable () throws -> Step<Value, (A, B, C, D)>
    ) -> Promise<Value> {
        handleRejection(on: .main, site: CreationSite(fileID, line)) { error in
            error as? Failure == failure
                ? .init(try MainActor.assumeIsolated { try handler() }) : .pass
        }
    }

    /// Replaces the error that is equal to `failure` by the value of several statements on the main actor.
    @discardableResult
    @_disfavoredOverload
    public func recover<Failure: Error & Equatable>(
        only failure: Failure,
        on actor: MainActor,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable () throws -> Value
    ) -> Promise<Value> {
        handleRejection(on: .main, site: CreationSite(fileID, line)) { error in
            error as? Failure == failure
                ? .fulfill(try MainActor.assumeIsolated { try handler() }) : .pass
        }
    }

    /// Replaces the error that is equal to `failure` by the promise of several statements on the main actor.
    @discardableResult
    @_disfavoredOverload
    public func recover<Failure: Error & Equatable, Other: PromiseConvertible>(
        only failure: Failure,
        on actor: MainActor,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable () throws -> Other
    ) -> Promise<Value> where Other.Value == Value {
        handleRejection(on: .main, site: CreationSite(fileID, line)) { error in
            error as? Failure == failure
                ? .adopt(try MainActor.assumeIsolated { try handler().promise }) : .pass
        }
    }
}
