#if !DEBUG
/// A place between two locked sections; empty, and without cost, in release builds.
enum YieldPoint {
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
