import Foundation
import HTTPTypes

/// The rules by which a request is answered by what is kept (RFC 9111, section 4).
struct CacheRules: Sendable {
    let policy: CachePolicy
    let keys: KeyMaker
    /// What tells the store of who asks, and its model, where what is kept is stored.
    var origin: (@Sendable () -> UInt32)?
    /// Tells the way in which who asks stores what comes; nil for who does not, or does not know before.
    var way: (@Sendable () -> Int64)?

    /// What becomes of a request.
    enum Decision {
        case answer(CacheAnswer, refreshing: CachePlan?)
        case ask(CachePlan)
        /// Nobody is to be asked, by the policy, or by the request itself.
        case refuse(byPolicy: Bool)
    }

    /// Whether a request may be answered by what is kept, and its response be kept.
    static func isCovered(_ request: TransportRequest) -> Bool {
        (request.head.method == .get || request.head.method == .head) && request.body == nil
            && request.sink == nil
    }

    /// Decides by what is kept of the resource.
    func decision(
        for request: TransportRequest, _ key: ResponseCacheKey, among found: [CachedResponse],
        at now: Date
    ) -> Decision {
        let matches = found.filter { Variant.isMatch($0.variant, request, by: keys) }
        // What was not good enough when it came is no answer now, and no condition.
        let refused = request.refusedStatuses
        let candidate = matches.filter { refused?.contains($0.head.status.code) != true }
            .max { $0.received < $1.received }
        let control = CacheControl(request.head.headerFields)
        let isRefused = policy.asking == .never || control.has("only-if-cached")
        // Such a request is not to leave a trace.
        if control.has("no-store") {
            let plan = CachePlan(rules: self, request: request, key: nil)
            return isRefused ? .refuse(byPolicy: policy.asking == .never) : .ask(plan)
        }
        var plan = CachePlan(rules: self, request: request, key: key, matches: matches)
        guard let candidate, !Self.isConditional(request) else {
            guard isRefused else { return .ask(plan) }
            return .refuse(byPolicy: policy.asking == .never)
        }
        plan.candidate = candidate
        let freshness = Freshness(of: candidate, at: now, for: policy.time)
        guard let shape = CacheAnswer.Shape(candidate, for: request) else {
            if isRefused { return .refuse(byPolicy: policy.asking == .never) }
            plan.complete()
            return .ask(plan)
        }
        let use = use(of: candidate, freshness, for: request, control)
        let answer = CacheAnswer(
            shape, source: freshness.isFresh ? .cache : .staleCache, age: freshness.age)
        let isOfOtherModel = isOfOtherModel(candidate)
        if use != .none, !isRefused, isOfOtherModel || isUnknown(candidate, to: request) {
            plan.isGood = true
            plan.isOfOthers = !isOfOtherModel && !candidate.imports.isEmpty
            plan.validate()
            return .ask(plan)
        }
        switch use {
        case .good: return .answer(answer, refreshing: nil)
        case .meanwhile where isRefused: return .answer(answer, refreshing: nil)
        case .meanwhile:
            plan.validate()
            return .answer(answer, refreshing: plan)
        case .none: break
        }
        if isRefused {
            if policy.asking == .never, isGoodEnough(candidate, freshness, isError: false) {
                return .answer(answer, refreshing: nil)
            }
            return .refuse(byPolicy: policy.asking == .never)
        }
        plan.validate()
        return .ask(plan)
    }

    /// Whether a request asks on a condition of its own, which is for the server to answer.
    private static func isConditional(_ request: TransportRequest) -> Bool {
        let conditions: [HTTPField.Name] = [
            .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince, .ifRange,
        ]
        return conditions.contains { request.head.headerFields.contains($0) }
    }

    // MARK: Use

    private enum Use {
        case good, meanwhile, none
    }

    /// Whether it has been stored by another model, and not been confirmed since: what is read of it now may be more
    /// than was then, and what is there by now may be newer.
    private func isOfOtherModel(_ candidate: CachedResponse) -> Bool {
        guard !candidate.imports.isEmpty, let origin else { return false }
        return StoredImport.isOfOtherModel(candidate.imports, than: origin())
    }

    /// Whether who asks would store it and has not been seen to, as where it came for somebody else, who reads another
    /// part of it, behind a response that was used stale, or too late for the note: what is there by now may be newer,
    /// which the server knows, though it may but send all of it again.
    private func isUnknown(_ candidate: CachedResponse, to request: TransportRequest) -> Bool {
        // Nothing else becomes objects.
        guard let way, request.head.method == .get, candidate.bodyCount > 0,
            candidate.head.status.kind == .successful
        else { return false }
        return !StoredImport.isDone(way(), among: candidate.imports)
    }

    /// Whether what is kept can be used without asking.
    private func use(
        of candidate: CachedResponse, _ freshness: Freshness, for request: TransportRequest,
        _ control: CacheControl
    ) -> Use {
        guard !policy.asksAlways else { return .none }
        if control.has("no-cache") || control.isEmpty && Self.asksByPragma(request) { return .none }
        let own = candidate.control
        if policy.time == nil, own.has("no-cache") { return .none }
        if let most = control.seconds("max-age"), freshness.age > most || most == 0 {
            // A reload, which what never changes need not be asked for (RFC 8246).
            guard most == 0, own.has("immutable"), freshness.isFresh else { return .none }
        }
        let least = control.seconds("min-fresh") ?? 0
        if freshness.staleness < -least || least == 0 && freshness.isFresh { return .good }
        // The rest is about what is not fresh.
        guard policy.time == nil, least == 0, !own.has("must-revalidate") else { return .none }
        if control.has("max-stale") {
            let most = control.isPlain("max-stale") ? .infinity : control.seconds("max-stale") ?? 0
            if freshness.staleness <= most { return .good }
        }
        if let time = own.seconds("stale-while-revalidate"), freshness.staleness <= time {
            return .meanwhile
        }
        return .none
    }

    private static func asksByPragma(_ request: TransportRequest) -> Bool {
        HTTPField.Name("Pragma").map { name in
            request.head.headerFields[values: name].flatMap { CacheControl.members(of: $0) }
                .contains { String(decoding: $0, as: UTF8.self).lowercased() == "no-cache" }
        } ?? false
    }

    /// Whether what is kept is good enough where asking has failed, or nobody is asked (RFC 5861, section 4).
    ///
    /// - Parameter isError: Whether asking has failed, which is what `stale-if-error` is for; where something is
    ///   fresh, and was asked about all the same, that is no success.
    func isGoodEnough(
        _ candidate: CachedResponse, _ freshness: Freshness, isError: Bool
    ) -> Bool {
        let own = candidate.control
        if policy.time == nil, own.has("must-revalidate") || own.has("no-cache") { return false }
        if freshness.isFresh, !isError { return true }
        if let patience = policy.patience, freshness.staleness <= patience.seconds { return true }
        guard isError, policy.time == nil, let time = own.seconds("stale-if-error") else {
            return false
        }
        return freshness.staleness <= time
    }
}

extension CachedResponse {
    /// Whether it can be of no use any more to whoever finds it.
    func isUseless(at now: Date) -> Bool { uselessAfter.map { now > $0 } ?? false }
}
