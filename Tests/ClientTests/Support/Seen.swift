import LarderPromises

/// Collects what handlers on other threads are given.
final class Seen<Value: Sendable>: Sendable {
    private let state = Guarded<[Value]>([])

    var values: [Value] { state.withLock { $0 } }
    var count: Int { values.count }

    func note(_ value: Value) {
        _ = add(value)
    }

    /// Notes a value and returns how many came before it.
    func add(_ value: Value) -> Int {
        state.withLock { values in
            values.append(value)
            return values.count - 1
        }
    }
}

typealias Heard = Seen<String>

extension Seen where Value == String {
    var texts: [String] { values }
}
