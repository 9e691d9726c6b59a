/// What was made invalid, so that what had been asked for before is not good when it comes.
struct KeptInvalidations: Sendable {
    /// The number of times that something was.
    private(set) var turn = 0
    /// What it was, the last of them.
    private var scopes: [(turn: Int, scope: KeptResponses.Scope)] = []
    /// The turn up to which it is not known any more what it was.
    private var forgotten = 0

    /// What has not been noted in the file yet, or could not be, by turns.
    private var pending: [Int: KeptResponses.Scope] = [:]
    /// Whether that was too much to be kept in mind, so that nothing in the file is good as long as this knows of it.
    private var isAllPending = false

    /// The most that are kept in mind.
    private static let limit = 1_000

    /// Notes what was made invalid.
    ///
    /// - Parameter isPending: Whether that is still to be noted in the file, upon which ``settle(_:)`` is called.
    /// - Returns: The turn in which it was.
    @discardableResult
    mutating func note(_ scope: KeptResponses.Scope, isPending: Bool = false) -> Int {
        turn += 1
        if isPending { pending[turn] = scope }
        // Of too many that can't be written nothing is good.
        if pending.count > Self.limit { (pending, isAllPending) = ([:], true) }
        defer { forget() }
        scopes.append((turn, scope))
        return turn
    }

    /// Takes that the file knows what was made invalid in a turn.
    mutating func settle(_ turn: Int) { pending[turn] = nil }

    /// Whether a request is among what the file does not know yet.
    func isPending(_ key: KeptResponseKey) -> Bool {
        isAllPending || pending.values.contains { $0.has(key) }
    }

    private mutating func forget() {
        guard scopes.count > Self.limit else { return }
        forgotten = scopes[Self.limit / 2].turn
        scopes.removeFirst(Self.limit / 2 + 1)
    }

    /// Whether a request is among what was made invalid since a turn, or may be.
    func concern(_ key: KeptResponseKey, since turn: Int) -> Bool {
        if turn < forgotten { return true }
        return scopes.contains { $0.turn > turn && $0.scope.has(key) }
    }
}

extension KeptResponses.Scope {
    fileprivate func has(_ key: KeptResponseKey) -> Bool {
        switch self {
        case .all: true
        case .request(let other): other.parts == key.parts
        case .endpoint(let name): name == key.endpoint
        case .tag(let tag): key.tags.contains(tag)
        }
    }
}
