extension Promise {
    /// Settles as the first of the promises that settles.
    ///
    /// The others go on, but all are cancelled by `cancel()`. Without promises it rejects with
    /// ``PromiseError/noPromises``.
    public static func race(
        _ promises: some Sequence<Promise<Value>>,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Value> {
        let gathering = Gathering<Value>(site: CreationSite(fileID, line), isOneEnough: true)
        var isEmpty = true
        for promise in promises {
            isEmpty = false
            gathering.observe(promise) { gathering.resolve(with: $0, in: &$1) }
        }
        if isEmpty { gathering.resolve(with: .failure(PromiseError.noPromises)) }
        return gathering.promise
    }
}
