import Synchronization

/// A value behind a lock that ThreadSanitizer understands.
///
/// It does not see into the `Mutex` of the standard library on Linux, and would report what the
/// lock orders as a race; the atomic beside it tells it of the order.
package struct Guarded<Value>: ~Copyable, Sendable {
    private let mutex: Mutex<Value>
    private let order = Atomic<Bool>(false)

    package init(_ value: sending Value) {
        mutex = Mutex(value)
    }

    package borrowing func withLock<Result>(
        _ body: (inout sending Value) throws -> sending Result
    ) rethrows -> sending Result {
        YieldPoint.pass()
        return try mutex.withLock { value in
            _ = order.load(ordering: .acquiring)
            defer { order.store(true, ordering: .releasing) }
            return try body(&value)
        }
    }
}
