import Foundation
import LarderClient
import LarderPromises

/// A clock on the wall that the test sets.
final class WallClock: Sendable {
    private let time: Guarded<Date>

    init(_ time: Date = Date(timeIntervalSince1970: 1_800_000_000)) { self.time = Guarded(time) }

    var now: Date { time.withLock { $0 } }

    func pass(_ seconds: Double) { time.withLock { $0 += seconds } }
}
