import LarderPromises

/// How often requests that may change something were sent, or have ended: what was asked for before that is no answer
/// to what comes after it.
final class WriteCounter: Sendable {
    private let counts = Guarded<[String: Int]>([:])

    /// Notes that one to an origin is being sent, or has ended.
    func note(to origin: String) {
        counts.withLock { $0[origin, default: 0] += 1 }
    }

    /// The number of those to an origin.
    subscript(origin: String) -> Int { counts.withLock { $0[origin] ?? 0 } }
}
