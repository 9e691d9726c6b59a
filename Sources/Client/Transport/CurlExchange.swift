#if !canImport(Darwin)
/// One request and whom to tell how it went.
final class CurlExchange: TransportTask {
    let request: TransportRequest
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
