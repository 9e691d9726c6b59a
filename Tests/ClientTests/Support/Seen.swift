import LarderPromises

/// Collects what handlers on other threads are given.
final class Seen<Value: Sendable>: Sendable {
    private let state = Guarded<[Value]>([])

    var values: [Value] { state.withLock { $0 } }
    var count: Int { values.count }

    func note(_ value: Value) {
        state.withLock { $0.append(value) }
    }
}

typealias Heard = Seen<String>

extension Seen where Value == String {
    var texts: [String] { values }
}
