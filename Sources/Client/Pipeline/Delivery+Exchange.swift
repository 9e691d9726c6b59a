import HTTPTypes
import LarderPromises
import Logging

/// The exchange with the server, or the part in one that others share.
extension Delivery {
    /// Sends a request behind the interceptors.
    func send(_ request: TransportRequest) -> Promise<TransportResponse> {
        last.withLock { $0 = LastExchange(sent: SentRequest(request)) }
        guard mayBeAsked else { return .rejected(ClientError(.notCached)) }
        let (promise, resolver) = Promise<TransportResponse>.pending()
        let (attempt, method) = (request.isWrite ? request.attempt : nil, request.head.method)
        attempt?.begin()
        let (reported, exchange) = exchange(for: request) { result in
            if case .failure(let error as ClientError) = result, error.reason == .duplicate {
                attempt?.withdraw()
            } else {
                attempt?.end(result, of: method)
            }
            self.last.withLock { $0.response = try? result.get() }
            resolver.resolve(with: result)
        }
        resolver.onCancel { exchange.cancel() }
        exchange.send(reported)
        return promise
    }

    /// An exchange, and the request as it is sent in it.
    func exchange(
        for request: TransportRequest,
        _ completion: @escaping @Sendable (Result<TransportResponse, any Error>) -> Void
    ) -> (TransportRequest, any Exchange) {
        keeping?.noteSending(request, by: client)
        var (request, completion) = (progress?.reported(request) ?? request, completion)
        let attempt = trace?.send(request) ?? 0
        let onStep: @Sendable (ExchangeStep) -> Void = { step in
            if case .joined = step { self.last.withLock { $0.isJoined = true } }
            if case .redirected(let sent) = step {
                self.last.withLock { $0.sent = sent }
                self.client.log(sent.request) { "redirected: \(sent.request.head.method) \($0)" }
            }
            self.trace?.step(step, in: attempt)
        }
        if let trace {
            request.isTimed = true
            completion = { [completion] result in
                let timings = (try? result.get())?.timings
                if let timings { trace.note(timings, of: attempt) }
                completion(result)
            }
        }
        let session = Session.Mark(session: client.session, number: session)
        // One that was sent before may be older than what is looked for in it.
        guard !mayBeWhole || coalescing.mode == .refusing, coalescing.covers(request) else {
            let exchange = RedirectedExchange(
                over: client.configuration, ticket, caching, of: session, onStep: onStep,
                completion: completion)
            return (request, exchange)
        }
        let exchange = CoalescedExchange(
            over: client.configuration, coalescing, ticket, caching, of: session,
            turn: keeping?.turn ?? client.kept.turn, for: claim, onStep: onStep,
            completion: completion)
        return (request, exchange)
    }
}
