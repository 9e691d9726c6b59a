/// An error that the library itself rejects promises with, beside `CancellationError`.
public enum PromiseError: Error, Equatable {
    /// The resolver, or the scheduler that was to run the handler, is gone without an outcome.
    case abandoned
    /// The promise was to settle as another one that waits for it, or as itself.
    case cycle
    /// A completion handler was called with neither a value nor an error.
    case noOutcome
    /// `race` or `any` had no promise to wait for.
    case noPromises
    /// A limit or a number of attempts was less than one.
    case notPositive(Int)
    /// The value did not pass `validate`.
    case invalid
    /// The promise was still pending after this time.
    case timedOut(after: Duration)
    /// `wait` was called where it would block the scheduler that the promise needs.
    case wouldDeadlock
}
