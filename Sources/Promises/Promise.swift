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

extension Promise {
    /// Creates a pending promise and the resolver that settles it.
    @inlinable
    public static func pending(
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> (promise: Promise<Value>, resolver: Resolver<Value>) {
        let node = Node(site: CreationSite(fileID, line))
        return (Promise(node: node), Resolver(node: node))
    }

    /// Creates a promise that `executor` settles, now or later; an error it throws rejects.
    ///
    /// The executor runs at once, on the calling thread.
    @inlinable
    public init(
        fileID: StaticString = #fileID, line: UInt = #line,
        _ executor: (_ resolver: Resolver<Value>) throws -> Void
    ) {
        let (promise, resolver) = Self.pending(fileID: fileID, line: line)
        do {
            try executor(resolver)
        } catch {
            resolver.reject(error)
        }
        self = promise
    }

    /// Creates a promise of what an asynchronous operation returns or throws.
    ///
    /// The operation runs in a task of its own, which is cancelled with the promise.
    public init(
        priority: TaskPriority? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () async throws -> Value
    ) {
        let (promise, resolver) = Self.pending(fileID: fileID, line: line)
        let task = YieldPoint.task(priority: priority) {
            do {
                resolver.fulfill(try await operation())
            } catch {
                resolver.reject(error)
            }
        }
        resolver.onCancel(cancelling: task)
        self = promise
    }

    /// Returns a promise that has a value already.
    @inlinable
    public static func fulfilled(_ value: Value) -> Promise<Value> {
        let node = Node(settledAs: .fulfilled, site: CreationSite())
        node.put(value)
        return Promise(node: node)
    }

    /// Returns a promise that has an error already.
    @inlinable
    public static func rejected(
        _ error: any Error, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Value> {
        let node = Node(settledAs: .rejected, site: CreationSite(fileID, line))
        node.error = error
        return Promise(node: node)
    }
}

extension Promise where Value == Void {
    /// Returns a fulfilled promise without a value.
    @inlinable
    public static func fulfilled() -> Promise<Void> {
        .fulfilled(())
    }
}

/// An error that the library itself rejects promises with, beside `CancellationError`.
public enum PromiseError: Error, Equatable {
    /// The resolver, or the scheduler that was to run the handler, is gone without an outcome.
    case abandoned
    /// The promise was to settle as another one that waits for it, or as itself.
    case cycle
    /// A completion handler was called with neither a value nor an error.
    case noOutcome
    /// `race` or `any` had no promise to wait for.
    case noPromises
    /// A limit or a number of attempts was less than one.
    case notPositive(Int)
    /// The value did not pass `validate`.
    case invalid
    /// The promise was still pending after this time.
    case timedOut(after: Duration)
    /// `wait` was called where it would block the scheduler that the promise needs.
    case wouldDeadlock
}
