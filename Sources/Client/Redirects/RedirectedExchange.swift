import HTTPTypes
import LarderPromises

/// The exchanges of one request: one, and one more for each redirect that is followed.
final class RedirectedExchange: Exchange {
    private struct State {
        var task: (any TransportTask)?
        /// The number of exchanges that have ended.
        var ended = 0
        var isCancelled = false
    }

    private let transport: any Transport
    private let policy: RedirectPolicy
    private let shared: Set<HTTPField.Name>
    /// The place in the client's queue, where it has one.
    private let place: RequestQueue.Place?
    private let cookies: CookieJar?
    private let start = ContinuousClock.now
    private let onStep: @Sendable (ExchangeStep) -> Void
    private let completion: @Sendable (Result<TransportResponse, any Error>) -> Void
    private let state = Guarded(State())

    /// Creates an exchange that has not begun.
    ///
    /// - Parameters:
    ///   - ticket: The request's arrival in the client's queue.
    ///   - onStep: Called with what happens on the way; with a wait once before the turn that ends it, and
    ///     once by the thread that entered, which may be before that or after it.
    ///   - completion: Called once, on the transport's thread; the response names the request that it
    ///     answers.
    init(
        over configuration: Client.Configuration, _ ticket: RequestQueue.Ticket?,
        onStep: @escaping @Sendable (ExchangeStep) -> Void,
        completion: @escaping @Sendable (Result<TransportResponse, any Error>) -> Void
    ) {
        transport = configuration.transport
        policy = configuration.redirects
        shared = configuration.sharedHeaderFields
        place = ticket?.place()
        cookies = configuration.cookies
        self.onStep = onStep
        self.completion = completion
    }

    /// Sends a request.
    func send(_ request: TransportRequest) {
        queue(SentRequest(request))
    }

    /// Stops whichever exchange is under way, or waiting for it.
    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
        withdraw()
    }

    /// Lets another request, which waits for the same, have its rank.
    func raise(to ticket: RequestQueue.Ticket) {
        place?.raise(to: ticket)
    }

    /// What is left of the one time that all exchanges may take, if only a little.
    private func timeLeft(of sent: SentRequest) -> Duration {
        let elapsed = place?.elapsed ?? (ContinuousClock.now - start)
        return max((sent.timeout ?? .seconds(60)) - elapsed, .milliseconds(1))
    }

    private func complete(_ result: Result<TransportResponse, any Error>) {
        if let place {
            // What is read as it comes is under way until its end.
            if case .success(let response) = result, let stream = response.content.stream {
                stream.onEnd { _ in place.leave() }
            } else {
                place.leave()
            }
        }
        completion(result)
    }

    // MARK: - The queue

    /// Sends a request once it has its turn.
    private func queue(_ sent: SentRequest) {
        guard let place, !state.withLock(\.isCancelled) else { return send(sent) }
        let hasToWait = place.enter(
            for: sent.request.origin, within: timeLeft(of: sent)
        ) { turn in
            switch turn {
            case .send(let hasWaited):
                var request = sent.request
                request.timeout = self.timeLeft(of: sent)
                // Told here as well, as the thread that entered may come later.
                if hasWaited { self.onStep(.waits) }
                self.onStep(.goesOn)
                self.send(SentRequest(request, after: sent))
            case .timedOut:
                let message = "The request's time ran out before it had its turn."
                self.complete(.failure(TransportError(.timedOut, message)))
            }
        }
        if hasToWait { onStep(.waits) }
        // What is cancelled just now has not found it waiting.
        if state.withLock(\.isCancelled) { withdraw() }
    }

    private func withdraw() {
        if let place, place.withdraw() { complete(.failure(TransportError.cancelled)) }
    }

    // MARK: - Exchanges

    private func send(_ sent: SentRequest) {
        guard !state.withLock({ $0.isCancelled }) else {
            return complete(.failure(TransportError.cancelled))
        }
        // Not in what is kept of the request, which the next one is made of.
        let request = cookies?.adding(to: sent.request) ?? sent.request
        let task = transport.send(request) { self.receive($0, for: sent) }
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
            complete(.failure(error))
        case .failure(let error):
            // What came before may have been acted on.
            var failure = ClientError(.transport, underlying: error)
            failure.isRedirected = true
            complete(.failure(failure))
        case .success(var response):
            response.sent = sent
            cookies?.take(response.head.headerFields, from: sent.request.urlText)
            guard policy.limit > 0, response.head.status.kind == .redirection else {
                return complete(.success(response))
            }
            follow(response, to: sent)
        }
    }

    private func follow(_ response: TransportResponse, to sent: SentRequest) {
        do throws(ClientError) {
            guard
                var next = try policy.request(after: sent.request, response, sharing: shared)
            else { return complete(.success(response)) }
            guard sent.redirects.count < policy.limit else {
                throw ClientError(.tooManyRedirects)
            }
            if sent.timeout != nil { next.timeout = timeLeft(of: sent) }
            let redirected = SentRequest(next, redirectedFrom: sent)
            onStep(.redirected(redirected))
            queue(redirected)
        } catch {
            complete(.failure(error.completed(by: response)))
        }
    }
}
