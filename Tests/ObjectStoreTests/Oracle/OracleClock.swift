import Foundation
import LarderPromises

/// A clock that tells the number of the step which is being taken.
final class OracleClock: Sendable {
    private let guarded = Guarded(0)

    /// The number.
    var step: Int {
        get { guarded.withLock { $0 } }
        set { guarded.withLock { $0 = newValue } }
    }

    /// The moment that objects are fetched at.
    var now: Date { Date(timeIntervalSinceReferenceDate: Double(step)) }
}
