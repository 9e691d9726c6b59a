import CLarderSQLite
import Dispatch
import Foundation

/// The wait of a connection for a lock that another one has.
///
/// It looks for the lock every millisecond. SQLite's own wait (`sqlite3_busy_timeout`) looks less and
/// less often, in the end ten times a second, and hardly ever meets the moment between two
/// transactions of somebody who makes one after the other.
final class LockWait {
    /// The longest wait, in milliseconds.
    var limit: Int32
    /// When the lock was first looked for, in nanoseconds.
    private var start: UInt64 = 0
    /// When it was last looked for.
    private var last: UInt64 = 0

    /// The time between two looks, in microseconds.
    static let interval: UInt32 = 1_000

    init(limit: Int32) { self.limit = limit }

    /// Has a connection wait so; it must not outlast this.
    func use(on pointer: OpaquePointer) {
        sqlite3_busy_handler(pointer, looksAgain, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Whether to look once more.
    ///
    /// - Parameters:
    ///   - count: How often this was asked before in the same wait.
    ///   - time: The time now, in nanoseconds.
    func goesOn(after count: Int32, at time: UInt64) -> Bool {
        // Who comes back late has worked in between: it is another wait of the same statement.
        if count == 0 { start = time } else if time &- last > 100_000_000 { start &+= time &- last }
        last = time
        return time &- start < UInt64(max(limit, 0)) * 1_000_000
    }
}

private func looksAgain(_ wait: UnsafeMutableRawPointer?, _ count: Int32) -> Int32 {
    guard let wait else { return 0 }
    let goesOn = Unmanaged<LockWait>.fromOpaque(wait).takeUnretainedValue()
        .goesOn(after: count, at: DispatchTime.now().uptimeNanoseconds)
    if goesOn { usleep(LockWait.interval) }
    return goesOn ? 1 : 0
}
