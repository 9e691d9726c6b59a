/// The read end of a value that may not be there yet.
///
/// A promise is pending until it is *settled*: fulfilled with a value or rejected with an error,
/// once and for good. Handlers attached before or after that are called once, in the order they
/// were attached, and never on the stack of the code that attached or settled; on another thread they
/// may run while that code goes on. A handler that one thread attaches just while another settles the
/// promise may come before those that were waiting.
///
/// ```swift
/// client.enqueue(GitHub.issues(repository: "larder"))
///     .then { (issues: Many<Issue>) in print(try issues.count) }
///     .catch { error in print(error) }
/// ```
///
/// Copies of a promise are the same promise.
public struct Promise<Value: Sendable>: Sendable {
    @usableFromInline let node: Node

    /// Creates a promise of a node that has, or will have, a value of this type.
    @inlinable
    init(node: Node) {
        self.node = node
    }

    /// Whether the promise has no outcome yet.
    public var isPending: Bool { node.status.isPending }

    /// Whether the promise has a value.
    public var isFulfilled: Bool {
        let status = node.status
        return status.contains(.settled) && status.isDisjoint(with: [.rejected, .cancelled])
    }

    /// Whether the promise has an error.
    public var isRejected: Bool {
        !node.status.isDisjoint(with: [.rejected, .cancelled])
    }

    /// Whether the promise has been cancelled.
    public var isCancelled: Bool { node.status.contains(.cancelled) }

    /// Rejects with `CancellationError` what is pending in this chain, and stops the work behind it.
    ///
    /// Goes up to the source, but not past a promise that other branches still wait for: the
    /// last branch that is cancelled takes it along. Later `then` handlers are not called, those of
    /// `finally` are. Without effect on a settled promise.
    public func cancel() {
        node.cancel()
    }
}
