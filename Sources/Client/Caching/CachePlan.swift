import Foundation
import HTTPTypes

/// What is asked for by a request that what is kept does not answer, and what becomes of the response.
struct CachePlan: Sendable {
    let rules: CacheRules
    /// The request as it was before anything was added.
    let request: TransportRequest
    /// Nil for a request whose response is not kept.
    let key: ResponseCacheKey?
    /// What is kept of the same variant.
    var matches: [CachedResponse] = []
    /// The one of them that may be confirmed or completed, or is better than nothing.
    var candidate: CachedResponse?

    /// Whether others have stored that, and who asks has not been seen to: for them it stays as old as it is.
    var isOfOthers = false

    /// Whether that would be good enough without asking, were it known to be no older than what the store has.
    var isGood = false

    /// The turn of the cache in which it was made.
    var turn = 0
    /// Whether the response is not kept, whatever it makes invalid.
    private(set) var keepsNothing = false

    /// The fields that the request is sent with besides its own.
    private(set) var fields = HTTPFields()
    /// Whether those ask whether it is still good.
    private(set) var isValidating = false
    /// Whether those ask for the rest of it.
    private(set) var isCompleting = false

    /// Asks on the condition that what is kept is no longer what there is (RFC 9111, section 4.3.1).
    mutating func validate() {
        // A response to HEAD has nothing to spare.
        guard let candidate, request.head.method == .get else { return }
        let tag = candidate.head.headerFields[.eTag]
        // What stands for bytes that are no text could not be sent back.
        if let tag, !tag.unicodeScalars.contains("\u{FFFD}") { fields[.ifNoneMatch] = tag }
        fields[.ifModifiedSince] = candidate.head.headerFields[.lastModified]
        isValidating = !fields.isEmpty
    }

    /// Asks for the rest of what is kept, where that is the beginning of something that can be told.
    mutating func complete() {
        guard let candidate, request.head.method == .get, candidate.part?.first == 0,
            candidate.isPlain, !request.head.headerFields.contains(.range),
            let tag = candidate.strongTag, candidate.bodyCount > 0
        else { return }
        fields[.range] = "bytes=\(candidate.bodyCount)-"
        fields[.ifRange] = tag
        isCompleting = true
    }

    /// A plan that asks for all of it.
    var plain: CachePlan {
        var plan = CachePlan(rules: rules, request: request, key: key)
        (plan.matches, plan.turn) = (matches, turn)
        return plan
    }

    /// Whether it is for a request with these cookies, as they say whose the response is.
    func isFor(_ request: TransportRequest) -> Bool {
        let (own, fields) = (self.request.head.headerFields, request.head.headerFields)
        return key == nil || own[values: .cookie] == fields[values: .cookie]
    }

    /// The same for a request with other cookies: what it makes invalid is so for whomever, and nothing is kept of
    /// it; nil where what is kept has to be looked for.
    var ofOtherCookies: CachePlan? {
        guard Invalidation.isUnsafe(request.head.method) else { return nil }
        var plan = self
        plan.keepsNothing = true
        return plan
    }

    /// The request as it is sent.
    func extending(_ request: TransportRequest) -> TransportRequest {
        guard !fields.isEmpty else { return request }
        var request = request
        for field in fields { request.head.headerFields[field.name] = field.value }
        return request
    }
}

/// A change of what is kept.
enum CacheChange: Sendable {
    case keep(CachedResponse, for: ResponseCacheKey, replacing: [CachedResponse.ID])
    case remove([CachedResponse.ID], of: ResponseCacheKey)
    /// Whatever is kept of a resource, for whichever account.
    case invalidate([UInt8])
}

/// What comes of an exchange.
struct CacheOutcome: Sendable {
    /// Nil where the exchange's own result is the answer.
    var answer: CacheAnswer?
    var changes: [CacheChange] = []
    /// Whether the response is of no use, so that all is to be asked for once more.
    var asksAgain = false

    /// The response that is kept, with whatever else there was of it.
    var kept: CachedResponse? {
        for case .keep(let response, _, _) in changes { return response }
        return nil
    }
}

extension CachePlan {
    /// Works out what comes of an exchange.
    ///
    /// - Parameters:
    ///   - requested: When the request was sent.
    ///   - received: When the response came.
    func outcome(
        of result: Result<TransportResponse, TransportError>, requested: Date, received: Date
    ) -> CacheOutcome {
        switch result {
        case .failure(let error):
            return CacheOutcome(answer: error.isUnreachable ? fallback(at: received) : nil)
        case .success(let response):
            let code = response.head.status.code
            if response.head.status.isOfServerAway, let answer = fallback(at: received) {
                return CacheOutcome(answer: answer)
            }
            if Invalidation.isUnsafe(request.head.method) {
                return afterChange(response, requested, received)
            }
            guard let key, CacheRules.isCovered(request) else { return CacheOutcome() }
            if request.head.method == .head {
                return afterHead(response, key, requested, received)
            }
            if isValidating, code == 304 {
                return afterConfirming(response, key, requested, received)
            }
            if isCompleting, code == 206 || code == 416 {
                return afterCompleting(response, key, requested, received)
            }
            return CacheOutcome(changes: changes(by: response, key, requested, received))
        }
    }

    /// What is kept, where nobody could be asked.
    private func fallback(at now: Date) -> CacheAnswer? {
        guard let candidate, rules.policy.asking != .alone,
            // A failure that may be kept is no better than this one.
            !candidate.head.status.isOfServerAway,
            let shape = CacheAnswer.Shape(candidate, for: request)
        else { return nil }
        let freshness = Freshness(of: candidate, at: now, for: rules.policy.time)
        guard isGood || rules.isGoodEnough(candidate, freshness, isError: true) else { return nil }
        return CacheAnswer(
            shape, source: freshness.isFresh ? .cache : .staleCache, age: freshness.age)
    }

    private func afterChange(
        _ response: TransportResponse, _ requested: Date, _ received: Date
    ) -> CacheOutcome {
        var changes = Invalidation.resources(after: request, response, by: rules.keys)
            .map(CacheChange.invalidate)
        if !keepsNothing, let key,
            let kept = Storability.kept(response, of: self, requested, received)
        {
            changes.append(.keep(kept, for: key, replacing: []))
        }
        return CacheOutcome(changes: changes)
    }

    /// RFC 9111, section 4.3.5.
    private func afterHead(
        _ response: TransportResponse, _ key: ResponseCacheKey, _ requested: Date, _ received: Date
    ) -> CacheOutcome {
        let fields = response.head.headerFields
        guard response.head.status.code == 200, let candidate, candidate.head.status.code == 200
        else { return CacheOutcome() }
        guard candidate.isSame(by: fields) else {
            return CacheOutcome(changes: [.remove([candidate.id], of: key)])
        }
        let fresh = candidate.freshened(
            by: fields, removing: AddedItems(of: request), without: rules.keys.isSecret,
            requested: requested, received: received)
        return CacheOutcome(changes: [update(candidate, to: fresh, key)])
    }

    /// RFC 9111, sections 4.3.3 and 4.3.4.
    private func afterConfirming(
        _ response: TransportResponse, _ key: ResponseCacheKey, _ requested: Date, _ received: Date
    ) -> CacheOutcome {
        guard let candidate else { return CacheOutcome() }
        let fields = response.head.headerFields
        // A tag of another version is no confirmation of this one.
        if ResourceVersion.isOther(fields, than: candidate.head.headerFields) {
            return CacheOutcome(changes: [.remove([candidate.id], of: key)], asksAgain: true)
        }
        let fresh = candidate.freshened(
            by: fields, removing: AddedItems(of: request), without: rules.keys.isSecret,
            requested: requested, received: received)
        guard let shape = CacheAnswer.Shape(fresh, for: request) else {
            return CacheOutcome(asksAgain: true)
        }
        let age = Freshness(of: fresh, at: received, for: rules.policy.time).age
        return CacheOutcome(
            answer: CacheAnswer(shape, source: .revalidated, age: age),
            changes: [update(candidate, to: fresh, key)])
    }

    private func update(
        _ candidate: CachedResponse, to fresh: CachedResponse, _ key: ResponseCacheKey
    ) -> CacheChange {
        let fresh = isOfOthers ? fresh.backdated(to: candidate) : fresh
        guard let kept = Storability.updated(fresh, of: self) else {
            return .remove([candidate.id], of: key)
        }
        return .keep(kept, for: key, replacing: matches.map(\.id))
    }

    private func afterCompleting(
        _ response: TransportResponse, _ key: ResponseCacheKey, _ requested: Date, _ received: Date
    ) -> CacheOutcome {
        guard let candidate,
            let part = Storability.kept(response, of: self, requested, received),
            let whole = candidate.combined(with: part), whole.part == nil,
            let shape = CacheAnswer.Shape(whole, for: request)
        else {
            return CacheOutcome(
                changes: matches.isEmpty ? [] : [.remove(matches.map(\.id), of: key)],
                asksAgain: true)
        }
        let age = Freshness(of: whole, at: received, for: rules.policy.time).age
        return CacheOutcome(
            answer: CacheAnswer(shape, source: .revalidated, age: age),
            changes: [.keep(whole, for: key, replacing: matches.map(\.id))])
    }

    /// Whether a status leaves what is kept as good as it was: that of a failure, of a confirmation of what the
    /// caller has, of a part, or of a request that was not looked at.
    private static func isBesides(_ code: Int) -> Bool {
        code >= 500 || [206, 304].contains(code) || Storability.ofRequest.contains(code)
    }

    private func changes(
        by response: TransportResponse, _ key: ResponseCacheKey, _ requested: Date, _ received: Date
    ) -> [CacheChange] {
        let ids = matches.map(\.id)
        guard let kept = Storability.kept(response, of: self, requested, received) else {
            let isReplaced = !Self.isBesides(response.head.status.code)
            return isReplaced && !ids.isEmpty ? [.remove(ids, of: key)] : []
        }
        let candidate = candidate ?? matches.max { $0.received < $1.received }
        // The same bytes are as good as the word that nothing has changed, which some servers never give.
        if isOfOthers, let candidate, kept.hasContent(of: candidate) {
            return [.keep(kept.backdated(to: candidate), for: key, replacing: ids)]
        }
        guard kept.part != nil, let candidate else {
            return [.keep(kept, for: key, replacing: ids)]
        }
        if let whole = candidate.combined(with: kept) {
            return [.keep(whole, for: key, replacing: ids)]
        }
        // A part is worth less than the whole that it is of, or could be of.
        let isWhole = candidate.part == nil && candidate.strongTag == kept.strongTag
        return isWhole ? [] : [.keep(kept, for: key, replacing: ids)]
    }
}

extension TransportError {
    /// Whether the server could not be reached, or went away; an answer that could not be read, or a certificate
    /// that was not trusted, is something else.
    var isUnreachable: Bool {
        [
            .timedOut, .offline, .cannotFindHost, .cannotConnect, .proxyFailed, .connectionLost,
            .truncatedBody,
        ].contains(reason)
    }
}
