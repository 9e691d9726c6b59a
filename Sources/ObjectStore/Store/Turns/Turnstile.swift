import Dispatch
import Foundation

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
        let enter: @Sendable () -> Void
    }

    private let lock = NSLock()
    private var free: Int
    private var waiting: [Waiting] = []
    private var lastNumber: UInt64 = 0

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

    /// Blocks the thread until its turn has come; false where that takes longer than it may.
    func enter(atMost limit: DispatchTimeInterval = .never) -> Bool {
        lock.lock()
        let isFree = free > 0
        if isFree { free -= 1 }
        lock.unlock()
        if isFree { return true }
        let turn = DispatchSemaphore(value: 0)
        let ticket = enter { turn.signal() }
        if turn.wait(timeout: .now() + limit) == .success || !withdraw(ticket) { return true }
        return false
    }

    /// Gives up a place; false where the turn has come before.
    func withdraw(_ ticket: Ticket) -> Bool {
        lock.lock()
        defer { lock.unlock() }
        guard let index = waiting.firstIndex(where: { $0.ticket == ticket }) else { return false }
        waiting.remove(at: index)
        return true
    }

    /// Ends a turn, and with it begins that of who has waited longest.
    func leave() {
        lock.lock()
        let next = waiting.isEmpty ? nil : waiting.removeFirst()
        if next == nil { free += 1 }
        lock.unlock()
        next?.enter()
    }

    /// How many wait.
    var waitingCount: Int {
        lock.lock()
        defer { lock.unlock() }
        return waiting.count
    }
}
