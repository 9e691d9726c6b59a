extension Promise {
    /// Does `work` for every item, at most `limit` at once, and waits for all values in order.
    ///
    /// Items are pulled when their turn comes, so the sequence may be lazy and long. After a
    /// rejection, or a cancellation, no more are pulled. A `limit` below one rejects with
    /// ``PromiseError/notPositive(_:)``.
    public static func map<Items: Sequence>(
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
        let pull = LimitedPull(
            items, limit: limit, gathering: gathering, scheduler: scheduler, work: work)
        var drain = Drain()
        pull.pull(in: &drain)
        drain.run()
        return gathering.promise
    }
}

/// Pulls the next item whenever one has been worked off.
///
/// One thread pulls at a time, in a loop; an item that is worked off meanwhile, by another thread or
/// before its start has returned, makes that thread pull one more. So nothing recurses, and the
/// iterator, which is code of the user, is not called under a lock.
///
/// `@unchecked Sendable`: the iterator, which is the one part that is not Sendable, is only used by
/// the thread that has set `isPulling`.
private final class LimitedPull<Items: Sequence & Sendable, Value: Sendable>: @unchecked Sendable
where Items.Element: Sendable {
    private struct State: Sendable {
        var isPulling = false
        var running = 0
        var isExhausted = false
        var values: [Value?] = []
    }

    private var items: Items.Iterator
    private let limit: Int
    private let state = Guarded(State())
    private let gathering: Gathering<[Value]>
    private let scheduler: Scheduler
    private let work: @Sendable (Items.Element) throws -> Promise<Value>

    init(
        _ items: Items, limit: Int, gathering: Gathering<[Value]>, scheduler: Scheduler,
        work: @escaping @Sendable (Items.Element) throws -> Promise<Value>
    ) {
        self.items = items.makeIterator()
        self.limit = limit
        self.gathering = gathering
        self.scheduler = scheduler
        self.work = work
    }

    private enum Step: Sendable {
        case pull(index: Int)
        case finish([Value])
        case stop
    }

    /// Pulls until enough items run, unless another thread is at it.
    func pull(in drain: inout Drain) {
        let isMine = state.withLock { state in
            defer { state.isPulling = true }
            return !state.isPulling
        }
        guard isMine else { return }
        while true {
            let isOver = gathering.isOver
            switch state.withLock({ Self.next(&$0, limit: isOver ? 0 : limit) }) {
            case .stop:
                return
            case .finish(let values):
                return gathering.resolve(with: .success(values), in: &drain)
            case .pull(let index):
                if let item = items.next() {
                    start(item, at: index)
                } else {
                    state.withLock { state in
                        state.isExhausted = true
                        state.running -= 1
                    }
                }
            }
        }
    }

    private static func next(_ state: inout State, limit: Int) -> Step {
        if state.isExhausted, state.running == 0 {
            return .finish(state.values.compactMap(\.self))
        }
        guard !state.isExhausted, state.running < limit else {
            state.isPulling = false
            return .stop
        }
        state.running += 1
        state.values.append(nil)
        return .pull(index: state.values.count - 1)
    }

    private func start(_ item: Items.Element, at index: Int) {
        let promise = Promise.fulfilled(item).then(on: scheduler, work)
        gathering.observe(promise) { self.receive($0, at: index, in: &$1) }
    }

    private func receive(_ outcome: Outcome<Value>, at index: Int, in drain: inout Drain) {
        switch outcome.result {
        case .success(let value):
            state.withLock { state in
                state.values[index] = value
                state.running -= 1
            }
            pull(in: &drain)
        case .failure(let error):
            gathering.resolve(with: .failure(error, isHandled: outcome.isHandled), in: &drain)
        }
    }
}
