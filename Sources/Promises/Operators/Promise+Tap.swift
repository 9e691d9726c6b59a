extension Promise {
    /// Shows the outcome, cancellation included, to `handler` and passes it on unchanged.
    @discardableResult
    public func tap(
        on scheduler: Scheduler = .default,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) -> Promise<Value> {
        link(on: scheduler, site: CreationSite(fileID, line)) { link, input, drain in
            if !link.isDiscarded { handler(input) }
            link.forward(input, isHandled: link.upstreamIsHandled, in: &drain)
        }
    }
}
