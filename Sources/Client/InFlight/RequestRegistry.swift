import LarderPromises

/// The requests of a client that have been enqueued and not settled.
///
/// It keeps their promises, which keep no more of a request than who enqueued it does.
final class RequestRegistry: Sendable {
    private struct State {
        /// Nil where one has gone; such places are used again.
        var requests: [RequestInFlight?] = []
        var free: [Int] = []
        var lastID = 0
    }

    private let state = Guarded(State())

    /// The number of places taken up.
    var placeCount: Int { state.withLock(\.requests.count) }

    /// The requests that are pending, in the order in which they were enqueued.
    var requests: [RequestInFlight] {
        state.withLock(\.requests).compactMap(\.self).filter { !$0.isFinished }
            .sorted { $0.id < $1.id }
    }

    /// Adds a request and returns its place.
    func add(_ endpoint: any Endpoint, _ promise: any UntypedPromise) -> Int {
        state.withLock { state in
            state.lastID += 1
            let request = RequestInFlight(id: state.lastID, endpoint: endpoint, promise: promise)
            if let place = state.free.popLast() {
                state.requests[place] = request
                return place
            }
            state.requests.append(request)
            return state.requests.count - 1
        }
    }

    /// Takes out the request at a place.
    func remove(_ place: Int) {
        // It may be the last to keep a value, whose end is nothing to be under the lock.
        let request = state.withLock { state in
            state.free.append(place)
            return state.requests[place].take()
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
