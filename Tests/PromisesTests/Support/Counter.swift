import Synchronization

/// A counter for many threads.
final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    /// Adds an amount, and returns the sum.
    @discardableResult
    func add(_ amount: Int = 1) -> Int {
        count.add(amount, ordering: .acquiringAndReleasing).newValue
    }

    var value: Int { count.load(ordering: .acquiring) }
}
