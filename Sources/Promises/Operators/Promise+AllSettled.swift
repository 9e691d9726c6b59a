extension Promise {
    /// Waits for all outcomes, in the order of the promises; never rejects but by `cancel()`.
    public static func allSettled(
        _ promises: some Sequence<Promise<Value>>,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<[Result<Value, any Error>]> {
        let members = Array(promises)
        let gathering = Gathering<[Result<Value, any Error>]>(site: CreationSite(fileID, line))
        let slots = Slots<Result<Value, any Error>>(count: members.count)
        if members.isEmpty { gathering.resolve(with: .success([])) }
        for (index, member) in members.enumerated() {
            gathering.observe(member) { outcome, drain in
                guard let results = slots.fill(index, with: outcome.result) else { return }
                gathering.resolve(with: .success(results), in: &drain)
            }
        }
        return gathering.promise
    }

    /// Waits for all outcomes of these promises, in their order.
    public static func allSettled(
        _ first: Promise<Value>, _ others: Promise<Value>...,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<[Result<Value, any Error>]> {
        allSettled([first] + others, fileID: fileID, line: line)
    }
}
