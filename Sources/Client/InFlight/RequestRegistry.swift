import LarderPromises

/// The requests of a client that have been enqueued and not settled.
///
/// It keeps their promises, which keep no more of a request than who enqueued it does.
final class RequestRegistry: Sendable {
    /// A request's place, which is another's once it has been taken out.
    struct Place: Sendable {
        fileprivate let index: Int
        fileprivate let id: Int
    }

    private struct State {
        /// Nil where one has gone; such places are used again.
        var requests: [RequestInFlight?] = []
        var free: [Int] = []
        var lastID = 0
        /// Those who are told the number of requests.
        var counters: [Int: AsyncStream<Int>.Continuation] = [:]

        var count: Int { requests.count - free.count }

        /// Tells the number, under the lock, so that the last one told is the last one.
        func tellCount() {
            guard !counters.isEmpty else { return }
            for counter in counters.values { counter.yield(count) }
        }
    }

    private let state = Guarded(State())

    /// The number of places taken up.
    var placeCount: Int { state.withLock(\.requests.count) }

    /// The requests that are pending, in the order in which they were enqueued.
    var requests: [RequestInFlight] {
        state.withLock(\.requests).compactMap(\.self).filter { !$0.isFinished }
            .sorted { $0.id < $1.id }
    }

    deinit {
        for counter in state.withLock(\.counters).values { counter.finish() }
    }

    /// The number of places that are taken, now and whenever it changes; of those not yet read, the last.
    func counts() -> AsyncStream<Int> {
        let (counts, counter) = AsyncStream.makeStream(
            of: Int.self, bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state in
            state.lastID += 1
            state.counters[state.lastID] = counter
            counter.yield(state.count)
            return state.lastID
        }
        counter.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.counters.removeValue(forKey: id) }
        }
        return counts
    }

    /// Adds a request and returns its place.
    func add(
        _ endpoint: any Endpoint, _ promise: any UntypedPromise, in queue: RequestQueue? = nil
    ) -> Place {
        state.withLock { state in
            defer { state.tellCount() }
            state.lastID += 1
            let request = RequestInFlight(
                id: state.lastID, endpoint: endpoint, promise: promise, in: queue)
            if let index = state.free.popLast() {
                state.requests[index] = request
                return Place(index: index, id: request.id)
            }
            state.requests.append(request)
            return Place(index: state.requests.count - 1, id: request.id)
        }
    }

    /// Takes out the request at a place; without effect where it has been before.
    func remove(_ place: Place) {
        // It may be the last to keep a value, whose end is nothing to be under the lock.
        let request = state.withLock { state -> RequestInFlight? in
            guard state.requests[place.index]?.id == place.id else { return nil }
            state.free.append(place.index)
            defer { state.tellCount() }
            return state.requests[place.index].take()
        }
        withExtendedLifetime(request) {}
    }
}

/// A promise whose value is of any type.
protocol UntypedPromise: Sendable {
    var isPending: Bool { get }
    func cancel()
}

extension Promise: UntypedPromise {}
