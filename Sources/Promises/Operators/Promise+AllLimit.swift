extension Promise {
    /// Does `work` for every item, at most `limit` at once, and waits for all values in order.
    ///
    /// Items are pulled when their turn comes, so the sequence may be lazy and long. After a
    /// rejection, or a cancellation, no more are pulled. A `limit` below one rejects with
    /// ``PromiseError/notPositive(_:)``.
    public static func all<Items: Sequence>(
        _ items: Items, limit: Int,
        on scheduler: Scheduler = .default,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ work: @escaping @Sendable (Items.Element) throws -> Promise<Value>
    ) -> Promise<[Value]> where Items: Sendable, Items.Element: Sendable {
        let gathering = Gathering<[Value]>(site: CreationSite(fileID, line))
        guard limit > 0 else {
            gathering.resolve(with: .failure(PromiseError.notPositive(limit)))
            return gathering.promise
        }
        let pull = LimitedPull(items, gathering: gathering, scheduler: scheduler, work: work)
        var drain = Drain()
        for _ in 0..<limit where !pull.startNext(in: &drain) { break }
        drain.run()
        return gathering.promise
    }
}

/// Pulls the next item whenever one has been worked off.
///
/// `@unchecked Sendable`: the iterator, which is the one part that is not Sendable, is only used
/// under the lock.
private final class LimitedPull<Items: Sequence & Sendable, Value: Sendable>: @unchecked Sendable
where Items.Element: Sendable {
    private struct State {
        var items: Items.Iterator
        var values: [Value?] = []
        var running = 0
        var isExhausted = false
    }

    private let state: Guarded<State>
    private let gathering: Gathering<[Value]>
    private let scheduler: Scheduler
    private let work: @Sendable (Items.Element) throws -> Promise<Value>

    init(
        _ items: Items, gathering: Gathering<[Value]>, scheduler: Scheduler,
        work: @escaping @Sendable (Items.Element) throws -> Promise<Value>
    ) {
        self.state = Guarded(State(items: items.makeIterator()))
        self.gathering = gathering
        self.scheduler = scheduler
        self.work = work
    }

    private enum Step: Sendable {
        case start(Items.Element, index: Int)
        case finish([Value])
        case wait
    }

    /// Starts one more item; returns `false` when there is none.
    @discardableResult
    func startNext(in drain: inout Drain) -> Bool {
        guard !gathering.isOver else { return false }
        switch state.withLock({ Self.next(&$0) }) {
        case .wait:
            return false
        case .finish(let values):
            gathering.resolve(with: .success(values), in: &drain)
            return false
        case .start(let item, let index):
            // The work begins on the scheduler, so that a synchronous one cannot recurse.
            let promise = Promise.fulfilled(item).then(on: scheduler, work)
            gathering.observe(promise) { self.receive($0, at: index, in: &$1) }
            return true
        }
    }

    private static func next(_ state: inout State) -> Step {
        if !state.isExhausted, let item = state.items.next() {
            state.values.append(nil)
            state.running += 1
            return .start(item, index: state.values.count - 1)
        }
        state.isExhausted = true
        return state.running == 0 ? .finish(state.values.compactMap(\.self)) : .wait
    }

    private func receive(
        _ result: Result<Value, any Error>, at index: Int, in drain: inout Drain
    ) {
        switch result {
        case .success(let value):
            state.withLock { state in
                state.values[index] = value
                state.running -= 1
            }
            startNext(in: &drain)
        case .failure(let error):
            gathering.resolve(with: .failure(error), in: &drain)
        }
    }
}
