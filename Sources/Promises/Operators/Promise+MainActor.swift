extension Promise {
    /// Calls `handler` on the main actor with the value and returns a promise of its result.
    @discardableResult
    public func then<Output, A, B, C, D>(
        on actor: MainActor,
        fileID: StaticString = #fileID, line: UInt = #line,
        @StepBuilder _ handler:
            @escaping @MainActor @Sendable (Value) throws -> Step<
                Output, (A, B, C, D)
            >
    ) -> Promise<Output> {
        let site = CreationSite(fileID, line)
        return take(
            { value in try MainActor.assumeIsolated { try handler(value) } }, on: .main, site: site)
    }

    /// Calls a handler of several statements on the main actor and returns a promise of its result.
    @discardableResult
    @_disfavoredOverload
    public func then<Output>(
        on actor: MainActor,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable (Value) throws -> Output
    ) -> Promise<Output> {
        map(on: actor, fileID: fileID, line: line, handler)
    }

    /// Calls a handler of several statements on the main actor, and is fulfilled when it returns.
    @discardableResult
    @_disfavoredOverload
    public func then(
        on actor: MainActor,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable (Value) throws -> Void
    ) -> Promise<Void> {
        then(on: .main, fileID: fileID, line: line) { value -> Void in
            try MainActor.assumeIsolated { try handler(value) }
        }
    }

    /// Calls a handler of several statements on the main actor and settles as its promise does.
    @discardableResult
    @_disfavoredOverload
    public func then<Output>(
        on actor: MainActor,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable (Value) throws -> Promise<Output>
    ) -> Promise<Output> {
        flatMap(on: actor, fileID: fileID, line: line, handler)
    }

    /// Calls `handler` on the main actor with the value and returns a promise of its result.
    @discardableResult
    public func map<Output>(
        on actor: MainActor,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable (Value) throws -> Output
    ) -> Promise<Output> {
        map(on: .main, fileID: fileID, line: line) { value in
            try MainActor.assumeIsolated { try handler(value) }
        }
    }

    /// Calls `handler` on the main actor with the value and settles as the promise that it returns.
    @discardableResult
    public func flatMap<Output>(
        on actor: MainActor,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable (Value) throws -> Promise<Output>
    ) -> Promise<Output> {
        flatMap(on: .main, fileID: fileID, line: line) { value in
            try MainActor.assumeIsolated { try handler(value) }
        }
    }

    /// Shows the outcome, cancellation included, to `handler` on the main actor and passes it on.
    @discardableResult
    public func tap(
        on actor: MainActor,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable (Result<Value, any Error>) -> Void
    ) -> Promise<Value> {
        tap(on: .main, fileID: fileID, line: line) { result in
            MainActor.assumeIsolated { handler(result) }
        }
    }

    /// Passes on a value for which `isValid` holds on the main actor, and rejects others.
    public func validate(
        on actor: MainActor,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ isValid: @escaping @MainActor @Sendable (Value) throws -> Bool
    ) -> Promise<Value> {
        validate(on: .main, fileID: fileID, line: line) { value in
            try MainActor.assumeIsolated { try isValid(value) }
        }
    }

    /// Calls `handler` on the main actor on either outcome, waits for its promise, and passes it on.
    @discardableResult
    public func finally<Ignored, A, B, C, D>(
        on actor: MainActor,
        fileID: StaticString = #fileID, line: UInt = #line,
        @StepBuilder _ handler:
            @escaping @MainActor @Sendable () throws -> Step<
                Ignored, (A, B, C, D)
            >
    ) -> Promise<Value> {
        cleanUp(on: .main, site: CreationSite(fileID, line)) {
            try MainActor.assumeIsolated { try handler() }
        }
    }

    /// Calls a handler of several statements on the main actor on either outcome.
    @discardableResult
    @_disfavoredOverload
    public func finally(
        on actor: MainActor,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable () throws -> Void
    ) -> Promise<Value> {
        cleanUp(on: .main, site: CreationSite(fileID, line)) {
            try MainActor.assumeIsolated { try StepBuilder.buildExpression(handler()) }
        }
    }

    /// Calls a handler of several statements on the main actor, and waits for its promise.
    @discardableResult
    @_disfavoredOverload
    public func finally<Ignored>(
        on actor: MainActor,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable () throws -> Promise<Ignored>
    ) -> Promise<Value> {
        cleanUp(on: .main, site: CreationSite(fileID, line)) {
            try MainActor.assumeIsolated { try StepBuilder.buildExpression(handler()) }
        }
    }
}

extension Promise where Value: Sequence {
    /// Applies `transform` on the main actor to every element of the value.
    public func mapElements<Element>(
        on actor: MainActor,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ transform: @escaping @MainActor @Sendable (Value.Element) throws -> Element
    ) -> Promise<[Element]> {
        then(on: .main, fileID: fileID, line: line) { value -> [Element] in
            try MainActor.assumeIsolated { try value.map(transform) }
        }
    }
}

extension Promise {
    /// Calls `handler` on the main actor with the error of a rejection and passes the outcome on.
    @discardableResult
    public func `catch`(
        policy: CatchPolicy = .allErrorsExceptCancellation,
        on actor: MainActor,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @MainActor @Sendable (any Error) throws -> Void
    ) -> Promise<Value> {
        `catch`(policy: policy, on: .main, fileID: fileID, line: line) { error in
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
