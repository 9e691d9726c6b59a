public import LarderPromises

/// A monitor that is told whether there is a network, by whatever knows.
///
/// ```swift
/// let network = NetworkState()
/// configuration.interceptors.append(OfflineInterceptor(network, waiting: .seconds(30)))
/// network.isOnline = false
/// ```
///
/// On Apple's systems `PathMonitor` knows by itself. Elsewhere it's for the app to say, and for tests.
public final class NetworkState: NetworkMonitor {
    private struct State {
        var isOnline: Bool
        var waiting: [Int: Resolver<Void>] = [:]
        var nextID = 0
    }

    private let state: Guarded<State>

    /// Creates a state.
    public init(isOnline: Bool = true) {
        state = Guarded(State(isOnline: isOnline))
    }

    /// Whether there is a network; whoever waits for one goes on once it is set to true.
    public var isOnline: Bool {
        get { state.withLock(\.isOnline) }
        set {
            let waiting = state.withLock { state -> [Resolver<Void>] in
                state.isOnline = newValue
                guard newValue else { return [] }
                defer { state.waiting = [:] }
                return state.waiting.sorted { $0.key < $1.key }.map(\.value)
            }
            for resolver in waiting { resolver.fulfill() }
        }
    }

    /// The number of those who wait.
    public var waitingCount: Int { state.withLock(\.waiting.count) }

    /// Returns a promise that is fulfilled once there is a network.
    public func online() -> Promise<Void> {
        let (promise, resolver) = Promise<Void>.pending()
        let id = state.withLock { state -> Int? in
            guard !state.isOnline else { return nil }
            state.nextID += 1
            state.waiting[state.nextID] = resolver
            return state.nextID
        }
        guard let id else {
            resolver.fulfill()
            return promise
        }
        resolver.onCancel { [weak self] in
            _ = self?.state.withLock { $0.waiting.removeValue(forKey: id) }
        }
        return promise
    }
}
