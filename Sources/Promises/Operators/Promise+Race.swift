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
        let gathering = Gathering<Value>(site: CreationSite(fileID, line), isOneEnough: true)
        let failures = Slots<Outcome<Value>>(count: members.count)
        if members.isEmpty { gathering.resolve(with: .failure(PromiseError.noPromises)) }
        for (index, member) in members.enumerated() {
            gathering.observe(member) { outcome, drain in
                switch outcome.result {
                case .success:
                    gathering.resolve(with: outcome, in: &drain)
                case .failure:
                    guard let failures = failures.fill(index, with: outcome) else { return }
                    let error = NoneFulfilled(errors: failures.compactMap(\.error))
                    let isHandled = failures.allSatisfy(\.isHandled)
                    gathering.resolve(with: .failure(error, isHandled: isHandled), in: &drain)
                }
            }
        }
        return gathering.promise
    }

    /// Settles with the first value of these promises; rejects with ``NoneFulfilled`` without one.
    public static func any(
        _ first: Promise<Value>, _ others: Promise<Value>...,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Value> {
        any([first] + others, fileID: fileID, line: line)
    }
}

/// The error of `Promise.any` when every promise was rejected.
public struct NoneFulfilled: Error {
    /// The errors, in the order of the promises.
    public let errors: [any Error]
}
