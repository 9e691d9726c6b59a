#if !canImport(Darwin)
import LarderPromises

/// The handles that wait for a connection that others open, so as to share it.
///
/// libcurl lets a handle wait for as long as the other is at it, and minds no timeout meanwhile. One that has waited
/// too long opens a connection of its own.
struct CurlWaiters {
    private var handles: [(handle: CurlHandle, exchange: CurlExchange, limit: Int)] = []

    mutating func append(_ handle: CurlHandle) {
        guard let exchange = handle.exchange else { return }
        let timeout = (exchange.request.timeout ?? .seconds(60)).wholeMilliseconds
        let patience = handle.configuration.sharingPatience.wholeMilliseconds
        handles.append((handle, exchange, min(timeout, patience)))
    }

    /// Takes out the handles that have waited too long.
    mutating func overdue() -> [CurlHandle] {
        guard !handles.isEmpty else { return [] }
        handles.removeAll { !Self.waits($0.handle, for: $0.exchange) }
        var overdue: [CurlHandle] = []
        // Asked once each, as time goes on.
        handles.removeAll { waiter in
            guard waiter.handle.sharing.millisecondsWaited >= waiter.limit else { return false }
            overdue.append(waiter.handle)
            return true
        }
        return overdue
    }

    /// The number of milliseconds until one has waited too long, if there are fewer than those given.
    func patience(within most: Int32) -> Int32 {
        handles.reduce(most) { least, waiter in
            let rest = waiter.limit - waiter.handle.sharing.millisecondsWaited
            return min(least, Int32(clamping: max(rest, 1)))
        }
    }

    /// Whether a handle is still at an exchange of its own, for which nothing has happened yet.
    private static func waits(_ handle: CurlHandle, for exchange: CurlExchange) -> Bool {
        handle.exchange === exchange && handle.sharing.isWaiting && handle.sockets.isEmpty
    }
}
#endif
