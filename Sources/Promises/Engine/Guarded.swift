public import Synchronization

/// A value behind a lock that ThreadSanitizer understands.
///
/// It does not see into the `Mutex` of the standard library on Linux, and would report what the
/// lock orders as a race; the atomic beside it tells it of the order.
///
/// Inlinable, for which it has to be usable from inline itself: code that is generic over what it guards asks
/// the runtime for its type each time.
@usableFromInline
package struct Guarded<Value>: ~Copyable, Sendable {
    @usableFromInline let mutex: Mutex<Value>
    @usableFromInline let order = Atomic<Bool>(false)

    @inlinable
    package init(_ value: sending Value) {
        mutex = Mutex(value)
    }

    @inlinable
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

extension Duration {
    /// The duration in milliseconds, rounded up, and within 0 and 24 days, which is what a C `int`
    /// can count.
    package var wholeMilliseconds: Int {
        guard self > .zero else { return 0 }
        guard !isUncounted else { return 2_000_000_000 }
        let (seconds, attoseconds) = components
        let milliseconds = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return Int(seconds) * 1000 + Int(milliseconds)
    }

    /// Whether it is longer than is counted, as the time of what has no bound is.
    package var isUncounted: Bool { self >= .seconds(2_000_000) }

    /// The duration, but from none to a hundred years, which is for ever: clocks of the standard
    /// library end the process where the time to sleep until does not fit into their integers.
    package var sleepable: Duration {
        max(.zero, min(self, .seconds(3_155_760_000)))
    }
}
