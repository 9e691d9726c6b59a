/// What was made invalid, so that what had been asked for before is not good when it comes.
struct KeptInvalidations: Sendable {
    /// The number of times that something was.
    private(set) var turn = 0
    /// What it was, the last of them.
    private var scopes: [(turn: Int, scope: KeptResponses.Scope)] = []
    /// The turn up to which it is not known any more what it was.
    private var forgotten = 0

    /// The most that are kept in mind.
    private static let limit = 1_000

    mutating func note(_ scope: KeptResponses.Scope) {
        turn += 1
        scopes.append((turn, scope))
        guard scopes.count > Self.limit else { return }
        forgotten = scopes[Self.limit / 2].turn
        scopes.removeFirst(Self.limit / 2 + 1)
    }

    /// Whether a request is among what was made invalid since a turn, or may be.
    func concern(_ key: KeptResponseKey, since turn: Int) -> Bool {
        if turn < forgotten { return true }
        return scopes.contains { invalidation in
            guard invalidation.turn > turn else { return false }
            return switch invalidation.scope {
            case .all: true
            case .request(let other): other.parts == key.parts
            case .endpoint(let name): name == key.endpoint
            case .tag(let tag): key.tags.contains(tag)
            }
        }
    }
}
