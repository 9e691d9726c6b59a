import Dispatch
import LarderPromises

/// Lets a number of callers through at a time, the others in the order they came.
///
/// Who waits can block its thread or leave a closure, so that a queue of waiting calls takes up no
/// threads.
final class Turnstile: Sendable {
    /// A place among those who wait.
    struct Ticket: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    private struct Waiting {
        let ticket: Ticket
        let enter: @Sendable () -> Void
    }

    private struct State {
        var free: Int
        var waiting: [Waiting] = []
        var lastNumber: UInt64 = 0
    }

    private let state: Guarded<State>

    /// - Parameter width: How many may be inside at a time.
    init(width: Int) {
        state = Guarded(State(free: width))
    }

    /// Calls a closure when its turn has come, perhaps at once; it ends with `leave()`.
    @discardableResult
    func enter(_ body: @escaping @Sendable () -> Void) -> Ticket {
        let (ticket, isFree) = state.withLock { state -> (Ticket, Bool) in
            state.lastNumber += 1
            let ticket = Ticket(number: state.lastNumber)
            guard state.free == 0 else {
                state.free -= 1
                return (ticket, true)
            }
            state.waiting.append(Waiting(ticket: ticket, enter: body))
            return (ticket, false)
        }
        if isFree { body() }
        return ticket
    }

    /// Blocks the thread until its turn has come; false where that takes longer than it may.
    func enter(atMost limit: DispatchTimeInterval = .never) -> Bool {
        let isFree = state.withLock { state in
            guard state.free > 0 else { return false }
            state.free -= 1
            return true
        }
        if isFree { return true }
        let turn = DispatchSemaphore(value: 0)
        let ticket = enter { turn.signal() }
        if turn.wait(timeout: .now() + limit) == .success || !withdraw(ticket) { return true }
        return false
    }

    /// Gives up a place; false where the turn has come before.
    func withdraw(_ ticket: Ticket) -> Bool {
        state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0.ticket == ticket }) else {
                return false
            }
            state.waiting.remove(at: index)
            return true
        }
    }

    /// Ends a turn, and with it begins that of who has waited longest.
    func leave() {
        let next = state.withLock { state -> Waiting? in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.enter()
    }

    /// How many wait.
    var waitingCount: Int { state.withLock { $0.waiting.count } }
}
