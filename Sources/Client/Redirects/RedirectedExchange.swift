import Foundation
import HTTPTypes
import LarderPromises

/// The exchanges of one request: one, and one more for each redirect that is followed.
final class RedirectedExchange: Exchange {
    private struct State {
        var task: (any TransportTask)?
        /// The number of exchanges that have begun.
        var begun = 0
        /// The number of the last one of them that has ended.
        var ended = 0
        var isCancelled = false
        /// The time that exchanges have taken, without their waits in the transport's line; nil where that can't be told.
        var time: Duration? = .zero
        /// The origins that it may change something at, none where it only asks.
        var written: Set<String> = []
        /// Whether the cache has been looked into once more, for other cookies.
        var hasLookedAgain = false
    }

    private let transport: any Transport
    private let policy: RedirectPolicy
    private let shared: Set<HTTPField.Name>
    /// The place in the client's queue, where it has one.
    private let place: RequestQueue.Place?
    /// The client's queue, where it has one.
    private let clientQueue: RequestQueue?
    private let writes: WriteCounter
    private let cookies: CookieJar?
    /// The session that it is of, in whose name nothing is sent behind it; nil for any.
    private let session: Session.Mark?
    /// The client's cache and what is to be done with it; nil where there is none.
    private let caching: CachingStage?
    private let start = ContinuousClock.now
    private let onStep: @Sendable (ExchangeStep) -> Void
    private let completion: @Sendable (Result<TransportResponse, any Error>) -> Void
    private let state = Guarded(State())

    /// Creates an exchange that has not begun.
    ///
    /// - Parameters:
    ///   - ticket: The request's arrival in the client's queue.
    ///   - session: The session that it is of, in whose name nothing is sent behind it; nil for any.
    ///   - caching: The client's cache, and what is to be done with it.
    ///   - onStep: Called with what happens on the way; with a wait once before the turn that ends it, and
    ///     once by the thread that entered, which may be before that or after it.
    ///   - completion: Called once, on the transport's thread; the response names the request that it
    ///     answers.
    init(
        over configuration: borrowing Client.Configuration, _ ticket: RequestQueue.Ticket?,
        _ caching: CachingStage? = nil, of session: Session.Mark? = nil,
        onStep: @escaping @Sendable (ExchangeStep) -> Void,
        completion: @escaping @Sendable (Result<TransportResponse, any Error>) -> Void
    ) {
        transport = configuration.transport
        policy = configuration.redirects
        shared = configuration.sharedHeaderFields
        place = ticket?.place()
        clientQueue = configuration.queue
        writes = configuration.writes
        cookies = configuration.cookies
        self.session = session
        self.caching = caching
        self.onStep = onStep
        self.completion = completion
    }

    /// Sends a request.
    func send(_ request: TransportRequest) {
        noteWrite(request)
        begin(SentRequest(request))
    }

    private func noteWrite(_ request: TransportRequest) {
        guard request.isWrite else { return }
        let origin = request.origin
        if state.withLock({ $0.written.insert(origin).inserted }) { writes.note(to: origin) }
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
        max((sent.timeout ?? .seconds(60)) - elapsed, .milliseconds(1))
    }

    /// The time that counts.
    private var elapsed: Duration {
        place?.elapsed ?? state.withLock(\.time) ?? (ContinuousClock.now - start)
    }

    private func complete(_ result: Result<TransportResponse, any Error>) {
        var result = result
        // Whoever sends something behind it has what is left.
        if case .success(var response) = result, response.totalTime != nil {
            response.totalTime = elapsed
            result = .success(response)
        }
        for origin in state.withLock(\.written) { writes.note(to: origin) }
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

    // MARK: - The cache

    /// Answers a request by what is kept, or has it sent.
    private func begin(_ sent: SentRequest) {
        guard let caching else { return queue(sent, nil) }
        // With those of now, as they say whose the response is.
        let request = cookies?.adding(to: sent.request) ?? sent.request
        caching.look(request) { step in
            switch step {
            case .send(let plan): self.queue(sent, plan)
            case .fail(let error): self.complete(.failure(error))
            case .answer(let answer, let receipt, let refreshing):
                if let refreshing, !self.state.withLock(\.isCancelled) {
                    CacheRefresh(
                        request: sent.request, plan: refreshing, caching: caching,
                        transport: self.transport, cookies: self.cookies, session: self.session
                    ).start(in: self.clientQueue)
                }
                self.arrive(answer.response(to: sent, receipt), for: sent)
            }
        }
    }

    // MARK: - The queue

    /// Sends a request once it has its turn.
    private func queue(_ sent: SentRequest, _ plan: CachePlan?) {
        guard let place, !state.withLock(\.isCancelled) else { return send(sent, plan) }
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
                self.send(SentRequest(request, after: sent), plan)
            case .timedOut:
                let message = "The request's time ran out before it had its turn."
                self.fail(TransportError(.timedOut, message), sent)
            }
        }
        if hasToWait { onStep(.waits) }
        // What is cancelled just now has not found it waiting.
        if state.withLock(\.isCancelled) { withdraw() }
    }

    /// Ends with an error that comes before an exchange has begun.
    private func fail(_ error: TransportError, _ sent: SentRequest) {
        guard sent.redirects.isEmpty else { return complete(.failure(Self.redirected(error))) }
        var error = error
        error.isUnsent = state.withLock { $0.begun == 0 }
        complete(.failure(error))
    }

    /// The error of an exchange behind a redirect: what came before may have been acted on.
    private static func redirected(_ error: TransportError) -> ClientError {
        ClientError(.transport, underlying: error)
    }

    private func withdraw() {
        if let place, place.withdraw() { complete(.failure(TransportError.cancelled)) }
    }

    // MARK: - Exchanges

    private func send(_ sent: SentRequest, _ found: CachePlan?) {
        guard !state.withLock({ $0.isCancelled }) else {
            return complete(.failure(TransportError.cancelled))
        }
        // Before that is asked, as cookies go just before a session ends, and behind it.
        let removals = cookies?.removals ?? 0
        if let session, session.hasEnded { return complete(.failure(ClientError(.loggedOut))) }
        // Not in what is kept of the request, which the next one is made of.
        var request = cookies?.adding(to: sent.request) ?? sent.request
        let plan = found.flatMap { $0.isFor(request) ? $0 : $0.ofOtherCookies }
        guard plan != nil || found == nil else { return lookAgain(sent, request) }
        if let plan { request = plan.extending(request) }
        let time = plan == nil ? nil : caching?.cache.time
        // Where there is no cache, each request is sent once.
        let number =
            plan == nil
            ? sent.redirects.count + 1
            : state.withLock { state in
                state.begun += 1
                return state.begun
            }
        let task = transport.send(request) {
            self.receive($0, for: sent, number, plan, sent: time, since: removals)
        }
        let isCancelled = state.withLock { state in
            // One that has ended can't be stopped, and would be kept, as it keeps this.
            guard state.ended < number else { return false }
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    /// Asks the cache again for a request whose cookies are others than when it was looked into.
    ///
    /// What it has, and keeps, is theirs who had those. Where they go on changing, nothing is kept.
    private func lookAgain(_ sent: SentRequest, _ request: TransportRequest) {
        let isFirst = state.withLock { state in
            defer { state.hasLookedAgain = true }
            return !state.hasLookedAgain
        }
        if isFirst { begin(sent) } else { send(sent, caching?.uncached(request)) }
    }

    private func receive(
        _ result: Result<TransportResponse, TransportError>, for sent: SentRequest,
        _ number: Int, _ plan: CachePlan?, sent time: Date?, since removals: Int
    ) {
        // Whatever it keeps goes with it, though not under the lock.
        let total = (try? result.get())?.totalTime
        let task = state.withLock { state in
            state.ended = number
            state.time = total.flatMap { own in state.time.map { $0 + own } }
            return state.task.take()
        }
        withExtendedLifetime(task) {}
        if case .success(let response) = result {
            cookies?.take(response.head.headerFields, from: sent.request.urlText, since: removals)
        }
        var receipt: CacheReceipt?
        if let caching, let plan, let time {
            switch caching.end(plan, with: result, sent: time) {
            case .pass(let own): receipt = own
            case .answer(let answer, let receipt):
                var response = answer.response(to: sent, receipt)
                response.timings = (try? result.get())?.timings
                return arrive(response, for: sent)
            case .sendAgain(let plan): return queue(timed(sent), plan)
            }
        }
        switch result {
        case .failure(let error) where sent.redirects.isEmpty || error.reason == .cancelled:
            complete(.failure(error))
        case .failure(let error): complete(.failure(Self.redirected(error)))
        case .success(var response):
            response.sent =
                receipt.map { SentRequest(sent, from: .network, age: nil, $0) } ?? sent
            arrive(response, for: sent)
        }
    }

    /// The request with what is left of its time.
    private func timed(_ sent: SentRequest) -> SentRequest {
        var request = sent.request
        if sent.timeout != nil { request.timeout = timeLeft(of: sent) }
        return SentRequest(request, after: sent)
    }

    private func arrive(_ response: TransportResponse, for sent: SentRequest) {
        guard policy.limit > 0, response.head.status.kind == .redirection else {
            return complete(.success(response))
        }
        follow(response, to: sent)
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
            noteWrite(next)
            onStep(.redirected(redirected))
            begin(redirected)
        } catch {
            complete(.failure(error.completed(by: response)))
        }
    }
}
