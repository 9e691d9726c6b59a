import Foundation

/// The cookies of a jar, and the rules by which they come, go and are found (RFC 6265bis, sections 5.7
/// and 5.8).
///
/// What happened before what is counted, not timed, as several cookies come in one response and clocks are
/// set back.
struct CookieStorage: Sendable {
    /// A cookie and its place in time.
    struct Entry: Sendable, Codable {
        var cookie: Cookie
        /// The turn in which it, or the one that it replaced, was first set.
        var created: Int
        /// The turn in which it was set or last sent.
        var accessed: Int
    }

    private var entries: [String: [Entry]] = [:]
    private var count = 0
    /// The number of sets and uses.
    private(set) var turn = 0
    /// The earliest time at which something expires.
    private var nextExpiry = Date.distantFuture
    private let limits: CookieJar.Limits

    /// The number of sessions that have ended before this one.
    private(set) var session = 0

    /// The number of changes of what outlives the session.
    private(set) var revision = 0

    init(limits: CookieJar.Limits) {
        self.limits = limits
    }

    /// All cookies, in the order in which they were first set.
    var all: [Entry] { entries.values.joined().sorted { $0.created < $1.created } }

    // MARK: - Finding

    /// The cookies that a request for a URL is given, in the order in which it gives them.
    mutating func cookies(for origin: CookieOrigin, at now: Date) -> [Cookie] {
        removeExpired(at: now)
        guard count > 0 else { return [] }
        turn += 1
        var found: [Entry] = []
        for domain in Self.domains(of: origin.host) {
            for index in entries[domain, default: []].indices {
                guard let entry = entries[domain]?[index], entry.cookie.isSent(to: origin) else {
                    continue
                }
                found.append(entry)
                entries[domain]?[index].accessed = turn
            }
        }
        return found.sorted {
            let (count, other) = ($0.cookie.path.utf8.count, $1.cookie.path.utf8.count)
            return count == other ? $0.created < $1.created : count > other
        }.map(\.cookie)
    }

    /// The host and whatever it is below.
    private static func domains(of host: String) -> [String] {
        host.indices.filter { host[$0] == "." }.map { String(host[host.index(after: $0)...]) }
            + [host]
    }

    // MARK: - Setting

    /// Takes a cookie that a URL has set, where it may.
    ///
    /// - Returns: Whether it was taken, be it to remove one.
    mutating func insert(
        _ received: ReceivedCookie, from origin: CookieOrigin, suffixes: PublicSuffixes,
        at now: Date
    ) -> Bool {
        removeExpired(at: now)
        guard let cookie = Cookie(received, from: origin, suffixes: suffixes),
            origin.isSecure || cookie.isSecure || !isOverlaid(cookie)
        else { return false }
        insert(cookie)
        removeExpired(at: now)
        removeExcess(in: cookie.domain)
        return true
    }

    /// Takes cookies that were in a jar before, but those that have expired or can't be sent.
    mutating func restore(_ old: [Entry], at now: Date) {
        let old = old.filter { $0.cookie.isWellFormed && !$0.cookie.isExpired(at: now) }
        for entry in old.sorted(by: { $0.created < $1.created }) { insert(entry.cookie) }
        for entry in old.sorted(by: { $0.accessed < $1.accessed }) {
            let domain = entry.cookie.domain
            turn += 1
            let index = entries[domain]?.firstIndex { $0.cookie.replaces(entry.cookie) }
            if let index { entries[domain]?[index].accessed = turn }
        }
        for domain in entries.keys.sorted() { removeExcess(in: domain) }
    }

    private mutating func insert(_ cookie: Cookie) {
        turn += 1
        var entry = Entry(cookie: cookie, created: turn, accessed: turn)
        let index = entries[cookie.domain]?.firstIndex { cookie.replaces($0.cookie) }
        if let index, let old = entries[cookie.domain]?[index] {
            entry.created = old.created
            entries[cookie.domain]?[index] = entry
            if old.cookie.expires != nil || cookie.expires != nil { revision += 1 }
        } else {
            entries[cookie.domain, default: []].append(entry)
            count += 1
            if cookie.expires != nil { revision += 1 }
        }
        nextExpiry = min(nextExpiry, cookie.expires ?? .distantFuture)
    }

    /// Whether a cookie from http could be taken for one that is for https alone.
    private func isOverlaid(_ cookie: Cookie) -> Bool {
        entries.values.joined().contains { entry in
            let other = entry.cookie
            return other.isSecure && other.name.utf8.elementsEqual(cookie.name.utf8)
                && (CookieOrigin.matches(cookie.domain, other.domain)
                    || CookieOrigin.matches(other.domain, cookie.domain))
                && CookieOrigin.matches(path: cookie.path, cookie: other.path)
        }
    }

    // MARK: - Removing

    /// Removes all of a session, which sets none from now on.
    mutating func endSession() {
        remove { _ in true }
        session += 1
    }

    /// Removes those that a closure picks.
    mutating func remove(where isRemoved: (Cookie) throws -> Bool) rethrows {
        nextExpiry = .distantFuture
        for (domain, old) in entries {
            let kept = try old.filter { entry in
                let isRemoved = try isRemoved(entry.cookie)
                if isRemoved, entry.cookie.expires != nil { revision += 1 }
                return !isRemoved
            }
            count -= old.count - kept.count
            entries[domain] = kept.isEmpty ? nil : kept
            for entry in kept { nextExpiry = min(nextExpiry, entry.cookie.expires ?? nextExpiry) }
        }
    }

    mutating func removeExpired(at now: Date) {
        guard nextExpiry < now else { return }
        remove { $0.isExpired(at: now) }
    }

    /// Removes what is too much, of a domain first those that go over http, and those that were not used for
    /// longest.
    private mutating func removeExcess(in domain: String) {
        while let own = entries[domain], own.count > max(limits.cookiesOfDomain, 0) {
            let insecure = own.filter { !$0.cookie.isSecure }
            removeOldest(of: insecure.isEmpty ? own : insecure)
        }
        while count > max(limits.cookies, 0) { removeOldest(of: entries.values.joined()) }
    }

    private mutating func removeOldest(of candidates: some Sequence<Entry>) {
        let oldest = candidates.min { ($0.accessed, $0.created) < ($1.accessed, $1.created) }
        guard let oldest else { return }
        let domain = oldest.cookie.domain
        entries[domain]?.removeAll { $0.created == oldest.created }
        if entries[domain]?.isEmpty == true { entries[domain] = nil }
        count -= 1
        if oldest.cookie.expires != nil { revision += 1 }
    }
}

extension Cookie {
    /// Makes a cookie of what was received, where this host may set it.
    fileprivate init?(
        _ received: ReceivedCookie, from origin: CookieOrigin, suffixes: PublicSuffixes
    ) {
        var domain = received.domain
        guard domain.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        if suffixes.contains(domain) {
            // Of a suffix that has pages itself, they are that host's alone.
            guard domain.isEmpty || domain == origin.host else { return nil }
            domain = ""
        }
        guard domain.isEmpty || origin.isBelow(domain) else { return nil }
        name = received.name
        value = received.value
        isHostOnly = domain.isEmpty
        self.domain = isHostOnly ? origin.host : domain
        path = received.path.flatMap { $0.isEmpty ? nil : $0 } ?? origin.defaultPath
        isSecure = received.isSecure
        isHTTPOnly = received.isHTTPOnly
        sameSite = received.sameSite
        expires = received.expires
        guard !isSecure || origin.isSecure, sameSite != SameSite.none || isSecure,
            keepsPrefix(hasPath: received.path != nil)
        else { return nil }
    }

    /// Whether it is what its name says that it is (section 5.7, steps 21 to 23).
    private func keepsPrefix(hasPath: Bool) -> Bool {
        func isNamed(_ prefix: String) -> Bool {
            pair.lowercased().utf8.starts(with: prefix.utf8)
        }
        if isNamed("__secure-") { return !name.isEmpty && isSecure }
        if isNamed("__host-") {
            return !name.isEmpty && isSecure && isHostOnly && hasPath && path == "/"
        }
        return true
    }

    fileprivate func isSent(to origin: CookieOrigin) -> Bool {
        (isHostOnly ? origin.host == domain : origin.isBelow(domain))
            && CookieOrigin.matches(path: origin.path, cookie: path)
            && (!isSecure || origin.isSecure)
    }
}
