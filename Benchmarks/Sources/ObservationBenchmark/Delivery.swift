import Dispatch
import Foundation

/// Waits for what an observer is handed.
///
/// Unchecked because `arrivals` is only touched under the lock.
final class Delivery<List: Sendable>: @unchecked Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let lock = NSLock()
    private var arrivals: [(time: ContinuousClock.Instant, list: List)] = []

    /// Takes a list that an observer has been handed just now.
    func arrived(_ list: List) {
        let now = ContinuousClock.now
        lock.withLock { arrivals.append((now, list)) }
        semaphore.signal()
    }

    /// Does something and returns the seconds until the first list has arrived that it leads to.
    ///
    /// Whatever else arrives is passed over, such as a list that was under way before, so that
    /// nothing is taken for the answer to what is yet to be done. Lists are looked at when their time
    /// has been taken.
    func seconds(
        _ body: () throws -> Void, until isExpected: (List) -> Bool
    ) throws -> Double {
        let start = ContinuousClock.now
        try body()
        while semaphore.wait(timeout: .now() + 60) == .success {
            let (time, list) = lock.withLock { arrivals.removeFirst() }
            if time >= start, isExpected(list) { return (time - start) / .seconds(1) }
        }
        throw Missing()
    }
}

/// What was to be delivered has not been for a minute.
struct Missing: Error {}
