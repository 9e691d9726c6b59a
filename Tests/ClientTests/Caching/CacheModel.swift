/// What the server says, and what a cache makes of it, written a second time: slowly, without fields to be read,
/// without files, and with each response that is kept in one list.
struct CacheModel {
    /// What a response says of how long it is good.
    struct Control: Sendable, Equatable {
        var time: Double?
        var whileAsking: Double?
        var whileFailing: Double?
        var isNeverKept = false
        var isAlwaysAsked = false
        var isNeverStale = false

        var text: String {
            [
                time.map { "max-age=\(Int($0))" },
                whileAsking.map { "stale-while-revalidate=\(Int($0))" },
                whileFailing.map { "stale-if-error=\(Int($0))" },
                isNeverKept ? "no-store" : nil, isAlwaysAsked ? "no-cache" : nil,
                isNeverStale ? "must-revalidate" : nil,
            ].compactMap(\.self).joined(separator: ", ")
        }
    }

    /// A resource as it is.
    struct Resource: Sendable {
        var version = 0
        var control = Control()
        var isTagged = false
        var isVaried = false

        func body(_ who: Who) -> String {
            "\(who.path) \(version) \(who.account) \(isVaried ? who.kind : "-")"
        }

        func tag(_ who: Who) -> String? { isTagged ? "\"\(body(who))\"" : nil }
    }

    enum State: Sendable { case up, failing, gone }

    /// Who asks, for what.
    struct Who: Sendable {
        var path: String
        var account: String
        var kind: String
    }

    enum Asking: Sendable { case unlessFresh, always, never }

    struct Policy: Sendable {
        var asking = Asking.unlessFresh
        /// The time for which everything is good, in memory.
        var time: Double?
        var patience: Double?
    }

    /// A response that is kept.
    private struct Entry {
        let number: Int
        let who: Who
        let isInMemory: Bool
        let isVaried: Bool
        let body: String
        let tag: String?
        var control: Control
        var received: Double
    }

    struct Answer: Equatable {
        var source = "error"
        var body: String?
    }

    var resources: [String: Resource]
    var state = State.up
    var now = 0.0
    private(set) var asked = 0
    private var entries: [Entry] = []
    private var lastNumber = 0

    init(_ resources: [String: Resource]) { self.resources = resources }

    // MARK: Requests

    mutating func get(_ who: Who, _ policy: Policy, isHead: Bool = false) -> Answer {
        let matches = entries.filter {
            $0.isInMemory == (policy.time != nil) && $0.who.path == who.path
                && $0.who.account == who.account && (!$0.isVaried || $0.who.kind == who.kind)
        }
        guard let entry = matches.max(by: { $0.received < $1.received }) else {
            return policy.asking == .never ? Answer() : ask(who, policy, isHead, nil, matches)
        }
        let staleness = staleness(entry, policy)
        let kept = Answer(
            source: staleness < 0 ? "cache" : "staleCache", body: isHead ? "" : entry.body)
        let control = policy.time == nil ? entry.control : Control()
        if policy.asking != .always, !control.isAlwaysAsked {
            if staleness < 0 { return kept }
            if !control.isNeverStale, let time = control.whileAsking, staleness <= time {
                if policy.asking != .never { _ = ask(who, policy, isHead, entry, matches) }
                return kept
            }
        }
        guard policy.asking == .never else { return ask(who, policy, isHead, entry, matches) }
        return isGoodEnough(entry, policy, isError: false) ? kept : Answer()
    }

    mutating func put(_ path: String) -> Answer {
        asked += 1
        switch state {
        case .gone: return Answer()
        case .failing: return Answer(source: "network", body: "failed")
        case .up:
            entries.removeAll { $0.who.path == path }
            return Answer(source: "network", body: "put")
        }
    }

    mutating func flush() { entries = [] }

    // MARK: Rules

    private func staleness(_ entry: Entry, _ policy: Policy) -> Double {
        now - entry.received - (policy.time ?? entry.control.time ?? 0)
    }

    private func isGoodEnough(_ entry: Entry, _ policy: Policy, isError: Bool) -> Bool {
        let staleness = staleness(entry, policy)
        let control = policy.time == nil ? entry.control : Control()
        if control.isNeverStale || control.isAlwaysAsked { return false }
        return staleness < 0 && !isError || policy.patience.map { staleness <= $0 } ?? false
            || isError && control.whileFailing.map { staleness <= $0 } ?? false
    }

    private func isKept(_ control: Control, _ tag: String?, _ policy: Policy) -> Bool {
        if control.isNeverKept { return false }
        if tag != nil || policy.patience != nil || policy.time != nil { return true }
        if control.isAlwaysAsked { return false }
        let more = max(control.whileAsking ?? 0, control.whileFailing ?? 0)
        return (control.time ?? 0) + (control.isNeverStale ? 0 : more) > 0
    }

    private mutating func ask(
        _ who: Who, _ policy: Policy, _ isHead: Bool, _ entry: Entry?, _ matches: [Entry]
    ) -> Answer {
        asked += 1
        if state != .up {
            if let entry, isGoodEnough(entry, policy, isError: true) {
                let source = staleness(entry, policy) < 0 ? "cache" : "staleCache"
                return Answer(source: source, body: isHead ? "" : entry.body)
            }
            if state == .gone { return Answer() }
            return Answer(source: "network", body: isHead ? "" : "failed")
        }
        guard let resource = resources[who.path] else { return Answer() }
        let (body, tag) = (resource.body(who), resource.tag(who))
        if isHead {
            guard let entry else { return Answer(source: "network", body: "") }
            if tag != nil, tag != entry.tag {
                remove([entry])
            } else {
                freshen(entry, resource.control, policy, matches)
            }
            return Answer(source: "network", body: "")
        }
        if let entry, let tag, tag == entry.tag {
            freshen(entry, resource.control, policy, matches)
            return Answer(source: "revalidated", body: entry.body)
        }
        remove(matches)
        if isKept(resource.control, tag, policy) {
            lastNumber += 1
            entries.append(
                Entry(
                    number: lastNumber, who: who, isInMemory: policy.time != nil,
                    isVaried: resource.isVaried, body: body, tag: tag, control: resource.control,
                    received: now))
        }
        return Answer(source: "network", body: body)
    }

    private mutating func freshen(
        _ entry: Entry, _ control: Control, _ policy: Policy, _ matches: [Entry]
    ) {
        var entry = entry
        // A field that does not come is left as it was.
        if !control.text.isEmpty { entry.control = control }
        entry.received = now
        guard isKept(entry.control, entry.tag, policy) else { return remove([entry]) }
        remove(matches)
        entries.append(entry)
    }

    private mutating func remove(_ gone: [Entry]) {
        entries.removeAll { entry in gone.contains { $0.number == entry.number } }
    }
}
