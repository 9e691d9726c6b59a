/// What was made invalid, so that what had been asked for before is not good when it comes.
struct KeptInvalidations: Sendable {
    /// The number of times that something was.
    private(set) var turn = 0
    /// What it was, the last of them.
    private var scopes: [(turn: Int, scope: KeptResponses.Scope)] = []
    /// The turn up to which it is not known any more what it was.
    private var forgotten = 0

    /// The number of turns whose scopes have not been noted in the file yet, or could not be.
    private var pendingCount = 0
    /// Those scopes, by turns.
    private var pending: [Int: KeptResponses.Scope] = [:]
    /// The turn up to which they may be any, as they were too many; 0 where they were not.
    private var anyPending = 0
    /// The turns in which responses were asked for that have been kept since then.
    private var renewed: [[[UInt8]]: Int] = [:]

    /// The most that are kept in mind.
    private static let limit = 1_000

    /// Whether the file does not know yet of something that it is good no more.
    var isPending: Bool { pendingCount > 0 }

    /// Notes what was made invalid.
    ///
    /// - Parameter isPending: Whether that is still to be noted in the file, upon which ``settle(_:)`` is called.
    /// - Returns: The turn in which it was.
    @discardableResult
    mutating func note(_ scope: KeptResponses.Scope, isPending: Bool = false) -> Int {
        turn += 1
        if isPending {
            pendingCount += 1
            pending[turn] = scope
            if pending.count > Self.limit { (pending, anyPending) = ([:], turn) }
        }
        defer { forget() }
        scopes.append((turn, scope))
        return turn
    }

    /// Takes that the file knows what was made invalid in a turn.
    mutating func settle(_ turn: Int) {
        pending[turn] = nil
        pendingCount -= 1
        if pendingCount == 0 { (anyPending, renewed) = (0, [:]) }
    }

    /// Takes that a response to a request has been kept, or confirmed, which was asked for in a turn.
    mutating func renew(_ key: KeptResponseKey, since turn: Int) {
        guard pendingCount > 0 else { return }
        // Of those that are forgotten nobody knows that they are good.
        if renewed.count > Self.limit { renewed = [:] }
        renewed[key.parts] = max(turn, renewed[key.parts] ?? 0)
    }

    /// Whether what is kept for a request is among what the file does not know yet to be good no more.
    func isPending(_ key: KeptResponseKey) -> Bool {
        guard pendingCount > 0 else { return false }
        let turn = renewed[key.parts] ?? 0
        return anyPending > turn || pending.contains { $0.key > turn && $0.value.has(key) }
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

extension KeptResponses {
    /// Which of them are meant.
    enum Scope: Sendable {
        case all
        case request(KeptResponseKey)
        case endpoint(String)
        case tag(String)
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
