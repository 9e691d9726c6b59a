extension Promise {
    /// Settles with the first value; rejects with ``NoneFulfilled`` when there is none.
    ///
    /// The others go on, but all are cancelled by `cancel()`. Without promises it rejects with
    /// ``PromiseError/noPromises``.
    public static func any(
        _ promises: some Sequence<Promise<Value>>,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Value> {
        let members = Array(promises)
        let gathering = Gathering<Value>(site: CreationSite(fileID, line))
        let errors = Slots<any Error>(count: members.count)
        if members.isEmpty { gathering.resolve(with: .failure(PromiseError.noPromises)) }
        for (index, member) in members.enumerated() {
            gathering.observe(member) { result, drain in
                switch result {
                case .success:
                    gathering.resolve(with: result, in: &drain)
                case .failure(let error):
                    guard let errors = errors.fill(index, with: error) else { return }
                    gathering.resolve(with: .failure(NoneFulfilled(errors: errors)), in: &drain)
                }
            }
        }
        return gathering.promise
    }
}
