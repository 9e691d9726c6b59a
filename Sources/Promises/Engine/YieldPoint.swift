#if DEBUG
/// A place between two locked sections, where a test may let another thread go first.
@usableFromInline
enum YieldPoint {
    /// The action that code which runs in this task, or on this thread, takes at each of these places.
    @TaskLocal static var visit: (@Sendable () -> Void)?
    /// The executor of the tasks that this code begins, so that a test says when they run.
    @TaskLocal static var executor: (any TaskExecutor)?

    @usableFromInline
    static func pass() {
        visit?()
    }

    /// Does something that no other thread may come between, as the runtime holds a lock meanwhile.
    static func withoutAny(_ body: () -> Void) {
        $visit.withValue(nil, operation: body)
    }

    /// Begins a task.
    static func task<Success: Sendable>(
        priority: TaskPriority? = nil, _ operation: @escaping @Sendable () async throws -> Success
    ) -> Task<Success, any Error> {
        Task(executorPreference: executor, priority: priority, operation: operation)
    }
}
#endif

#if !DEBUG
/// A place between two locked sections; empty, and without cost, in release builds.
@usableFromInline
enum YieldPoint {
    @inlinable
    @inline(__always)
    static func pass() {}

    @inline(__always)
    static func withoutAny(_ body: () -> Void) { body() }

    /// Begins a task.
    @inline(__always)
    static func task<Success: Sendable>(
        priority: TaskPriority? = nil, _ operation: @escaping @Sendable () async throws -> Success
    ) -> Task<Success, any Error> {
        Task(priority: priority, operation: operation)
    }
}
#endif
