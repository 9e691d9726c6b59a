/// Stand where a call can't be, so that the compiler says what is wrong with it.
extension Promise {
    /// Says what a handler returns.
    @available(
        *, unavailable,
        message: """
            a handler of 'recover' returns a value of the promise's type, or a promise of one, or \
            throws; to look at the error and no more, write 'catch'
            """
    )
    @discardableResult
    @_disfavoredOverload
    public func recover<Other>(
        policy: CatchPolicy = .allErrorsExceptCancellation,
        on scheduler: Scheduler = .default,
        _ handler: @escaping @Sendable (any Error) throws -> Other
    ) -> Promise<Value> {
        self
    }

    /// Says that an error that is named is not handed on.
    @available(
        *, unavailable,
        message: "the handler takes no error where one is named: write 'recover(only: …) { … }'"
    )
    @discardableResult
    @_disfavoredOverload
    public func recover<Failure: Error & Equatable>(
        only failure: Failure,
        on scheduler: Scheduler = .default,
        _ handler: @escaping @Sendable (Failure) throws -> Value
    ) -> Promise<Value> {
        self
    }

    /// Says that there is no outcome to look at.
    @available(
        *, unavailable,
        message: "a handler of 'finally' takes nothing: 'then' has the value, 'catch' the error"
    )
    @discardableResult
    @_disfavoredOverload
    public func finally(
        on scheduler: Scheduler = .default,
        _ handler: @escaping @Sendable (Result<Value, any Error>) throws -> Void
    ) -> Promise<Value> {
        self
    }
}

/// So that the compiler says how a handler waits.
extension Promise {
    /// Says how asynchronous work is waited for.
    @available(
        *, unavailable,
        message: "a handler can't await: return a promise of the work, 'Promise { try await … }'"
    )
    @discardableResult
    @_disfavoredOverload
    public func then<Output>(
        on scheduler: Scheduler = .default,
        _ handler: @escaping @Sendable (Value) async throws -> Output
    ) -> Promise<Output> {
        .rejected(PromiseError.invalid)
    }

    /// Says how asynchronous work is waited for.
    @available(
        *, unavailable,
        message: "a handler can't await: return a promise of the work, 'Promise { try await … }'"
    )
    @discardableResult
    @_disfavoredOverload
    public func recover(
        policy: CatchPolicy = .allErrorsExceptCancellation,
        on scheduler: Scheduler = .default,
        _ handler: @escaping @Sendable (any Error) async throws -> Value
    ) -> Promise<Value> {
        self
    }

    /// Says how asynchronous work is waited for.
    @available(
        *, unavailable,
        message: "a handler can't await: write 'recover', and return 'Promise { try await … }'"
    )
    @discardableResult
    @_disfavoredOverload
    public func `catch`(
        policy: CatchPolicy = .allErrorsExceptCancellation,
        on scheduler: Scheduler = .default,
        _ handler: @escaping @Sendable (any Error) async throws -> Void
    ) -> Promise<Value> {
        self
    }

    /// Says how asynchronous work is waited for.
    @available(
        *, unavailable,
        message: "a handler can't await: return a promise of the work, 'Promise { try await … }'"
    )
    @discardableResult
    @_disfavoredOverload
    public func finally(
        on scheduler: Scheduler = .default,
        _ handler: @escaping @Sendable () async throws -> Void
    ) -> Promise<Value> {
        self
    }
}

/// So that the compiler says how an error is named.
extension Promise {
    /// Says how the type of an error is named.
    @available(*, unavailable, message: "name what is caught with a label: 'catch(only: …) { … }'")
    @discardableResult
    @_disfavoredOverload
    public func `catch`<Failure: Error>(
        _ type: Failure.Type,
        on scheduler: Scheduler = .default,
        _ handler: @escaping @Sendable (Failure) throws -> Void
    ) -> Promise<Value> {
        self
    }

    /// Says how the type of an error is named.
    @available(
        *, unavailable, message: "name what is replaced with a label: 'recover(only: …) { … }'"
    )
    @discardableResult
    @_disfavoredOverload
    public func recover<Failure: Error>(
        _ type: Failure.Type,
        on scheduler: Scheduler = .default,
        _ handler: @escaping @Sendable (Failure) throws -> Value
    ) -> Promise<Value> {
        self
    }

    /// Says how a policy is given.
    @available(*, unavailable, message: "a policy has a label: 'catch(policy: …) { … }'")
    @discardableResult
    @_disfavoredOverload
    public func `catch`(
        _ policy: CatchPolicy,
        on scheduler: Scheduler = .default,
        _ handler: @escaping @Sendable (any Error) throws -> Void
    ) -> Promise<Value> {
        self
    }

    /// Says how a policy is given.
    @available(*, unavailable, message: "a policy has a label: 'recover(policy: …) { … }'")
    @discardableResult
    @_disfavoredOverload
    public func recover(
        _ policy: CatchPolicy,
        on scheduler: Scheduler = .default,
        _ handler: @escaping @Sendable (any Error) throws -> Value
    ) -> Promise<Value> {
        self
    }
}
