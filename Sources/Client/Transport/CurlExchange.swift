#if !canImport(Darwin)
import HTTPTypes

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

    /// Its result, from its end to its completion; safe as only the transport's thread touches it.
    nonisolated(unsafe) private(set) var result: Result<TransportResponse, TransportError>?

    /// Where its content goes once its response has been handed over; safe as only the transport's thread touches
    /// it.
    private nonisolated(unsafe) var pipe: ContentPipe?

    private let mailbox: CurlMailbox
    /// Nil once it has been called, as it may keep the response, which is to go when nobody reads it; safe as only
    /// one thread has the exchange, the sender's, then the transport's.
    private nonisolated(unsafe) var completion:
        (@Sendable (Result<TransportResponse, TransportError>) -> Void)?

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

    /// Ends it with a result, of which nobody hears before it is completed.
    func end(_ result: Result<TransportResponse, TransportError>) {
        stage = .ended
        self.result = result
    }

    /// Tells the result that it has ended with.
    func complete() {
        if let result = result.take() { complete(result) }
    }

    func complete(_ result: Result<TransportResponse, TransportError>) {
        guard let pipe else {
            completion?(result)
            return
        }
        self.pipe = nil
        pipe.finish(result.map { _ in })
    }

    /// Hands over the response whose content is still to come, from within libcurl.
    func begin(_ response: HTTPResponse, over pipe: ContentPipe, _ timings: RequestTimings?) {
        self.pipe = pipe
        pipe.attach(
            resume: { [mailbox] in mailbox.resume(self) },
            stop: { [mailbox] in mailbox.cancel(self) })
        let stream = TransportResponse(
            head: response, content: .streamed(ContentStream(pipe)), timings: timings)
        let completion = completion.take()
        CurlStandstill.interrupting { completion?(.success(stream)) }
    }
}
#endif
