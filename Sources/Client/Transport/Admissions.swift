import LarderPromises

/// The sessions in which a request was first given a credential, which all its attempts share.
final class Admissions: Sendable {
    private let sessions = Guarded<[ObjectIdentifier: Int]>([:])

    /// Returns the session in which somebody first gave a credential; nil where nobody has.
    func first(by giver: ObjectIdentifier) -> Int? {
        sessions.withLock { $0[giver] }
    }

    /// Notes a session, unless there is one before it, and returns the first.
    func first(by giver: ObjectIdentifier, noting session: Int) -> Int {
        sessions.withLock { sessions in
            let first = sessions[giver] ?? session
            sessions[giver] = first
            return first
        }
    }
}
