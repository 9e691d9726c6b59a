extension Promise {
    /// Calls `handler` on either outcome, cancellation included, and passes the outcome on.
    ///
    /// Waits for the promise that the handler returns, if it returns one; cancelling does not
    /// interrupt that wait. An error that the handler throws, or of its promise, takes the outcome's
    /// place.
    @discardableResult
    public func finally<Ignored, A, B, C, D>(
        on scheduler: Scheduler = .default,
        fileID: StaticString = #fileID, line: UInt = #line,
        @StepBuilder _ handler: @escaping @Sendable () throws -> Step<Ignored, (A, B, C, D)>
    ) -> Promise<Value> {
        cleanUp(on: scheduler, site: CreationSite(fileID, line), handler)
    }

    /// Calls a handler of several statements on either outcome and passes the outcome on.
    @discardableResult
    @_disfavoredOverload
    public func finally(
        on scheduler: Scheduler = .default,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @Sendable () throws -> Void
    ) -> Promise<Value> {
        cleanUp(on: scheduler, site: CreationSite(fileID, line)) {
            try StepBuilder.buildExpression(handler())
        }
    }

    /// Calls a handler of several statements on either outcome, and waits for its promise.
    @discardableResult
    @_disfavoredOverload
    public func finally<Ignored>(
        on scheduler: Scheduler = .default,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @Sendable () throws -> Promise<Ignored>
    ) -> Promise<Value> {
        cleanUp(on: scheduler, site: CreationSite(fileID, line)) {
            try StepBuilder.buildExpression(handler())
        }
    }

    /// Attaches a promise that passes the outcome on when the step of `handler` is over.
    func cleanUp<Ignored, Form>(
        on scheduler: Scheduler, site: CreationSite,
        _ handler: @escaping @Sendable () throws -> Step<Ignored, Form>
    ) -> Promise<Value> {
        link(on: scheduler, site: site) { link, input, drain in
            let isHandled = link.upstreamIsHandled
            do {
                guard !link.isDiscarded, case .promise(let last) = try handler() else {
                    return link.forward(input, isHandled: isHandled, in: &drain)
                }
                link.follow(last.node, shielded: true, in: &drain) { link, drain in
                    if link.isDiscarded {
                        link.reject(PromiseError.abandoned, in: &drain)
                    } else if case .failure(let error)? = last.node.outcome(as: Ignored.self) {
                        link.reject(error, in: &drain)
                    } else {
                        link.forward(input, isHandled: isHandled, in: &drain)
                    }
                }
            } catch {
                link.reject(error, in: &drain)
            }
        }
    }
}

extension Promise {
    /// Returns a promise of the same outcome that those who wait for it do not cancel.
    ///
    /// Whoever cancels a chain behind it, or a task that awaits it, gives up waiting, and the work
    /// goes on, even if nobody is left; `cancel()` of the promise itself still stops it. This is how
    /// to keep a promise that several share, such as the refresh of a token:
    ///
    /// ```swift
    /// refresh = client.enqueue(RefreshToken()).shielded()
    /// ```
    public func shielded(
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Value> {
        let shield = passOn(site: CreationSite(fileID, line))
        shield.node.holdAgainstWaiters()
        return shield
    }
}
