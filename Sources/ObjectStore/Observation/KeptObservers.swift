import LarderPromises

/// Those who want to hear of changes of what is kept of responses.
package final class KeptObservers: Sendable {
    private struct State {
        var observers: [Int: @Sendable () -> Void] = [:]
        var lastNumber = 0
    }

    private let state = Guarded(State())

    package init() {}

    /// Calls a closure whenever something has changed.
    ///
    /// - Returns: The number by which it is taken out.
    package func add(_ body: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.lastNumber += 1
            state.observers[state.lastNumber] = body
            return state.lastNumber
        }
    }

    package func remove(_ number: Int) {
        _ = state.withLock { $0.observers.removeValue(forKey: number) }
    }

    package func tell() {
        for observer in state.withLock({ Array($0.observers.values) }) { observer() }
    }
}
