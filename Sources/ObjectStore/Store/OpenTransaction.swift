import LarderPromises

/// A transaction that is going on, as tasks that its body starts inherit it.
///
/// A call that such a task makes into the store waits for the transaction; if the body waits for
/// the task in turn, neither would ever end.
package final class OpenTransaction: Sendable {
    /// The transaction that the current task was started in.
    @TaskLocal package static var current: OpenTransaction?

    private let writer: ObjectIdentifier
    private let state = Guarded(true)

    init(of writer: Writer) {
        self.writer = ObjectIdentifier(writer)
    }

    /// Whether it is still going on, and a writer's own.
    func isOpen(on writer: Writer) -> Bool {
        ObjectIdentifier(writer) == self.writer && state.withLock { $0 }
    }

    /// Ends it for all that have inherited it.
    func close() { state.withLock { $0 = false } }
}
