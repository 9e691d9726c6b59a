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

    /// Settles as the first of these promises that settles; the others go on.
    public static func race(
        _ first: Promise<Value>, _ others: Promise<Value>...,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Value> {
        race([first] + others, fileID: fileID, line: line)
    }
}
