/// A handle on one exchange that is under way.
public protocol TransportTask: Sendable {
    /// Stops the exchange, from any thread.
    ///
    /// Its completion is called with ``TransportError/Kind/cancelled``, unless the exchange had ended
    /// before; then nothing happens.
    func cancel()
}
