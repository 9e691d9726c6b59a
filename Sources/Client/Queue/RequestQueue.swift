import LarderPromises
import Synchronization

/// The limits on requests that are under way at once, and the queue of those that wait for their turn.
///
/// ```swift
/// configuration.queue = RequestQueue(maximumRequests: 64, maximumRequestsPerHost: 6)
///
/// let urgent = client.configured { $0.priority = .high }.enqueue(Profile())
/// ```
///
/// A host that does not answer keeps as many as a host may have, and no other host's from being sent. Those
/// who wait go in the order of their priorities, and of their arrival where these are the same, past
/// those whose host is full.
///
/// A request has its turn behind all interceptors, so that whatever waits there, for a credential or another
/// attempt, keeps nobody waiting. It keeps its turn up to its response, at redirects to the same host as
/// well; at one to another host it waits only where that is full. Another attempt comes with the
/// first one's arrival, and so before all of its priority that came later. Time spent in the queue counts
/// towards a request's timeout, and what is cancelled or times out there is never sent. What a cache has answered
/// and asks for once more meanwhile goes last, by ``RequestPriority/low``, and stays as it is where that takes longer.
///
/// A client has none unless it is given one. One queue can be that of several clients, and had better be where
/// they share a transport: that has a bound of its own on the exchanges under way, for all hosts together,
/// 128 with libcurl, and what waits there waits in the order in which it came.
public final class RequestQueue: Sendable {
    /// The most requests under way at once.
    public let maximumRequests: Int

    /// The most requests under way at once to one host, which is a scheme, a name and a port.
    public let maximumRequestsPerHost: Int

    /// A request that waits.
    private struct Waiter {
        let onTurn: @Sendable (Turn) -> Void
        /// Whether there was no room when it came.
        var hasToWait = false
        var alarm: Promise<Void>?
    }

    private struct State {
        var turns: Turns
        var waiters: [Int: Waiter] = [:]
        /// Those who have their turn and are to be sent, by whichever thread gives turns.
        var ready: [Int] = []
        /// Whether some thread gives turns, which will give all that there are.
        var isGivingTurns = false
        /// The number of those who want none given meanwhile.
        var pauses = 0

        /// Gives their turn to those there is room for.
        mutating func fillRoom() {
            while pauses == 0, let place = turns.next() { ready.append(place) }
        }
    }

    /// What has come of waiting.
    enum Turn: Sendable {
        case send(hasWaited: Bool)
        case timedOut
    }

    private let state: Guarded<State>
    private let lastNumber = Atomic(0)
    private let stopwatch: @Sendable () -> Stopwatch
    private let delay: @Sendable (Duration) -> Promise<Void>

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - maximumRequests: The most requests under way at once; less than one counts as one.
    ///   - maximumRequestsPerHost: The most of them to one host; less than one counts as one.
    ///   - clock: The clock that timeouts in the queue go by.
    public init(
        maximumRequests: Int = 128, maximumRequestsPerHost: Int = 16,
        clock: some Clock<Duration> = ContinuousClock()
    ) {
        self.maximumRequests = max(maximumRequests, 1)
        self.maximumRequestsPerHost = max(maximumRequestsPerHost, 1)
        state = Guarded(
            State(turns: Turns(limit: self.maximumRequests, hostLimit: self.maximumRequestsPerHost))
        )
        stopwatch = { Stopwatch(clock) }
        delay = { .delay(for: $0, clock: clock) }
    }

    /// The number of requests that wait for their turn.
    public var waitingCount: Int { state.withLock(\.turns.waitingCount) }

    /// The number of requests under way.
    public var underWayCount: Int { state.withLock(\.turns.underWayCount) }

    /// Gives a request its arrival, which is that of all its attempts.
    func ticket(_ priority: RequestPriority) -> Ticket {
        Ticket(queue: self, order: TurnOrder(priority: priority, arrival: newNumber()))
    }

    /// Gives no turns until it is resumed as often as it was paused.
    func pause() {
        state.withLock { $0.pauses += 1 }
    }

    /// Takes a pause back.
    func resume() {
        state.withLock { $0.pauses -= 1 }
        giveTurns()
    }

    private func newNumber() -> Int { lastNumber.add(1, ordering: .relaxed).newValue }

    // MARK: - Places

    private func enter(
        _ place: Place, for host: String, within time: Duration,
        onTurn: @escaping @Sendable (Turn) -> Void
    ) -> Bool {
        let (isToBeSent, hasToWait) = state.withLock { state in
            if state.turns.isUnderWay(place.id), state.turns.move(place.id, to: host) {
                return (true, false)
            }
            if !state.turns.isWaiting(place.id) {
                state.turns.add(place.id, for: host, place.order.withLock(\.self))
            }
            state.waiters[place.id] = Waiter(onTurn: onTurn)
            // At once, so that whoever is just sending others is not taken for a lack of room.
            state.fillRoom()
            let hasToWait = state.turns.isWaiting(place.id)
            state.waiters[place.id]?.hasToWait = hasToWait
            return (false, hasToWait)
        }
        if isToBeSent { onTurn(.send(hasWaited: false)) }
        // Where it comes from, there may be room, too.
        giveTurns()
        guard state.withLock({ $0.waiters[place.id] != nil }) else { return hasToWait }
        let alarm = delay(time).then(on: .immediate) { [weak self] () -> Void in
            self?.expire(place.id)
        }
        let isWaiting = state.withLock { state in
            state.waiters[place.id]?.alarm = alarm
            return state.waiters[place.id] != nil
        }
        if !isWaiting { alarm.cancel() }
        return hasToWait
    }

    private func raise(_ place: Int, to order: TurnOrder) {
        state.withLock { $0.turns.raise(place, to: order) }
    }

    /// Takes out one who has not been sent; nil where it has.
    private func withdraw(_ place: Int) -> Waiter? {
        let (waiter, hadTurn) = state.withLock { state -> (Waiter?, Bool) in
            guard let waiter = state.waiters.removeValue(forKey: place) else { return (nil, false) }
            let hadTurn = state.turns.isUnderWay(place)
            state.turns.remove(place)
            return (waiter, hadTurn)
        }
        waiter?.alarm?.cancel()
        if hadTurn { giveTurns() }
        return waiter
    }

    private func expire(_ place: Int) {
        withdraw(place)?.onTurn(.timedOut)
    }

    private func leave(_ place: Int) {
        if state.withLock({ $0.turns.remove(place) }) { giveTurns() }
    }

    /// Sends those whose turn it is, one after the other, on whichever thread has made room.
    ///
    /// One thread at a time: what is sent may be answered at once and make room for the next, which would
    /// otherwise be sent from there, ever deeper.
    private func giveTurns() {
        let isOthers = state.withLock { state in
            defer { state.isGivingTurns = true }
            return state.isGivingTurns
        }
        guard !isOthers else { return }
        while let waiter = nextWaiter() {
            waiter.alarm?.cancel()
            waiter.onTurn(.send(hasWaited: waiter.hasToWait))
        }
    }

    private func nextWaiter() -> Waiter? {
        state.withLock { state in
            state.fillRoom()
            while state.pauses == 0, !state.ready.isEmpty {
                let place = state.ready.removeFirst()
                if let waiter = state.waiters.removeValue(forKey: place) { return waiter }
                state.fillRoom()
            }
            state.isGivingTurns = false
            return nil
        }
    }
}

extension RequestQueue {
    /// A request's arrival in a queue.
    struct Ticket: Sendable {
        let queue: RequestQueue
        let order: TurnOrder

        /// Creates the place of one attempt.
        func place() -> Place { Place(queue, queue.newNumber(), order) }
    }

    /// The place of one attempt of a request in a queue, up to its last response.
    final class Place: Sendable {
        private let queue: RequestQueue
        private let stopwatch: Stopwatch
        fileprivate let id: Int
        /// Its rank, to be read in the queue's turn, so that none that comes meanwhile is lost.
        fileprivate let order: Guarded<TurnOrder>

        fileprivate init(_ queue: RequestQueue, _ id: Int, _ order: TurnOrder) {
            self.queue = queue
            self.id = id
            self.order = Guarded(order)
            stopwatch = queue.stopwatch()
        }

        /// The time since it was created.
        var elapsed: Duration { stopwatch.elapsed }

        /// Waits for a turn, or goes on to another host; `onTurn` is called once unless it is withdrawn.
        ///
        /// - Returns: Whether it had to wait; by now it may do so no more.
        func enter(
            for host: String, within time: Duration, onTurn: @escaping @Sendable (Turn) -> Void
        ) -> Bool {
            queue.enter(self, for: host, within: time, onTurn: onTurn)
        }

        /// Gives it the rank of another request, where that is a better one.
        ///
        /// Of another queue's only the priority says anything here.
        func raise(to ticket: Ticket) {
            let better = order.withLock { own in
                var other = ticket.order
                if ticket.queue !== queue {
                    other = TurnOrder(priority: other.priority, arrival: own.arrival)
                }
                own = min(own, other)
                return own
            }
            queue.raise(id, to: better)
        }

        /// Gives up waiting; false where it does not wait.
        func withdraw() -> Bool { queue.withdraw(id) != nil }

        /// Makes room for others; without effect where it has done so before.
        func leave() { queue.leave(id) }
    }
}
