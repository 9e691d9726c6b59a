extension Promise {
    /// Calls `handler` with the error of a rejection and passes value or error on unchanged.
    ///
    /// An error that the handler throws takes the other's place. Use `recover`
    /// to go on with a value.
    @discardableResult
    public func `catch`(
        policy: CatchPolicy = .allErrorsExceptCancellation,
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

/// The errors that reach a handler which names none.
public enum CatchPolicy: Sendable {
    /// Every error but `CancellationError`.
    case allErrorsExceptCancellation
    /// Every error.
    case allErrors

    func admits(_ error: any Error) -> Bool {
        self == .allErrors || !(error is CancellationError)
    }
}

/// The fate of a rejected promise after a handler was asked.
enum RejectionStep<Value: Sendable> {
    /// The handler does not want this error.
    case pass
    /// The handler has seen the error, and it goes on all the same.
    case passHandled
    case fulfill(Value)
    case adopt(Promise<Value>)

    /// The fate that a step means which stands in for the error.
    init<Form>(_ step: Step<Value, Form>) {
        switch step {
        case .value(let value): self = .fulfill(value)
        case .promise(let promise): self = .adopt(promise)
        }
    }
}

extension Promise {
    /// Attaches a promise that passes values on and lets `handler` decide on errors.
    func handleRejection(
        on scheduler: Scheduler, site: CreationSite,
        _ handler: @escaping @Sendable (any Error) throws -> RejectionStep<Value>
    ) -> Promise<Value> {
        link(on: scheduler, site: site) { link, input, drain in
            guard case .failure(let error) = input, !link.isDiscarded else {
                return link.forward(input, isHandled: false, in: &drain)
            }
            do {
                switch try handler(error) {
                case .pass: link.pass(error, in: &drain)
                case .passHandled: link.reject(error, isHandled: true, in: &drain)
                case .fulfill(let value): link.fulfill(value, in: &drain)
                case .adopt(let promise): link.adopt(promise, in: &drain)
                }
            } catch {
                link.reject(error, in: &drain)
            }
        }
    }
}
