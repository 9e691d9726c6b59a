import Foundation
import HTTPTypes

/// The age of a response that is kept, and the time for which it is fresh (RFC 9111, section 4.2).
struct Freshness {
    /// The seconds since the origin server made or confirmed it.
    let age: Double
    /// The seconds from then on for which it is fresh, where that is known.
    let lifetime: Double

    /// The seconds for which it has not been fresh any more; negative while it is.
    var staleness: Double { age - lifetime }
    var isFresh: Bool { age < lifetime }

    /// Works them out.
    ///
    /// - Parameters:
    ///   - time: The time for which a policy takes whatever has come for fresh.
    init(of response: CachedResponse, at now: Date, for time: Double? = nil) {
        let resident = Self.resident(response, at: now)
        if let time {
            (age, lifetime) = (resident, time)
            return
        }
        let fields = response.head.headerFields
        let apparent = max(response.received.timeIntervalSince(Self.date(of: response)), 0)
        let delay = max(response.received.timeIntervalSince(response.requested), 0)
        age = max(apparent, Self.statedAge(fields) + delay) + resident
        lifetime = Self.lifetime(of: response)
    }

    /// The seconds that it has been kept; without end where it comes from the future, as of a clock that was set
    /// back nobody knows by how much.
    private static func resident(_ response: CachedResponse, at now: Date) -> Double {
        let seconds = now.timeIntervalSince(response.received)
        return seconds < -mostDrift ? .infinity : max(seconds, 0)
    }

    private static let mostDrift = 5.0

    /// The time at which it was made: its `Date`, or that at which it came.
    private static func date(of response: CachedResponse) -> Date {
        response.head.headerFields[.date].flatMap(HTTPDate.date) ?? response.received
    }

    /// The first `Age`, where it is one (section 5.1).
    private static func statedAge(_ fields: HTTPFields) -> Double {
        let first = fields[values: .age].first.flatMap { CacheControl.members(of: $0).first }
        return first.flatMap { CacheControl.seconds(in: String(decoding: $0, as: UTF8.self)) } ?? 0
    }

    /// Section 4.2.1, as a private cache has it.
    private static func lifetime(of response: CachedResponse) -> Double {
        let control = response.control
        if let seconds = control.seconds("max-age") { return seconds }
        let fields = response.head.headerFields
        if let expires = fields[.expires] {
            guard let date = HTTPDate.date(expires) else { return 0 }
            return max(date.timeIntervalSince(Self.date(of: response)), 0)
        }
        return heuristicLifetime(of: response, control)
    }

    /// The part of its age at the time at which it came for which what says nothing is taken to be fresh
    /// (section 4.2.2).
    private static let heuristicPart = 0.1
    private static let mostHeuristic = 86_400.0

    private static func heuristicLifetime(
        of response: CachedResponse, _ control: CacheControl
    ) -> Double {
        guard
            heuristicStatuses.contains(response.head.status.code) || control.isPlain("public"),
            let modified = response.head.headerFields[.lastModified].flatMap(HTTPDate.date)
        else { return 0 }
        let unchanged = Self.date(of: response).timeIntervalSince(modified)
        return min(max(unchanged, 0) * heuristicPart, mostHeuristic)
    }

    /// The statuses of which that may be assumed (RFC 9110, section 15.1).
    static let heuristicStatuses: Set = [
        200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501,
    ]
}
