public import LarderClient
import LarderPromises

extension StubTransport {
    /// Creates a transport that answers as it was recorded.
    ///
    /// A request is answered by what has its method, its URL and its content: by the first such exchange, the next
    /// time by the second, and so on. Content is the same, too, where it is JSON whose keys are in another order, or
    /// a form with another boundary. A request that was not recorded, or is sent more often than it was, fails with
    /// ``TransportError/Reason/other``, which names it.
    ///
    /// - Parameters:
    ///   - recording: The exchanges.
    ///   - redaction: What is secret, as it was when they were recorded.
    ///   - clock: The clock by which requests time out.
    public convenience init(
        playing recording: Recording, redaction: Redaction = Redaction(),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        let answers = Dictionary(grouping: recording.exchanges, by: \.request.normalized)
        let left = Guarded(answers.mapValues { $0.map(\.outcome)[...] })
        self.init(
            clock: clock,
            choosing: { request in
                let request = Recording.Request(request, redaction: redaction).normalized
                let outcome = left.withLock { $0[request]?.popFirst() }
                return {
                    switch outcome {
                    case .response(let head, let body):
                        return TransportResponse(head: head, body: body)
                    case .failure(let error):
                        throw error
                    case nil:
                        let line = "\(request.method) \(request.url)"
                        throw TransportError(
                            .other,
                            answers[request].map {
                                "\(line) was recorded \($0.count == 1 ? "once" : "\($0.count) times"), not more."
                            } ?? "\(line) was not recorded with this content.")
                    }
                }
            })
    }
}
