import LarderPromises

/// A bound on how many retries there are beside what succeeds, so that a server in distress is not asked
/// the more.
///
/// Each origin has a budget of its own, full at first. A retry takes one from it, an answer that needs none
/// gives back a part of one; where it is empty, what fails is not tried again. Of requests that have shared
/// an exchange each takes its own, since each waits for its own time, and may be alone by then.
public final class RetryBudget: Sendable {
    private let capacity: Double
    private let refund: Double
    /// The retries left, by origin; those that have all are not in it.
    private let left = Guarded<[String: Double]>([:])

    /// Creates a budget.
    ///
    /// - Parameters:
    ///   - capacity: The most retries in a row that nothing succeeds beside, per origin.
    ///   - refund: The part of a retry that each success gives back.
    public init(capacity: Int = 10, refund: Double = 0.1) {
        self.capacity = Double(max(capacity, 0))
        self.refund = refund.isFinite ? max(refund, 0) : 0
    }

    /// The error of many sums: ten tenths are a little less than one.
    private static let tolerance = 1e-6

    /// Takes one retry from an origin's budget; false where there is none.
    func take(from origin: String) -> Bool {
        left.withLock { left in
            let own = left[origin] ?? capacity
            guard own > 1 - Self.tolerance else { return false }
            left[origin] = max(own - 1, 0)
            return true
        }
    }

    /// Gives back what a success gives back.
    func refund(to origin: String) {
        left.withLock { left in
            guard let own = left[origin] else { return }
            left[origin] = own + refund < capacity - Self.tolerance ? own + refund : nil
        }
    }

    /// The number of origins that don't have their whole budget.
    var originCount: Int { left.withLock(\.count) }
}
