import Foundation
import HTTPTypes

/// Whether a response may be kept, and what of it (RFC 9111, section 3).
enum Storability {
    /// Returns what is kept of a response; nil where nothing is to be.
    static func kept(
        _ response: TransportResponse, of plan: CachePlan, _ requested: Date, _ received: Date
    ) -> CachedResponse? {
        let policy = plan.rules.policy
        guard policy.isOn, isAllowed(response, to: plan.request, policy),
            let names = Variant.names(in: response.head.headerFields), isHeld(response.content)
        else { return nil }
        var kept = CachedResponse(
            head: response.head, content: response.content, requested: requested,
            received: received)
        kept.head.headerFields = StoredFields.kept(
            of: response.head.headerFields, removing: AddedItems(of: plan.request),
            without: plan.rules.keys.isSecret)
        // Nobody would add the key again that it leads to.
        if response.head.status.kind == .redirection,
            kept.head.headerFields[.location] != response.head.headerFields[.location]
        {
            return nil
        }
        kept.variant = Variant.digests(of: names, in: plan.request, by: plan.rules.keys)
        if response.head.status == .partialContent {
            guard let range = ContentRange(response.head.headerFields), kept.isPlain,
                range.last - range.first + 1 == kept.bodyCount
            else { return nil }
            kept.part = .init(first: range.first, total: range.total)
        }
        return updated(kept, of: plan)
    }

    /// Returns what is kept, with the time until which it is of use; nil where it is of none.
    static func updated(_ response: CachedResponse, of plan: CachePlan) -> CachedResponse? {
        var kept = response
        let policy = plan.rules.policy
        let control = response.control
        guard !isForbidden(control, response.head.status) else { return nil }
        if response.hasValidator || policy.patience != nil {
            kept.uselessAfter = nil
            return kept
        }
        let freshness = Freshness(of: response, at: response.received, for: policy.time)
        var seconds = -freshness.staleness
        if policy.time == nil, !control.has("must-revalidate") {
            let names = ["stale-while-revalidate", "stale-if-error"]
            seconds += names.compactMap(control.seconds).max() ?? 0
        }
        if policy.time == nil, control.has("no-cache") { return nil }
        guard seconds > 0 else { return nil }
        // Some may take what is stale, or freshen it.
        kept.uselessAfter = response.received.addingTimeInterval(seconds + staleTime)
        return kept
    }

    /// The seconds for which what can't be confirmed is kept once it is stale.
    private static let staleTime = 604_800.0

    private static func isHeld(_ content: TransportResponse.Content) -> Bool {
        switch content {
        case .memory, .file: true
        case .written, .streamed: false
        }
    }

    private static func isAllowed(
        _ response: TransportResponse, to request: TransportRequest, _ policy: CachePolicy
    ) -> Bool {
        let fields = response.head.headerFields
        let control = CacheControl(fields)
        let status = response.head.status
        if CacheControl(request.head.headerFields).has("no-store") { return false }
        if isForbidden(control, status) { return false }
        if policy.time != nil {
            return request.head.method == .get && status.kind == .successful
        }
        guard status.code >= 200, ![304, 401].contains(status.code),
            !ofRequest.contains(status.code)
        else { return false }
        if request.head.method == .get { return isMeant(status, control, fields) }
        return request.head.method == .post && status.code == 200
            && (control.has("max-age") || fields[.expires] != nil)
            && isAbout(request, fields[.contentLocation])
    }

    /// The statuses that are about one request, by what another one lacks, such as a condition or a range, or by who
    /// sends it how often; of some RFC 6585 says that they are never kept.
    static let ofRequest: Set = [407, 408, 412, 416, 417, 421, 425, 428, 429, 431, 511]

    /// Whether the response says that it may be kept, or its status does; a failure that says nothing is none that
    /// is to be there instead of what was kept before.
    private static func isMeant(
        _ status: HTTPResponse.Status, _ control: CacheControl, _ fields: HTTPFields
    ) -> Bool {
        Freshness.heuristicStatuses.contains(status.code) || fields[.expires] != nil
            || ["max-age", "public", "private"].contains(where: control.has)
    }

    /// Whether the response says that it is not to be kept (RFC 9111, sections 5.2.2.3 and 5.2.2.5).
    private static func isForbidden(_ control: CacheControl, _ status: HTTPResponse.Status) -> Bool
    {
        if control.has("must-understand") { return !understood.contains(status.code) }
        return control.has("no-store")
    }

    /// The statuses whose rules for caches are kept here.
    private static let understood: Set = [
        200, 203, 204, 206, 300, 301, 302, 303, 307, 308, 404, 405, 410, 414, 501,
    ]

    /// Whether a response to POST is what GET would bring (RFC 9110, section 9.3.3).
    private static func isAbout(_ request: TransportRequest, _ location: String?) -> Bool {
        guard let location, let here = try? URLReference(request.urlText),
            let there = try? URLReference(location).resolved(against: here)
        else { return false }
        return here.origin == there.origin && here.pathAndQuery == there.pathAndQuery
    }
}

/// What a request that has changed something makes invalid (RFC 9111, section 4.4).
enum Invalidation {
    /// Whether a method may change something; one that nobody knows may.
    static func isUnsafe(_ method: HTTPRequest.Method) -> Bool {
        switch method {
        case .get, .head, .options, .trace: false
        default: true
        }
    }

    /// Returns the digests of the resources that a response has made invalid: that of the request, and those of
    /// the same origin that it names.
    static func resources(
        after request: TransportRequest, _ response: TransportResponse, by keys: KeyMaker
    ) -> [[UInt8]] {
        guard [.successful, .redirection].contains(response.head.status.kind),
            let here = try? URLReference(request.urlText)
        else { return [] }
        let fields = response.head.headerFields
        let named = [fields[.location], fields[.contentLocation]].compactMap { location in
            location.flatMap { try? URLReference($0).resolved(against: here) }
        }
        return ([here] + named.filter { $0.origin == here.origin }).map(keys.resource)
    }
}
