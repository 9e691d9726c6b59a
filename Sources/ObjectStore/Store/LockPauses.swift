/// The pauses between a store's transactions, in which another process, or another store of this
/// one, gets the lock of the file.
///
/// SQLite has no queue: who waits looks every millisecond (``LockWait``), and where one transaction
/// follows the other at once, the lock is hardly ever free at that moment.
struct LockPauses {
    /// The time without a pause after which there is to be one, in nanoseconds.
    static let stretch: UInt64 = 200_000_000
    /// The length of a pause in microseconds: longer than who waits takes to look again.
    static let length: UInt32 = LockWait.interval * 6 / 5

    /// When the last pause was.
    private var last: UInt64 = 0
    /// When the last transaction ended.
    private var end: UInt64 = 0

    /// Whether a transaction has to wait for a pause before it begins.
    ///
    /// - Parameter time: The time now, in nanoseconds.
    mutating func isDue(at time: UInt64) -> Bool {
        let hasPaused = time &- end >= UInt64(Self.length) * 1_000
        let isDue = !hasPaused && time &- last > Self.stretch
        if hasPaused || isDue { last = time }
        return isDue
    }

    /// Takes note of the end of a transaction.
    mutating func noteEnd(at time: UInt64) { end = time }
}
