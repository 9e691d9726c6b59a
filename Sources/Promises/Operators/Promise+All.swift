extension Promise {
    /// Waits for all values, in the order of the promises; rejects with the first error.
    ///
    /// The others are not cancelled by a rejection, but all of them are by `cancel()`. Fulfilled at
    /// once when there are none.
    public static func all(
        _ promises: some Sequence<Promise<Value>>,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<[Value]> {
        let members = Array(promises)
        let gathering = Gathering<[Value]>(site: CreationSite(fileID, line))
        let slots = Slots<Value>(count: members.count)
        if members.isEmpty { gathering.resolve(with: .success([])) }
        for (index, member) in members.enumerated() {
            gathering.observe(member) { outcome, drain in
                switch outcome.result {
                case .success(let value):
                    if let values = slots.fill(index, with: value) {
                        gathering.resolve(with: .success(values), in: &drain)
                    }
                case .failure(let error):
                    gathering.resolve(
                        with: .failure(error, isHandled: outcome.isHandled), in: &drain)
                }
            }
        }
        return gathering.promise
    }

    /// Waits for the values of promises of different types; rejects with the first error.
    public static func all<each Element: Sendable>(
        _ promises: repeat Promise<each Element>,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<(repeat each Element)> where Value == (repeat each Element) {
        let gathering = Gathering<Value>(site: CreationSite(fileID, line))
        var count = 0
        for _ in repeat each promises { count += 1 }
        let slots = Slots<Void>(count: count)
        var index = 0
        for promise in repeat each promises {
            let own = index
            gathering.observe(promise) { outcome, drain in
                switch outcome.result {
                case .success:
                    guard slots.fill(own, with: ()) != nil else { return }
                    do {
                        let values = try (repeat (each promises).settledValue())
                        gathering.resolve(with: .success(values), in: &drain)
                    } catch {
                        gathering.resolve(with: .failure(error), in: &drain)
                    }
                case .failure(let error):
                    gathering.resolve(
                        with: .failure(error, isHandled: outcome.isHandled), in: &drain)
                }
            }
            index += 1
        }
        if count == 0 {
            do {
                let nothing = try (repeat (each promises).settledValue())
                gathering.resolve(with: .success(nothing))
            } catch {
                gathering.resolve(with: .failure(error))
            }
        }
        return gathering.promise
    }

    private func settledValue() throws -> Value {
        guard let outcome = node.outcome(as: Value.self) else { throw PromiseError.abandoned }
        return try outcome.get()
    }
}

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
