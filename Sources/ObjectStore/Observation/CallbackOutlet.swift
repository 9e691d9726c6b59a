import LarderPromises

/// Hands values to a handler on a scheduler; one that waits gives way to a newer one.
final class CallbackOutlet<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var error: (any Error)?
        var isScheduled = false
        var isCancelled = false
    }

    private let state = Guarded(State())
    private let scheduler: Scheduler
    private let onError: @Sendable (any Error) -> Void
    private let onChange: @Sendable (Value) -> Void

    init(
        on scheduler: Scheduler, onError: @escaping @Sendable (any Error) -> Void,
        _ onChange: @escaping @Sendable (Value) -> Void
    ) {
        self.scheduler = scheduler
        self.onError = onError
        self.onChange = onChange
    }

    func send(_ result: Result<Value, any Error>) {
        let isNew = state.withLock { state in
            guard !state.isCancelled else { return false }
            switch result {
            case .success(let value): state.value = value
            case .failure(let error): state.error = error
            }
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isNew { schedule() }
    }

    private func schedule() {
        Promise.fulfilled(()).then(on: scheduler) { [weak self] in self?.deliver() }
            .catch(on: .immediate) { [weak self] _ in
                // The scheduler has thrown the job away; the next value is another.
                self?.state.withLock { $0.isScheduled = false }
            }
    }

    /// Drops what waits; nothing is delivered any more.
    func cancel() {
        let dropped = state.withLock { state in
            state.isCancelled = true
            defer { state.value = nil }
            return state.value
        }
        withExtendedLifetime(dropped) {}
    }

    private func deliver() {
        let (value, error) = state.withLock { state in
            defer {
                state.value = nil
                state.error = nil
            }
            return state.isCancelled ? (nil, nil) : (state.value, state.error)
        }
        if let value { onChange(value) }
        // The handler may have cancelled.
        if let error, !state.withLock(\.isCancelled) { onError(error) }
        // Only now, as a scheduler may run jobs side by side.
        let isMore = state.withLock { state in
            state.isScheduled = !state.isCancelled && (state.value != nil || state.error != nil)
            return state.isScheduled
        }
        if isMore { schedule() }
    }
}
