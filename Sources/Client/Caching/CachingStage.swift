import Foundation
import HTTPTypes
import LarderObjectStore

/// The cache's part in one exchange: before it is sent, and once its response is there.
struct CachingStage: Sendable {
    let cache: ResponseCache
    let policy: CachePolicy
    let redaction: Redaction
    /// Whether nothing that the request may hold up is to be waited for.
    let isInTransaction: Bool
    /// What tells the store, and its model.
    let origin: @Sendable () -> UInt32
    /// Tells the way in which what comes is stored; nil where it is not, or nobody knows before.
    let way: (@Sendable () -> Int64)?

    /// What is to be done with a request.
    enum Step: Sendable {
        case answer(CacheAnswer, CacheReceipt?, refreshing: CachePlan?)
        case send(CachePlan)
        case fail(ClientError)
    }

    /// What is to be done with what has come.
    enum End {
        /// It is what the request gets, be it kept or not.
        case pass(CacheReceipt?)
        case answer(CacheAnswer, CacheReceipt?)
        case sendAgain(CachePlan)
    }

    /// Says what is to be done with a request, perhaps on another thread.
    func look(_ request: TransportRequest, _ proceed: @escaping @Sendable (Step) -> Void) {
        let isCovered = policy.isOn && CacheRules.isCovered(request)
        let isRefused = policy.asking == .never
        let pass: Step = isRefused ? .fail(ClientError(.notCached)) : .send(uncached(request))
        // What changes nothing and is not kept has nothing to do with the cache.
        guard isCovered || !isRefused && Invalidation.isUnsafe(request.head.method) else {
            return proceed(pass)
        }
        // What waits for a transaction would wait for ever where that waits for the request.
        let mayWait = !isInTransaction && OpenTransaction.current == nil
        cache.look {
            let turn = cache.turn
            guard let keys = cache.keys(redaction, mayWait: mayWait)?.keys(for: request),
                let key = keys.key(of: request)
            else { return proceed(pass) }
            let rules = CacheRules(policy: policy, keys: keys, origin: origin, way: way)
            guard isCovered else {
                var plan = CachePlan(rules: rules, request: request, key: key)
                plan.turn = turn
                return proceed(.send(plan))
            }
            cache.find(key, for: policy, mayWait: mayWait) { found in
                switch rules.decision(for: request, key, among: found, at: cache.time) {
                case .answer(let answer, var plan):
                    plan?.turn = turn
                    proceed(.answer(answer, receipt(answer.version, key), refreshing: plan))
                case .ask(var plan):
                    plan.turn = turn
                    proceed(.send(plan))
                case .refuse(byPolicy: true): proceed(.fail(ClientError(.notCached)))
                case .refuse: proceed(.answer(.gatewayTimeout, nil, refreshing: nil))
                }
            }
        }
    }

    /// A plan of nothing.
    func uncached(_ request: TransportRequest) -> CachePlan {
        let keys = KeyMaker(salt: []) { _ in false }
        return CachePlan(
            rules: CacheRules(policy: policy, keys: keys), request: request, key: nil)
    }

    /// Takes what has come, and says what is to be done with it.
    func end(
        _ plan: CachePlan, with result: Result<TransportResponse, TransportError>, sent: Date
    ) -> End {
        guard let key = plan.key else { return .pass(nil) }
        let outcome = plan.outcome(of: result, requested: sent, received: cache.time)
        cache.apply(outcome.changes, by: policy, since: plan.turn)
        if outcome.asksAgain { return .sendAgain(plan.plain) }
        if let answer = outcome.answer {
            return .answer(answer, receipt(outcome.kept?.version ?? answer.version, key))
        }
        // Of a part, the whole is kept.
        let isPart = (try? result.get().head.status) == .partialContent
        return .pass(isPart ? nil : receipt(outcome.kept?.version, key))
    }

    private func receipt(
        _ version: CachedResponse.Version?, _ key: ResponseCacheKey
    ) -> CacheReceipt? {
        version.map { CacheReceipt($0, for: key, in: cache, by: policy) }
    }
}
