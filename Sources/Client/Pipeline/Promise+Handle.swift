import LarderPromises

extension Promise {
    /// Calls `handler` with the outcome, whichever it is, on the thread that settles.
    ///
    /// Cancelling the promise that it returns gives up this branch.
    func handle(
        _ handler: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) -> Promise<Void> {
        then(on: .immediate) { handler(.success($0)) }
            .catch(policy: .allErrors, on: .immediate) { handler(.failure($0)) }
    }
}
