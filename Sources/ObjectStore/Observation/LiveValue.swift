public import LarderPromises

/// A value that is read from a store now, and again whenever what it is read from has changed.
///
///     for try await issues in store.observe(Issue.all) { print(issues.count) }
///
///     let observation = store.observe(Issue.all).start { issues in print(issues.count) }
///
/// Each iteration begins with the value as it is and goes on with the newest one that differs,
/// at most one for each transaction; who takes longer than that misses those in between. It ends
/// when its task is cancelled or its iterator is given up, and throws the error that reading met.
/// The store stays open as long as it is observed, or until an error ends that.
public struct LiveValue<Value: Sendable>: Sendable {
    /// Makes a value of what was read, for whoever takes it.
    typealias Taking = @Sendable () -> Value
    typealias Outlet = @Sendable (Result<Taking, any Error>) -> Void

    /// Begins to read; what it returns ends that.
    let begin: @Sendable (@escaping Outlet) throws -> @Sendable () -> Void

    /// Calls a handler on the main actor with the value as it is, and with each newer one.
    ///
    ///     observation = store.observe(Issue.all).start { [weak self] in self?.issues = $0 }
    ///
    /// It goes on until what it returns is cancelled or nobody refers to that any more. The
    /// handlers may read and write the store.
    ///
    /// - Parameters:
    ///   - onError: Gets the error that has ended it.
    ///   - onChange: Gets the value.
    public func start(
        on actor: MainActor = .shared,
        onError: @escaping @MainActor @Sendable (any Error) -> Void = { _ in },
        onChange: @escaping @MainActor @Sendable (Value) -> Void
    ) -> StoreObservation {
        start(
            on: .main, onError: { error in MainActor.assumeIsolated { onError(error) } },
            onChange: { value in MainActor.assumeIsolated { onChange(value) } })
    }

    /// Calls a handler on a scheduler with the value as it is, and with each newer one.
    ///
    /// The calls come one after the other, also on a scheduler that runs several at once.
    ///
    /// - Parameters:
    ///   - scheduler: Where the handlers run.
    ///   - onError: Gets the error that has ended it.
    ///   - onChange: Gets the value.
    public func start(
        on scheduler: Scheduler,
        onError: @escaping @Sendable (any Error) -> Void = { _ in },
        onChange: @escaping @Sendable (Value) -> Void
    ) -> StoreObservation {
        let outlet = CallbackOutlet<Taking>(on: scheduler, onError: onError) { onChange($0()) }
        do {
            let work = try begin { outlet.send($0) }
            return StoreObservation {
                outlet.cancel()
                work()
            }
        } catch {
            outlet.send(.failure(error))
            return StoreObservation { outlet.cancel() }
        }
    }

    /// A value made of this one whenever it changes.
    func map<Output: Sendable>(
        _ transform: @escaping @Sendable (Value) -> Output
    ) -> LiveValue<Output> {
        LiveValue<Output> { outlet in
            try begin { outlet($0.map { take in { transform(take()) } }) }
        }
    }
}

extension LiveValue {
    /// The changes of lists, each from the list that was taken before.
    init<Object: Entity>(changesOf lists: LiveValue<LiveList<Object>>)
    where Value == ListChange<Object> {
        begin = { outlet in
            let last = Guarded<LiveList<Object>?>(nil)
            return try lists.begin { result in
                outlet(
                    result.map { take in
                        {
                            let list = take()
                            let before = last.withLock { last in
                                defer { last = list }
                                return last
                            }
                            return ListChange(from: before, to: list)
                        }
                    })
            }
        }
    }
}

extension LiveValue {
    init<Source: LiveSource>(
        _ source: @escaping @Sendable (Store) throws -> Source, of store: Store
    ) where Source.Value == Value {
        begin = { outlet in
            let reading = LiveReading(try source(store), of: store) { result in
                outlet(result.map { value in { value } })
            }
            return { reading.cancel() }
        }
    }
}

extension LiveValue: AsyncSequence {
    /// The value.
    public typealias Element = Value

    /// Waits for the values of a store; giving it up ends the observation.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var base: AsyncThrowingStream<Taking, any Error>.AsyncIterator

        /// The newest value, once another was read; nil when the task is cancelled.
        ///
        /// It may equal the one before, where others between them were missed.
        ///
        /// - Throws: What reading the value has thrown, mostly a `StoreError`.
        public mutating func next() async throws -> Value? { try await base.next()?() }
    }

    /// Begins to observe.
    public func makeAsyncIterator() -> AsyncIterator {
        let stream = AsyncThrowingStream<Taking, any Error>(bufferingPolicy: .bufferingNewest(1)) {
            continuation in
            do {
                let work = try begin { result in
                    switch result {
                    case .success(let take): continuation.yield(take)
                    case .failure(let error): continuation.finish(throwing: error)
                    }
                }
                continuation.onTermination = { _ in work() }
            } catch {
                continuation.finish(throwing: error)
            }
        }
        return AsyncIterator(base: stream.makeAsyncIterator())
    }
}
