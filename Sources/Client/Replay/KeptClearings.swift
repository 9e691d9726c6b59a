/// Those who are about to remove all that is kept, by their numbers: until they have, it is nobody's.
struct KeptClearings: Sendable {
    private var open: Set<Int> = []
    private var failed: Set<Int> = []
    private var last = 0

    /// Whether something may be left that was to be removed.
    var isGoingOn: Bool { !open.isEmpty || !failed.isEmpty }

    /// Begins one.
    mutating func begin() -> Int {
        last += 1
        open.insert(last)
        return last
    }

    /// Ends one.
    ///
    /// - Parameter isDone: Whether nothing is left, nor of what those before have failed to remove.
    mutating func end(_ number: Int, isDone: Bool) {
        open.remove(number)
        if isDone {
            failed = failed.filter { $0 > number }
        } else {
            failed.insert(number)
        }
    }
}
