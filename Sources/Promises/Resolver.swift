/// The write end of a promise.
///
/// The first call that settles counts, whichever thread makes it; later ones are without effect.
/// When the last reference to a resolver goes before that, its promise is rejected with
/// ``PromiseError/abandoned``.
public final class Resolver<Value: Sendable>: Sendable {
    @usableFromInline let node: Node

    @inlinable
    init(node: Node) {
        self.node = node
    }

    deinit {
        if node.status.isOpen { reject(PromiseError.abandoned) }
    }

    /// Whether the promise has been cancelled, so that nobody waits for a value any more.
    public var isCancelled: Bool { node.status.contains(.cancelled) }

    /// Whether the promise has neither been settled nor cancelled.
    package var isPending: Bool { node.status.isPending }

    /// Gives the promise its value.
    @inlinable
    public func fulfill(_ value: Value) {
        guard node.claim() else { return }
        var drain = Drain()
        node.fulfill(value, in: &drain)
        drain.run()
    }

    /// Gives the promise an error.
    @inlinable
    public func reject(_ error: any Error) {
        guard node.claim() else { return }
        var drain = Drain()
        node.reject(error, in: &drain)
        drain.run()
    }

    /// Settles the promise with a result.
    @inlinable
    public func resolve(with result: Result<Value, any Error>) {
        switch result {
        case .success(let value): fulfill(value)
        case .failure(let error): reject(error)
        }
    }

    /// Settles the promise as another one settles, and cancels that one with it, or now if it has been cancelled.
    @inlinable
    public func resolve(with promise: Promise<Value>) {
        guard node.claim() else { return giveUp(promise) }
        var drain = Drain()
        node.adopt(promise, in: &drain)
        drain.run()
    }

    /// Stops what the promise was to settle as, unless others wait for that, where it has been cancelled instead.
    @usableFromInline
    func giveUp(_ promise: Promise<Value>) {
        let status = node.status
        guard status.contains(.cancelled), !status.contains(.resolved) else { return }
        let branch = promise.branch()
        branch.cancel()
        // What it may have been rejected with before is nobody's concern here.
        branch.node.noteObserver()
    }

    /// Settles the promise as part of a run that is going on; false where something else has.
    @discardableResult
    func resolve(with outcome: Outcome<Value>, in drain: inout Drain) -> Bool {
        guard node.claim() else { return false }
        node.forward(outcome.result, isHandled: outcome.isHandled, in: &drain)
        return true
    }

    /// Takes the point of no return of work that can't be undone once it goes on; false where the
    /// promise has been cancelled or settled before, so that the work must not go on.
    ///
    /// Cancelling the promise afterwards is without effect: it will be what the resolver makes it.
    package func commit() -> Bool { node.commit() }

    /// Calls `handler` once when a cancellation reaches the promise, or at once if it has.
    ///
    /// Handlers are where the work behind the promise is stopped. They run on the thread that
    /// cancels, in the order they were added, and are let go when the promise is resolved. Until
    /// then the promise keeps them, and what they hold: a handler that holds this resolver, or
    /// something that does, keeps a forgotten promise from ever being rejected as
    /// ``PromiseError/abandoned``, so it should hold the resolver weakly.
    public func onCancel(_ handler: @escaping @Sendable () -> Void) {
        node.onCancel(
            CancelHandler(stop: {
                handler()
                return []
            }))
    }

    /// Cancels a task where a cancellation reaches the promise; what the task waits for may be the promise of
    /// another one, and so on to any depth.
    package func onCancel(cancelling task: Task<some Sendable, some Error>) {
        node.onCancel(CancelHandler(stop: { CancelTurn.cancel(task) }))
    }
}

extension Resolver where Value == Void {
    /// Fulfills a promise without a value.
    @inlinable
    public func fulfill() {
        fulfill(())
    }
}
