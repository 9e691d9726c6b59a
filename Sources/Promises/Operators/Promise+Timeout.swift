extension Promise {
    /// Rejects with ``PromiseError/timedOut(after:)`` if the promise is pending after a time.
    ///
    /// The work is cancelled then, unless another branch waits for it.
    public func timeout(
        after duration: Duration, clock: some Clock<Duration> = ContinuousClock(),
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Value> {
        let work = passOn(site: CreationSite())
        let (promise, resolver) = Self.pending(fileID: fileID, line: line)
        let alarm = Alarm()
        promise.node.onCancel(
            CancelHandler(
                stop: {
                    alarm.switchOff()
                    return [.node(work.node)]
                },
                members: CancelHandler.Members { [work.node] }))
        // Before the time runs, so that a promise that has settled is always in time.
        work.observe { outcome, drain in
            resolver.resolve(with: outcome, in: &drain)
            alarm.switchOff()
        }
        alarm.set(after: duration, clock: clock) {
            // First the reason, so that the cancellation of the work does not take its place.
            resolver.reject(PromiseError.timedOut(after: duration))
            work.cancel()
        }
        return promise
    }
}

/// Something to do after a time, unless it is switched off before that, or before it is set.
private final class Alarm: Sendable {
    private struct State: Sendable {
        var isOff = false
        var task: Task<Void, any Error>?
    }

    private let state = Guarded(State())

    func set(
        after duration: Duration, clock: some Clock<Duration>,
        _ ring: @escaping @Sendable () -> Void
    ) {
        state.withLock { state in
            guard !state.isOff else { return }
            state.task = YieldPoint.task {
                try await clock.rest(for: duration)
                ring()
            }
        }
    }

    func switchOff() {
        let task = state.withLock { state in
            state.isOff = true
            return state.task.take()
        }
        task?.cancel()
    }
}

extension Promise where Value == Void {
    /// Creates a promise that is fulfilled after a time.
    public static func delay(
        for duration: Duration, clock: some Clock<Duration> = ContinuousClock(),
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Void> {
        Promise(fileID: fileID, line: line) { try await clock.rest(for: duration) }
    }
}

extension Promise {
    /// Passes a value on after a time, and an error at once.
    public func delay(
        by duration: Duration, clock: some Clock<Duration> = ContinuousClock(),
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Value> {
        then(on: .immediate, fileID: fileID, line: line) { value in
            Promise(fileID: fileID, line: line) {
                try await clock.rest(for: duration)
                return value
            }
        }
    }
}
