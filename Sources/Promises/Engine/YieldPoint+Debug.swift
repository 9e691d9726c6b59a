#if DEBUG
/// A place between two locked sections, where a test may let another thread go first.
enum YieldPoint {
    /// What the code that runs in this task, or on this thread, does at each of these places.
    @TaskLocal static var visit: (@Sendable () -> Void)?

    static func pass() {
        visit?()
    }
}
#endif
