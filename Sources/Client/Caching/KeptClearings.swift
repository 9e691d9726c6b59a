/// Those who are about to remove all that is kept, by their numbers: until they have, it is nobody's.
struct KeptClearings: Sendable {
    private var open: Set<Int> = []
    /// The last that has failed, 0 where nothing is left of what that was to remove.
    private var failed = 0
    /// The last that has removed all that was there before it.
    private var done = 0
    private var last = 0

    /// Whether something may be left that was to be removed.
    var isGoingOn: Bool { !open.isEmpty || hasFailed }

    /// Whether something is left that could not be removed.
    var hasFailed: Bool { failed > 0 }

    /// Begins one.
    mutating func begin() -> Int {
        last += 1
        open.insert(last)
        return last
    }

    /// Begins one where those before have failed, and nobody is at it; nil elsewhere.
    mutating func beginAgain() -> Int? { open.isEmpty && hasFailed ? begin() : nil }

    /// Ends one that has not ended.
    ///
    /// - Parameter isDone: Whether nothing is left, nor of what those before have failed to remove.
    mutating func end(_ number: Int, isDone: Bool) {
        guard open.remove(number) != nil else { return }
        if isDone {
            done = max(done, number)
            if failed <= number { failed = 0 }
        } else if number > done {
            failed = max(failed, number)
        }
    }

    /// Ends one that has not ended; whether something is left by now of which nothing was before.
    mutating func endIsNews(_ number: Int, isDone: Bool) -> Bool {
        let hadFailed = hasFailed
        end(number, isDone: isDone)
        return !hadFailed && hasFailed
    }
}
