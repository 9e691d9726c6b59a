import HTTPTypes
import LarderPromises

/// Asks whether what a cache has answered by meanwhile is still good, for nobody who waits; once at a time, and behind
/// those who do.
struct CacheRefresh: Sendable {
    let request: TransportRequest
    let plan: CachePlan
    let caching: CachingStage
    let transport: any Transport
    let cookies: CookieJar?
    /// The session that it is of, in whose name nothing is sent behind it; nil for any.
    let session: Session.Mark?

    /// Sends the request once it has its turn; none where there is no queue.
    func start(in queue: RequestQueue?) {
        guard let key = plan.key, caching.cache.beginRefresh(key) else { return }
        guard let place = queue?.ticket(.low).place() else {
            return send { caching.cache.endRefresh(key) }
        }
        let time = request.timeout ?? .seconds(60)
        _ = place.enter(for: request.origin, within: time) { turn in
            guard case .send = turn else { return caching.cache.endRefresh(key) }
            send {
                caching.cache.endRefresh(key)
                place.leave()
            }
        }
    }

    private func send(_ completion: @escaping @Sendable () -> Void) {
        let removals = cookies?.removals ?? 0
        // Behind that count, as a log-out removes them last.
        if let session, session.hasEnded { return completion() }
        let own = cookies?.adding(to: request) ?? request
        guard plan.isFor(own) else { return completion() }
        var sent = plan.extending(own)
        // Whoever wants to know of the request knows all of it.
        (sent.onProgress, sent.isTimed) = (nil, false)
        let time = caching.cache.time
        transport.send(sent) { result in
            if case .success(let response) = result {
                cookies?.take(response.head.headerFields, from: request.urlText, since: removals)
            }
            _ = caching.end(plan, with: result, sent: time)
            completion()
        }
    }
}
