#if !canImport(Darwin)
/// A request, its stage on the transport's thread, and its completion.
final class CurlExchange: TransportTask {
    /// The stage of an exchange on the transport's thread.
    enum Stage {
        /// Nowhere yet.
        case coming
        /// In the backlog.
        case waiting(place: Int)
        case active(CurlHandle)
        case ended
    }

    let request: TransportRequest

    /// Safe as only the transport's thread touches it.
    nonisolated(unsafe) var stage = Stage.coming

    private let mailbox: CurlMailbox
    private let completion: @Sendable (Result<TransportResponse, TransportError>) -> Void

    init(
        _ request: TransportRequest,
        mailbox: CurlMailbox,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) {
        self.request = request
        self.mailbox = mailbox
        self.completion = completion
    }

    func cancel() {
        mailbox.cancel(self)
    }

    func complete(_ result: Result<TransportResponse, TransportError>) {
        completion(result)
    }
}
#endif
