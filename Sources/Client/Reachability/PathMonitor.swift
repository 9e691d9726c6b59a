#if canImport(Network)
public import LarderPromises
import Network

/// A monitor that asks the system (`NWPathMonitor`).
public final class PathMonitor: NetworkMonitor {
    private let state = NetworkState()
    private let monitor = NWPathMonitor()

    /// Creates a monitor, which begins at once.
    public init() {
        monitor.pathUpdateHandler = { [state] path in
            // What needs a connection to be made, such as a VPN on demand, makes it when it is tried.
            state.isOnline = path.status != .unsatisfied
        }
        monitor.start(queue: DispatchQueue(label: "larder.network"))
    }

    deinit { monitor.cancel() }

    /// Whether there is a network; true until the system has said so.
    public var isOnline: Bool { state.isOnline }

    /// Returns a promise that is fulfilled once there is a network.
    public func online() -> Promise<Void> { state.online() }
}
#endif
