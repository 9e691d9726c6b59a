import LarderObjectStore
import LarderPromises

/// The number of times that somebody has logged out of a client: what was asked for before is of a session that
/// has ended, and is not stored.
final class Session: Sendable {
    private let number = Guarded(0)

    /// The session that is going on.
    var current: Int { number.withLock(\.self) }

    /// Throws where a session has ended.
    func check(_ session: Int) throws {
        guard session == current else { throw ClientError(.loggedOut) }
    }

    /// One of the sessions, for who has to know whether it has ended.
    struct Mark: Sendable, Hashable {
        let session: Session
        let number: Int

        var hasEnded: Bool { session.current != number }

        static func == (left: Mark, right: Mark) -> Bool {
            left.session === right.session && left.number == right.number
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(ObjectIdentifier(session))
            hasher.combine(number)
        }
    }

    /// Ends the session that is going on.
    func end() { number.withLock { $0 += 1 } }
}

extension Client.Configuration {
    /// Tells who wants to hear that a session has ended, once what goes with it besides the store has gone, or could not
    /// go; where that is somebody else's and takes long, not behind it, as it may never end.
    func tell(
        behind besides: Promise<[Result<Void, any Error>]>, _ tell: @escaping @Sendable () -> Void
    ) {
        let gone = besides.map(on: .immediate) { _ in }
        let late = gone.isPending ? wait(for: .seconds(10)) : nil
        // What goes is not given up.
        _ = Promise.race([gone, late].compactMap(\.self)).map(on: .immediate) {
            late?.cancel()
            KeptResponses.tellingQueues.run(tell)
        }
    }
}
