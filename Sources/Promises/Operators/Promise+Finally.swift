extension Promise {
    /// Calls `handler` on either outcome, cancellation included, and passes the outcome on.
    ///
    /// An error that the handler throws takes the outcome's place.
    @discardableResult
    public func finally(
        on scheduler: Scheduler = .default,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @Sendable () throws -> Void
    ) -> Promise<Value> {
        link(on: scheduler, site: CreationSite(fileID, line)) { link, input, drain in
            do {
                if !link.isDiscarded { try handler() }
                link.forward(input, isHandled: link.upstreamIsHandled, in: &drain)
            } catch {
                link.reject(error, in: &drain)
            }
        }
    }

    /// Calls `handler` on either outcome, waits for the promise it returns, then passes it on.
    ///
    /// Cancelling does not interrupt that wait. An error of the returned promise takes the outcome's
    /// place.
    @discardableResult
    public func finally<Ignored>(
        on scheduler: Scheduler = .default,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @Sendable () throws -> Promise<Ignored>
    ) -> Promise<Value> {
        link(on: scheduler, site: CreationSite(fileID, line)) { link, input, drain in
            let isHandled = link.upstreamIsHandled
            guard !link.isDiscarded else {
                return link.forward(input, isHandled: isHandled, in: &drain)
            }
            do {
                let cleanUp = try handler()
                link.follow(cleanUp.node, shielded: true, in: &drain) { link, drain in
                    if case .failure(let error)? = cleanUp.node.outcome(as: Ignored.self) {
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
