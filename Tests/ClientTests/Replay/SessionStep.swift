import LarderClient

struct SessionTarget: Hashable, CustomStringConvertible {
    let path: String
    /// Whether the client has whoever is logged in as its account.
    var isNamed = false

    var needsAuthorization: Bool { path != "shared" }
    var description: String { isNamed ? "\(path) of the account" : path }

    static let own = SessionTarget(path: "a")
    static let all = [
        own, SessionTarget(path: "b"), SessionTarget(path: "a", isNamed: true),
        SessionTarget(path: "shared"), SessionTarget(path: "shared", isNamed: true),
    ]
}

enum SessionStep {
    case ask(SessionTarget, FetchPolicy)
    case pull(SessionTarget)
    /// Looks up what is known of the last success.
    case look(SessionTarget)
    case change(to: String?)
    /// What is asked for, or pulled, comes once somebody else is there.
    case late(isPull: Bool, to: String?)
    /// Waits until what is to go with a session is gone.
    case wait
    case away(Bool)
    /// Whether pulls are cut off behind their first page.
    case cut(Bool)
    /// One more client has the store.
    case another
    /// All clients go; the next one is made once somebody asks.
    case dismissal
    /// So they do, as the app is begun anew, by the credential that there is.
    case restart

    static let policies: [FetchPolicy] = [
        .storeFirst, .networkFirst(), .fresh(for: .seconds(60)), .storeOnly, .networkOnly,
    ]

    static func person(_ random: inout SplitMix) -> String? {
        let people: [String?] = [nil, "ann", "bob"]
        return people[Int.random(in: 0..<people.count, using: &random)]
    }

    static func random(_ random: inout SplitMix) -> [SessionStep] {
        let targets = SessionTarget.all
        let target = targets[Int.random(in: 0..<targets.count, using: &random)]
        let policy = policies[Int.random(in: 0..<policies.count, using: &random)]
        let person = person(&random)
        let isSo = Bool.random(using: &random)
        switch Int.random(in: 0..<30, using: &random) {
        case 0..<10: return [.ask(target, policy)]
        case 10..<14: return [.pull(target)]
        case 14: return [.look(target)]
        case 15..<17: return [.change(to: person)]
        case 17..<20: return [.change(to: person), .wait]
        case 20: return [.late(isPull: isSo, to: person)]
        case 21: return [.wait]
        case 22..<24: return [.away(isSo)]
        case 24: return [.cut(isSo)]
        case 25: return [.another]
        case 26..<28: return [isSo ? .dismissal : .restart]
        default: return [isSo ? .dismissal : .restart, .change(to: person)]
        }
    }
}
