import HTTPTypes
import LarderPromises

/// The exchanges of one request: one, and one more for each redirect that is followed.
final class RedirectedExchange: Sendable {
    private struct State {
        var task: (any TransportTask)?
        /// The number of exchanges that have ended.
        var ended = 0
        var isCancelled = false
    }

    private let transport: any Transport
    private let policy: RedirectPolicy
    private let shared: Set<HTTPField.Name>
    private let start = ContinuousClock.now
    private let onRedirect: @Sendable (SentRequest) -> Void
    private let completion: @Sendable (Result<TransportResponse, any Error>) -> Void
    private let state = Guarded(State())

    /// Creates an exchange that has not begun.
    ///
    /// - Parameters:
    ///   - onRedirect: Called with each request but the first before it is sent.
    ///   - completion: Called once, on the transport's thread; the response names the request that it
    ///     answers.
    init(
        over configuration: Client.Configuration,
        onRedirect: @escaping @Sendable (SentRequest) -> Void,
        completion: @escaping @Sendable (Result<TransportResponse, any Error>) -> Void
    ) {
        transport = configuration.transport
        policy = configuration.redirects
        shared = configuration.sharedHeaderFields
        self.onRedirect = onRedirect
        self.completion = completion
    }

    /// Sends a request.
    func send(_ request: TransportRequest) {
        send(SentRequest(request))
    }

    /// Stops whichever exchange is under way.
    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }

    private func send(_ sent: SentRequest) {
        guard !state.withLock(\.isCancelled) else {
            return completion(.failure(TransportError.cancelled))
        }
        let task = transport.send(sent.request) { self.receive($0, for: sent) }
        let isCancelled = state.withLock { state in
            // One that has ended can't be stopped, and would be kept, as it keeps this.
            guard state.ended == sent.redirects.count else { return false }
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    private func receive(
        _ result: Result<TransportResponse, TransportError>, for sent: SentRequest
    ) {
        // Whatever it keeps goes with it, though not under the lock.
        let task = state.withLock { state in
            state.ended = sent.redirects.count + 1
            return state.task.take()
        }
        withExtendedLifetime(task) {}
        switch result {
        case .failure(let error) where sent.redirects.isEmpty || error.reason == .cancelled:
            completion(.failure(error))
        case .failure(let error):
            // What came before may have been acted on.
            var failure = ClientError(.transport, underlying: error)
            failure.isRedirected = true
            completion(.failure(failure))
        case .success(var response):
            response.sent = sent
            guard policy.limit > 0, response.head.status.kind == .redirection else {
                return completion(.success(response))
            }
            follow(response, to: sent)
        }
    }

    private func follow(_ response: TransportResponse, to sent: SentRequest) {
        do throws(ClientError) {
            guard
                var next = try policy.request(after: sent.request, response, sharing: shared)
            else { return completion(.success(response)) }
            guard sent.redirects.count < policy.limit else {
                throw ClientError(.tooManyRedirects)
            }
            if let timeout = sent.request.timeout {
                // One time for all of them.
                next.timeout = max(timeout - (ContinuousClock.now - start), .milliseconds(1))
            }
            let redirected = SentRequest(
                next, redirects: sent.redirects + [sent.request.urlText])
            onRedirect(redirected)
            send(redirected)
        } catch {
            completion(.failure(error.completed(by: response)))
        }
    }
}
