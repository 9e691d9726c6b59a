extension Promise {
    /// Replaces an error by what `handler` returns: a value or a promise.
    @discardableResult
    public func recover<A, B, C, D>(
        policy: CatchPolicy = .allErrorsExceptCancellation,
        on scheduler: Scheduler = .default,
        fileID: StaticString = #fileID, line: UInt = #line,
        @RecoveryBuilder<Value> _ handler:
            @escaping @Sendable (any Error) throws -> Step<Value, (A, B, C, D)>
    ) -> Promise<Value> {
        handleRejection(on: scheduler, site: CreationSite(fileID, line)) { error in
            policy.admits(error) ? .init(try handler(error)) : .pass
        }
    }

    /// Replaces an error by the value of several statements.
    @discardableResult
    @_disfavoredOverload
    public func recover(
        policy: CatchPolicy = .allErrorsExceptCancellation,
        on scheduler: Scheduler = .default,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @Sendable (any Error) throws -> Value
    ) -> Promise<Value> {
        handleRejection(on: scheduler, site: CreationSite(fileID, line)) { error in
            policy.admits(error) ? .fulfill(try handler(error)) : .pass
        }
    }

    /// Replaces an error by the promise of several statements.
    @discardableResult
    @_disfavoredOverload
    public func recover<Other: PromiseConvertible>(
        policy: CatchPolicy = .allErrorsExceptCancellation,
        on scheduler: Scheduler = .default,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @Sendable (any Error) throws -> Other
    ) -> Promise<Value> where Other.Value == Value {
        handleRejection(on: scheduler, site: CreationSite(fileID, line)) { error in
            policy.admits(error) ? .adopt(try handler(error).promise) : .pass
        }
    }

    /// Replaces an error of one type by what `handler` returns: a value or a promise.
    @discardableResult
    public func recover<Failure: Error, A, B, C, D>(
        only type: Failure.Type,
        on scheduler: Scheduler = .default,
        fileID: StaticString = #fileID, line: UInt = #line,
        @RecoveryBuilder<Value> _ handler:
            @escaping @Sendable (Failure) throws -> Step<Value, (A, B, C, D)>
    ) -> Promise<Value> {
        handleRejection(on: scheduler, site: CreationSite(fileID, line)) { error in
            guard let failure = error as? Failure else { return .pass }
            return .init(try handler(failure))
        }
    }

    /// Replaces an error of one type by the value of several statements.
    @discardableResult
    @_disfavoredOverload
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

    /// Replaces an error of one type by the promise of several statements.
    @discardableResult
    @_disfavoredOverload
    public func recover<Failure: Error, Other: PromiseConvertible>(
        only type: Failure.Type,
        on scheduler: Scheduler = .default,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @Sendable (Failure) throws -> Other
    ) -> Promise<Value> where Other.Value == Value {
        handleRejection(on: scheduler, site: CreationSite(fileID, line)) { error in
            guard let failure = error as? Failure else { return .pass }
            return .adopt(try handler(failure).promise)
        }
    }

    /// Replaces the error that is equal to `failure` by what `handler` returns: a value or a promise.
    @discardableResult
    public func recover<Failure: Error & Equatable, A, B, C, D>(
        only failure: Failure,
        on scheduler: Scheduler = .default,
        fileID: StaticString = #fileID, line: UInt = #line,
        @RecoveryBuilder<Value> _ handler:
            @escaping @Sendable () throws -> Step<Value, (A, B, C, D)>
    ) -> Promise<Value> {
        handleRejection(on: scheduler, site: CreationSite(fileID, line)) { error in
            error as? Failure == failure ? .init(try handler()) : .pass
        }
    }

    /// Replaces the error that is equal to `failure` by the value of several statements.
    @discardableResult
    @_disfavoredOverload
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

    /// Replaces the error that is equal to `failure` by the promise of several statements.
    @discardableResult
    @_disfavoredOverload
    public func recover<Failure: Error & Equatable, Other: PromiseConvertible>(
        only failure: Failure,
        on scheduler: Scheduler = .default,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @Sendable () throws -> Other
    ) -> Promise<Value> where Other.Value == Value {
        handleRejection(on: scheduler, site: CreationSite(fileID, line)) { error in
            error as? Failure == failure ? .adopt(try handler().promise) : .pass
        }
    }
}

/// Makes a ``Step`` of a handler that is one expression, of a type that is known.
@resultBuilder
public enum RecoveryBuilder<Output: Sendable> {
    /// Makes a step of a value.
    public static func buildExpression(_ value: Output) -> Step<Output, StepBuilder.Expression> {
        .value(value)
    }

    /// Makes a step of a promise.
    public static func buildExpression(
        _ promise: Promise<Output>
    ) -> Step<Output, StepBuilder.Expression> {
        .promise(promise)
    }

    /// Takes one step and no more.
    public static func buildBlock(
        _ step: Step<Output, StepBuilder.Expression>
    ) -> Step<Output, StepBuilder.Expression> {
        step
    }
}
