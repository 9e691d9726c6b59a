import Foundation
import Synchronization

/// Where two threads meet before each round.
final class Barrier: Sendable {
    private let arrivals = Atomic<Int>(0)

    func pass(_ round: Int) {
        arrivals.add(1, ordering: .acquiringAndReleasing)
        var turns = 0
        while arrivals.load(ordering: .acquiring) < 2 * (round + 1) {
            turns += 1
            // The other one may have no processor to run on.
            if turns > 1000 { sched_yield() }
        }
    }

    /// Takes a moment.
    func look() {
        _ = arrivals.load(ordering: .acquiring)
    }
}
