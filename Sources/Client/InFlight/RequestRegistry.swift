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
    func add(_ endpoint: any Endpoint, _ promise: any UntypedPromise) -> Place {
        state.withLock { state in
            state.lastID += 1
            let request = RequestInFlight(id: state.lastID, endpoint: endpoint, promise: promise)
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
