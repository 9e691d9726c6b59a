extension Client {
    /// Calls a handler with what happens to requests that are enqueued from now on, as long as an owner
    /// lives, which it does not keep.
    ///
    /// ```swift
    /// client.observeRequests(for: statistics, of: Search.self) { $0.note($1) }
    /// ```
    ///
    /// Requests of clients made by ``configured(_:)`` are among them.
    ///
    /// - Parameters:
    ///   - type: The type of the endpoints; a subclass is one as well.
    ///   - handler: Called on the threads that requests run on, which wait for it, with the events of a
    ///     request one after the other; what it brings about itself, such as that the request is cancelled,
    ///     is told once all have heard of what it was called with.
    public func observeRequests<Owner: AnyObject & Sendable, Target: Endpoint>(
        for owner: Owner, of type: Target.Type,
        _ handler: @escaping @Sendable (Owner, RequestEvent) -> Void
    ) {
        observe(owner, where: { $0 is Target }, handler)
    }

    /// Calls a handler with what happens to requests of all endpoints; the parameters are those of
    /// ``observeRequests(for:of:_:)``.
    public func observeRequests<Owner: AnyObject & Sendable>(
        for owner: Owner, _ handler: @escaping @Sendable (Owner, RequestEvent) -> Void
    ) {
        observe(owner, where: { _ in true }, handler)
    }

    /// Calls a handler with each value of a type that requests enqueued from now on are fulfilled with, as
    /// long as an owner lives, which it does not keep.
    ///
    /// ```swift
    /// client.observeValues(for: badge, as: Inbox.self) { $0.show($1.unreadCount) }
    /// ```
    ///
    /// Values are told of whoever has enqueued the request, that of a ``Response`` by itself; what is to be
    /// stored is by then. The handler is called on the thread of the request, which waits for it, before
    /// the promise's handlers. A value that is one of `Value` counts, whatever type was asked for, such as an
    /// existential's or an optional's; nil, and a collection that is empty, where just that type was.
    public func observeValues<Owner: AnyObject & Sendable, Value: Sendable>(
        for owner: Owner, as type: Value.Type = Value.self,
        _ handler: @escaping @Sendable (Owner, Value) -> Void
    ) {
        observeRequests(for: owner) { owner, event in
            if let value = event.value(as: type) { handler(owner, value) }
        }
    }

    private func observe<Owner: AnyObject & Sendable>(
        _ owner: Owner, where isConcerned: @escaping @Sendable (any Endpoint) -> Bool,
        _ handler: @escaping @Sendable (Owner, RequestEvent) -> Void
    ) {
        _ = observers.add(
            where: isConcerned, isAlive: { [weak owner] in owner != nil },
            { [weak owner] event in if let owner { handler(owner, event) } })
    }

    /// What happens to requests that are enqueued from now on, until the sequence is let go.
    ///
    /// It ends where all clients have gone whose requests it would tell of.
    /// Events wait for whoever reads them, and keep the values that they tell of, up to a number of them, of
    /// which the oldest give way.
    ///
    /// - Parameters:
    ///   - limit: The largest number of events that wait.
    ///   - isConcerned: Which endpoints are asked for; all unless given.
    public func requestEvents(
        limit: Int = 1_000,
        where isConcerned: @escaping @Sendable (any Endpoint) -> Bool = { _ in true }
    ) -> AsyncStream<RequestEvent> {
        let (events, continuation) = AsyncStream.makeStream(
            of: RequestEvent.self, bufferingPolicy: .bufferingNewest(max(limit, 1)))
        let source = EventSource(continuation)
        let id = observers.add(where: isConcerned) { source.continuation.yield($0) }
        // The clients alone keep them.
        continuation.onTermination = { [weak observers] _ in observers?.remove([id]) }
        return events
    }
}

/// Ends a sequence of events once nothing is left that could tell one.
private final class EventSource: Sendable {
    let continuation: AsyncStream<RequestEvent>.Continuation

    init(_ continuation: AsyncStream<RequestEvent>.Continuation) {
        self.continuation = continuation
    }

    deinit { continuation.finish() }
}
