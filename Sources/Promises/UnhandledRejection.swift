import Synchronization

/// A rejected promise that was dropped before anybody attached a handler to it.
///
/// Cancelled promises are not reported, nor errors that a `catch` handler has seen.
public struct UnhandledRejection: Sendable {
    /// What the promise was rejected with.
    public let error: any Error
    /// Where the promise was created, as `Module/File.swift:line`; `nil` in release builds.
    public let origin: String?

    /// Calls `hook` for every unhandled rejection from now on; `nil`, the default, switches it off.
    ///
    /// The hook is called on the thread that drops the promise.
    public static func report(to hook: (@Sendable (UnhandledRejection) -> Void)?) {
        Self.hook.withLock { $0 = hook }
        isReporting.store(hook != nil, ordering: .relaxed)
    }

    private static let isReporting = Atomic<Bool>(false)
    private static let hook = Guarded<(@Sendable (UnhandledRejection) -> Void)?>(nil)

    static func check(_ node: Node) {
        guard isReporting.load(ordering: .relaxed) else { return }
        guard node.status.isUnhandledRejection, let error = node.error,
            !(error is CancellationError)
        else {
            return
        }
        let hook = Self.hook.withLock { $0 }
        hook?(UnhandledRejection(error: error, origin: node.site.description))
    }
}

extension Node.Status {
    fileprivate var isUnhandledRejection: Bool {
        isSuperset(of: [.settled, .rejected])
            && isDisjoint(with: [.cancelled, .observed, .handled])
    }
}
