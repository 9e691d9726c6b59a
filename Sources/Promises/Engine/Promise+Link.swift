/// The ways to attach to a promise: an operator takes `call` (`Promise+Then`) where its handler gets values
/// and errors pass by, `handleRejection` (`Promise+Catch`) where it gets errors and values pass by, `link`
/// where it gets both, `observe` where others are settled by what it hears, `passOn` where only the
/// operator's part may be cancelled, `watch` where a
/// cancellation is to be what becomes of this promise, and a `Gathering` where several promises decide together.
extension Promise {
    /// Attaches a promise that `body` settles, on `scheduler`, once this one has settled.
    func link<Output>(
        on scheduler: Scheduler, site: CreationSite,
        body: @escaping (Node, Result<Value, any Error>, inout Drain) -> Void
    ) -> Promise<Output> {
        let link = Node(upstream: node, target: scheduler.target, site: site) { link, drain in
            body(link, link.input(as: Value.self), &drain)
        }
        node.attach(link)
        return Promise<Output>(node: link)
    }

    /// Attaches a promise that settles as this one does.
    func passOn(site: CreationSite) -> Promise<Value> {
        link(on: .immediate, site: site) { link, input, drain in
            link.forward(input, isHandled: link.upstreamIsHandled, in: &drain)
        }
    }

    /// Returns a promise that settles as this one does, once `observer` has seen the outcome on that thread; unlike by
    /// `tap`, cancelling it cancels this one, as one branch, and does nothing past its point of no return.
    public func watch(
        fileID: StaticString = #fileID, line: UInt = #line,
        _ observer: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) -> Promise<Value> {
        watch(site: CreationSite(fileID, line), observer)
    }

    /// Attaches such a promise where the library has one for itself.
    func watch(
        site: CreationSite,
        _ observer: @escaping @Sendable (Result<Value, any Error>) -> Void = { _ in }
    ) -> Promise<Value> {
        let link = Node(watching: node, site: site) { link, drain in
            let input = link.input(as: Value.self)
            observer(input)
            link.forward(input, isHandled: link.upstreamIsHandled, in: &drain)
        }
        node.attach(link)
        return Promise(node: link)
    }

    /// Calls `observer` with the outcome on the thread that settles.
    ///
    /// The observer settles others in the run it is given, so that no stack grows. The promise
    /// returned is the handle to leave or to cancel.
    @discardableResult
    func observe(
        _ observer: @escaping @Sendable (Outcome<Value>, inout Drain) -> Void
    ) -> Promise<Void> {
        link(on: .immediate, site: CreationSite()) { link, input, drain in
            observer(Outcome(result: input, isHandled: link.upstreamIsHandled), &drain)
            link.fulfill((), in: &drain)
        }
    }
}

/// A way to stop the work behind a source, and the other nodes which that work waits for.
struct CancelHandler: Sendable {
    /// Stops it, but for what it returns, which is to be cancelled in its order: by a loop, as it may have
    /// others behind it to any depth.
    let stop: @Sendable () -> [Node.Member]
    var members = Members()

    /// Nodes that a source waits for without being linked to them.
    struct Members: Sendable {
        /// Whether the source may settle as soon as one of them has.
        var isOneEnough = false
        var nodes: @Sendable () -> [Node] = { [] }
    }
}
