/// The errors that reach a handler which names none.
public enum CatchPolicy: Sendable {
    /// Every error but `CancellationError`.
    case allErrorsExceptCancellation
    /// Every error.
    case allErrors

    func admits(_ error: any Error) -> Bool {
        self == .allErrors || !(error is CancellationError)
    }
}
