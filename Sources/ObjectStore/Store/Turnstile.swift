import Dispatch
import Foundation
import LarderPromises

/// Lets a number of callers through at a time, the others in the order they came.
///
/// Who waits can block its thread or leave a closure, so that a queue of waiting calls takes up no
/// threads.
///
/// Unchecked because it is a lock that the compiler does not know: all that changes is only touched
/// under it. It is taken twice for each object that is looked up, which code that is generic over
/// what the lock guards makes noticeably slower.
final class Turnstile: @unchecked Sendable {
    /// A place among those who wait.
    struct Ticket: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    private struct Waiting {
        let ticket: Ticket
        /// Nil once the place has been given up.
        var enter: (@Sendable () -> Void)?
    }

    private let lock = NSLock()
    private var free: Int
    /// Those who wait, behind `first` those whose turn has come; by their tickets.
    private var waiting: [Waiting] = []
    private var first = 0
    private var withdrawn = 0
    private var lastNumber: UInt64 = 0
    /// The time when one of those who waited has last got its turn; nil before the first.
    private var lastTurn: DispatchTime?

    /// - Parameter width: How many may be inside at a time.
    init(width: Int) {
        free = width
    }

    /// Calls a closure when its turn has come, perhaps at once; it ends with `leave()`.
    @discardableResult
    func enter(_ body: @escaping @Sendable () -> Void) -> Ticket {
        lock.lock()
        lastNumber += 1
        let ticket = Ticket(number: lastNumber)
        let isFree = free > 0
        if isFree { free -= 1 } else { waiting.append(Waiting(ticket: ticket, enter: body)) }
        lock.unlock()
        if isFree { body() }
        return ticket
    }

    /// Begins a turn unless somebody has to be waited for.
    func enterAtOnce() -> Bool {
        lock.lock()
        defer { lock.unlock() }
        guard free > 0 else { return false }
        free -= 1
        return true
    }

    /// Blocks the thread until its turn has come; false where for longer than the limit nobody's
    /// has, since those who are inside stay there.
    func enter(atMost limit: DispatchTimeInterval = .never) -> Bool {
        if enterAtOnce() { return true }
        let turn = DispatchSemaphore(value: 0)
        let ticket = enter { turn.signal() }
        var end = DispatchTime.now() + limit
        while turn.wait(timeout: end) == .timedOut {
            let next = lock.withLock { lastTurn.map { $0 + limit } }
            if let next, next > end {
                end = next
            } else if withdraw(ticket) {
                return false
            } else {
                end = .distantFuture
            }
        }
        return true
    }

    /// Blocks the thread until its turn has come, however long that takes; false where it was given up
    /// before.
    ///
    /// - Parameter willWait: Gets what gives it up, where it has to wait.
    func enter(_ willWait: (_ giveUp: @escaping @Sendable () -> Void) -> Void) -> Bool {
        if enterAtOnce() { return true }
        let isGivenUp = Guarded(false)
        let turn = DispatchSemaphore(value: 0)
        let ticket = enter { turn.signal() }
        willWait { [self] in
            guard withdraw(ticket) else { return }
            isGivenUp.withLock { $0 = true }
            turn.signal()
        }
        turn.wait()
        return !isGivenUp.withLock(\.self)
    }

    /// Gives up a place; false where the turn has come before.
    func withdraw(_ ticket: Ticket) -> Bool {
        lock.lock()
        defer { lock.unlock() }
        // Tickets are in order.
        var (low, high) = (first, waiting.count)
        while low < high {
            let middle = (low + high) / 2
            if waiting[middle].ticket.number < ticket.number {
                low = middle + 1
            } else {
                high = middle
            }
        }
        guard low < waiting.count, waiting[low].ticket == ticket, waiting[low].enter != nil else {
            return false
        }
        waiting[low].enter = nil
        withdrawn += 1
        return true
    }

    /// Ends a turn, and with it begins that of who has waited longest.
    func leave() {
        lock.lock()
        let next = waiting.isEmpty ? nil : takeNext()
        if next == nil { free += 1 } else { lastTurn = .now() }
        lock.unlock()
        next?()
    }

    private func takeNext() -> (@Sendable () -> Void)? {
        var next: (@Sendable () -> Void)?
        while next == nil, first < waiting.count {
            next = waiting[first].enter
            if next == nil { withdrawn -= 1 }
            waiting[first].enter = nil
            first += 1
        }
        // Now and then, so that a turn costs the same however many wait.
        if first == waiting.count || first > 64 && first > waiting.count / 2 {
            waiting.removeFirst(first)
            first = 0
        }
        return next
    }

    /// The number of callers that wait.
    var waitingCount: Int {
        lock.lock()
        defer { lock.unlock() }
        return waiting.count - first - withdrawn
    }
}
