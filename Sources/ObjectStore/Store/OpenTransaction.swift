import LarderPromises

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
    private let meter: StepMeter

    init(of writer: Writer, meter: StepMeter) {
        self.writer = ObjectIdentifier(writer)
        self.meter = meter
    }

    /// Whether it is still going on, and a writer's own.
    func isOpen(on writer: Writer) -> Bool {
        ObjectIdentifier(writer) == self.writer && state.withLock(\.isOpen)
    }

    /// A reading of the meter of its connection.
    var reading: Int { meter.reading }

    /// Whether its connection has been at work since a reading, or is.
    func hasWorked(since reading: Int) -> Bool { meter.hasMoved(since: reading) }

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
