/// Threads that must never be held up, because promises are settled there.
///
/// The owner of such a thread runs all its work in ``perform(_:)``; `wait` throws there instead of
/// blocking. The default scheduler needs no ban.
package enum WaitBan {
    @TaskLocal private static var isOnThread = false

    /// Runs `work`, in which `wait` throws ``PromiseError/wouldDeadlock``.
    ///
    /// To be called outside of tasks; tasks that the work creates are not under the ban.
    package static func perform<Result>(_ work: () throws -> Result) rethrows -> Result {
        try $isOnThread.withValue(true, operation: work)
    }

    /// Whether the calling code runs on a thread that must not wait.
    static var isInForce: Bool {
        guard isOnThread else { return false }
        return withUnsafeCurrentTask { $0 == nil }
    }
}
