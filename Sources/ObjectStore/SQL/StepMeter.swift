import Synchronization

/// A count of a connection's calls into SQLite, by which other threads can tell one at work from one
/// that waits.
///
/// The thread that has the connection is the only one to count, so that no addition is atomic.
final class StepMeter: Sendable {
    /// Odd while a call is going on.
    private let count = Atomic(0)

    /// Runs a call.
    @inline(__always)
    func counting<Result>(_ call: () -> Result) -> Result {
        count.store(count.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
        defer { count.store(count.load(ordering: .relaxed) &+ 1, ordering: .relaxed) }
        return call()
    }

    /// The count at this moment.
    var reading: Int { count.load(ordering: .relaxed) }

    /// Whether there has been a call since a reading, or one is going on.
    func hasMoved(since reading: Int) -> Bool {
        let now = self.reading
        return now != reading || now & 1 == 1
    }
}
