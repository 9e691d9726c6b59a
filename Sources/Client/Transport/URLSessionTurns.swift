#if canImport(Darwin) || LARDER_URLSESSION
import LarderPromises

/// The turns of a transport's exchanges, of which so many are under way at once; others wait, in the order they came.
final class URLSessionTurns: Sendable {
    typealias Start = @Sendable () -> Void

    private struct State {
        var free: Int
        var lastID = 0
        /// Those that wait, by the order they came in; some have gone.
        var order: [Int] = []
        var first = 0
        var waiting: [Int: Start] = [:]

        /// Takes the one that has waited longest.
        mutating func next() -> Start? {
            while first < order.count {
                let start = waiting.removeValue(forKey: order[first])
                first += 1
                // Half of it at a time, as each then is moved once.
                if first > 512, first > order.count / 2 {
                    order.removeFirst(first)
                    first = 0
                }
                if let start { return start }
            }
            (order, first) = ([], 0)
            return nil
        }
    }

    private let state: Guarded<State>

    init(_ count: Int) {
        state = Guarded(State(free: max(count, 1)))
    }

    /// A number for one that is about to come.
    func makeID() -> Int {
        state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
    }

    /// Starts one that comes, at once or when it is its turn.
    func enter(_ id: Int, _ start: @escaping Start) {
        let isTurn = state.withLock { state in
            if state.free > 0 {
                state.free -= 1
                return true
            }
            state.waiting[id] = start
            state.order.append(id)
            return false
        }
        if isTurn { start() }
    }

    /// Lets another one have the turn of one that has ended, or has been given up while it waited.
    func leave(_ id: Int) {
        let start = state.withLock { state -> Start? in
            guard state.waiting.removeValue(forKey: id) == nil else { return nil }
            guard let start = state.next() else {
                state.free += 1
                return nil
            }
            return start
        }
        start?()
    }
}
#endif
