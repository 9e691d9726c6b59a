/// Places for values that arrive in any order.
final class Slots<Value: Sendable>: Sendable {
    private let state: Guarded<State>

    private struct State: Sendable {
        var values: [Value?]
        var missing: Int
    }

    init(count: Int) {
        state = Guarded(State(values: Array(repeating: nil, count: count), missing: count))
    }

    /// Fills a place, and returns all values, in order, when it was the last one.
    func fill(_ index: Int, with value: Value) -> [Value]? {
        state.withLock { state in
            state.values[index] = value
            state.missing -= 1
            return state.missing == 0 ? state.values.compactMap(\.self) : nil
        }
    }
}
