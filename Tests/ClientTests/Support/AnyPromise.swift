import LarderPromises

/// A promise of whatever: cancelled itself, where a promise made of it would be in its stead.
struct AnyPromise: Sendable {
    let cancel: @Sendable () -> Void
    private let wait: @Sendable () async -> (any Error)?

    init<Value>(_ promise: Promise<Value>) {
        cancel = { promise.cancel() }
        wait = {
            switch await promise.result {
            case .success: nil
            case .failure(let error): error
            }
        }
    }

    /// Its error, nil where it has a value.
    var failure: (any Error)? { get async { await wait() } }
}
