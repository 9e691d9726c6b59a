import LarderPromises
import Synchronization

/// A transaction that is going on, as tasks that its body starts inherit it.
///
/// A call that such a task makes into the store waits for the transaction; if the body waits for
/// the task in turn, neither would ever end.
package final class OpenTransaction: Sendable {
    /// The transaction that the current task was started in.
    @TaskLocal package static var current: OpenTransaction?

    private struct State {
        var isOpen = true
        /// The closures to be called at the end.
        var handlers: [@Sendable () -> Void] = []
    }

    private let writer: ObjectIdentifier
    private let state = Guarded(State())
    private let uses = Atomic(0)

    init(of writer: Writer) {
        self.writer = ObjectIdentifier(writer)
    }

    /// Whether it is still going on, and a writer's own.
    func isOpen(on writer: Writer) -> Bool {
        ObjectIdentifier(writer) == self.writer && state.withLock(\.isOpen)
    }

    /// The number of uses of its context, by which one that works can be told from one that waits.
    var useCount: Int { uses.load(ordering: .relaxed) }

    /// Takes note of a use of its context.
    func noteUse() {
        // No addition that others wait for: only the transaction's own thread writes.
        uses.store(uses.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    }

    /// Has a closure called once it ends, or calls it at once where it has; false there.
    @discardableResult
    func onEnd(_ handler: @escaping @Sendable () -> Void) -> Bool {
        let isOpen = state.withLock { state in
            if state.isOpen { state.handlers.append(handler) }
            return state.isOpen
        }
        if !isOpen { handler() }
        return isOpen
    }

    /// Ends it for all that have inherited it.
    func close() {
        let handlers = state.withLock { state in
            defer { state = State(isOpen: false) }
            return state.handlers
        }
        for handler in handlers { handler() }
    }
}
