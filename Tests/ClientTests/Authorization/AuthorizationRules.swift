import LarderClient

/// The rules, as one who waits at the counter would tell them.
struct AuthorizationRules {
    private enum Place {
        /// Out with a token, of this log-in, as so many refreshes had failed.
        case out(
            sending: Int, token: String?, session: Int, failures: Int, isLast: Bool, waited: Bool)
        case waiting(isLast: Bool)
        case over
    }

    private(set) var record = AuthorizationRecord()
    private var places: [Int: Place] = [:]
    private var order: [Int] = []
    private var token: String?
    private var isExpired = false
    private var isAsked: Bool
    private var session = 0
    private var failures: [Int] = []
    /// The refresh that is under way.
    private var refresh: Int?
    private var tokens = 0
    private var refreshesOver: Set<Int> = []

    init(hasProvider: Bool) {
        isAsked = hasProvider
    }

    var openSendings: [Int] {
        places.values.compactMap { place in
            if case .out(let sending, _, _, _, _, _) = place { sending } else { nil }
        }.sorted()
    }

    /// Those that were given up, too, which end later.
    var openRefreshes: [Int] {
        record.refreshes.indices.filter { !refreshesOver.contains($0) }
    }

    var openRequests: [Int] {
        places.keys.filter { if case .over? = places[$0] { false } else { true } }.sorted()
    }

    var isOver: Bool { openRequests.isEmpty && refresh == nil }

    mutating func take(_ step: AuthorizationStep) {
        switch step {
        case .request: arrive(places.count)
        case .answer(let sending, let code): answer(sending, code)
        case .refreshed(let index, let isExpired): refreshed(index, newToken(), isExpired)
        case .notRefreshed(let index):
            refreshesOver.insert(index)
            guard refresh == index else { return }
            refresh = nil
            failures.append(index)
            failAll("NoCredential(number: \(index))")
        case .cancel(let number):
            order.removeAll { $0 == number }
            end(number, "CancellationError()")
        case .logIn(let isExpired):
            let new = newToken()
            endSession()
            (token, self.isExpired) = (new, isExpired)
            record.kept.append(new)
        case .logOut:
            let wasOut = token == nil && !isAsked && refresh == nil
            endSession()
            if !wasOut { record.kept.append(nil) }
        }
    }

    private mutating func newToken() -> String {
        tokens += 1
        return "t\(tokens)"
    }

    private mutating func endSession() {
        session += 1
        (token, isAsked, refresh) = (nil, false, nil)
        failAll(ClientError.Reason.loggedOut.description)
    }

    private mutating func arrive(_ number: Int) {
        if refresh == nil, isAsked && token == nil || token != nil && isExpired { begin() }
        if refresh != nil {
            wait(number, isLast: false)
        } else {
            send(number, isLast: false, waited: false)
        }
    }

    private mutating func begin() {
        refresh = record.refreshes.count
        record.refreshes.append(token)
    }

    private mutating func wait(_ number: Int, isLast: Bool) {
        places[number] = .waiting(isLast: isLast)
        order.append(number)
    }

    private mutating func send(_ number: Int, isLast: Bool, waited: Bool) {
        places[number] = .out(
            sending: record.sent.count, token: token, session: session, failures: failures.count,
            isLast: isLast, waited: waited)
        record.sent.append(.init(request: number, token: token))
    }

    private mutating func end(_ number: Int, _ outcome: String) {
        places[number] = .over
        record.outcomes[number] = outcome
    }

    private mutating func failAll(_ outcome: String) {
        for number in order { end(number, outcome) }
        order = []
    }

    private mutating func answer(_ index: Int, _ code: Int) {
        for (number, place) in places {
            guard
                case .out(index, let sent, let session, let failed, let isLast, let waited) = place
            else { continue }
            if code != 401 || isLast || sent == nil {
                end(number, "\(code)")
            } else if session != self.session {
                end(number, ClientError.Reason.loggedOut.description)
            } else if refresh != nil {
                wait(number, isLast: true)
            } else if sent != token {
                send(number, isLast: true, waited: waited)
            } else if waited {
                end(number, "401")
            } else if failed < failures.count, let last = failures.last {
                end(number, "NoCredential(number: \(last))")
            } else {
                begin()
                wait(number, isLast: true)
            }
            return
        }
    }

    private mutating func refreshed(_ index: Int, _ new: String, _ isExpired: Bool) {
        refreshesOver.insert(index)
        guard refresh == index else { return }
        let isFirst = record.refreshes[index] == nil
        (refresh, token, self.isExpired) = (nil, new, false)
        record.kept.append(new)
        let waiting = order
        order = []
        for number in waiting {
            guard case .waiting(let isLast)? = places[number] else { continue }
            send(number, isLast: isLast, waited: !isFirst)
        }
    }
}

/// Something that happens.
enum AuthorizationStep {
    case request
    /// The answer to what was sent as the n-th.
    case answer(Int, Int)
    /// The end of the n-th refresh, however late it is.
    case refreshed(Int, isExpired: Bool)
    case notRefreshed(Int)
    case cancel(Int)
    case logIn(isExpired: Bool)
    case logOut

    static func random(
        in rules: AuthorizationRules, _ random: inout SplitMix
    ) -> AuthorizationStep {
        let (open, refreshes) = (rules.openSendings, rules.openRefreshes)
        let isRare = Int.random(in: 0..<4, using: &random) == 0
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<6: return .request
        case 6..<13:
            guard let index = open.randomElement(using: &random) else { return .request }
            return .answer(index, [200, 401, 401, 401, 503].randomElement(using: &random) ?? 401)
        case 13..<16:
            guard let index = refreshes.randomElement(using: &random) else { return .request }
            return isRare
                ? .notRefreshed(index) : .refreshed(index, isExpired: .random(using: &random))
        case 16, 17:
            guard let number = rules.openRequests.randomElement(using: &random) else {
                return .request
            }
            return .cancel(number)
        case 18: return .logIn(isExpired: isRare)
        default: return isRare ? .logOut : .request
        }
    }

    /// A step towards the end; nil where nothing is open.
    static func last(in rules: AuthorizationRules) -> AuthorizationStep? {
        if let index = rules.openSendings.first { return .answer(index, 401) }
        return rules.openRefreshes.first.map { .refreshed($0, isExpired: false) }
    }
}

/// What can be seen from outside.
struct AuthorizationRecord: Equatable {
    struct Sent: Equatable, CustomStringConvertible {
        let request: Int
        let token: String?

        var description: String { "\(request): \(token ?? "none")" }
    }

    var sent: [Sent] = []
    /// The credentials that were to be replaced.
    var refreshes: [String?] = []
    var outcomes: [Int: String] = [:]
    var kept: [String?] = []
}
