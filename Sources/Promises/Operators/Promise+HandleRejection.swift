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
