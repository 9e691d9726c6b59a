public import LarderPromises

/// Something that knows whether there is a network.
///
/// A hint, not a gate: a network may lead nowhere, and a server on the same machine needs none. Nothing is kept
/// from being tried because of it, unless an ``OfflineInterceptor`` is told so.
public protocol NetworkMonitor: Sendable {
    /// Whether there is a network, as far as is known; true where nothing is.
    var isOnline: Bool { get }

    /// Returns a promise that is fulfilled once there is a network, at once where there is one.
    ///
    /// Cancelling it gives up waiting.
    func online() -> Promise<Void>
}
