public import LarderPromises

/// A value that is read from a store now, and again whenever what it is read from has changed.
///
///     for try await count in store.observe(count: Issue.where { $0.isOpen == true }) {
///         print(count)
///     }
///
/// Each iteration begins with the value as it is and goes on with the newest one that differs,
/// at most one for each transaction; who takes longer than that misses those in between. It ends
/// when its task is cancelled or its iterator is given up, and throws the error that reading met.
/// The store stays open as long as it is observed.
public struct LiveValue<Value: Sendable>: Sendable {
    typealias Outlet = @Sendable (Result<Value, any Error>) -> Void

    /// Begins to read; what it returns ends that.
    let begin: @Sendable (@escaping Outlet) throws -> StoreObservation.Work

    /// Calls a handler on a scheduler with the value as it is, and with each newer one.
    ///
    /// It goes on until what it returns is cancelled or nobody refers to that any more. The
    /// handlers may read and write the store.
    ///
    /// - Parameter onError: Gets the error that has ended it.
    public func observe(
        on scheduler: Scheduler = .main,
        onError: @escaping @Sendable (any Error) -> Void = { _ in },
        _ onChange: @escaping @Sendable (Value) -> Void
    ) -> StoreObservation {
        let outlet = CallbackOutlet(on: scheduler, onError: onError, onChange)
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

    /// Hands the same to a handler on the main actor.
    ///
    /// - Parameter onError: Gets the error that has ended it.
    public func observe(
        on actor: MainActor,
        onError: @escaping @MainActor @Sendable (any Error) -> Void = { _ in },
        _ onChange: @escaping @MainActor @Sendable (Value) -> Void
    ) -> StoreObservation {
        observe(
            on: .main, onError: { error in MainActor.assumeIsolated { onError(error) } }
        ) { value in
            MainActor.assumeIsolated { onChange(value) }
        }
    }

    /// A value made of this one whenever it changes.
    func map<Output: Sendable>(
        _ transform: @escaping @Sendable (Value) -> Output
    ) -> LiveValue<Output> {
        LiveValue<Output> { outlet in try begin { outlet($0.map(transform)) } }
    }
}

extension LiveValue {
    init<Source: LiveSource>(
        _ source: @escaping @Sendable (Store) throws -> Source, of store: Store
    ) where Source.Value == Value {
        begin = { outlet in
            let reading = LiveReading(try source(store), of: store, outlet: outlet)
            return { reading.cancel() }
        }
    }
}

extension LiveValue: AsyncSequence {
    /// The value.
    public typealias Element = Value

    /// Waits for the values of a store; giving it up ends the observation.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var base: AsyncThrowingStream<Value, any Error>.AsyncIterator

        /// The newest value, once it is another than that before; nil when the task is cancelled.
        ///
        /// - Throws: What reading the value has thrown, mostly a `StoreError`.
        public mutating func next() async throws -> Value? { try await base.next() }
    }

    /// Begins to observe.
    public func makeAsyncIterator() -> AsyncIterator {
        let stream = AsyncThrowingStream<Value, any Error>(bufferingPolicy: .bufferingNewest(1)) {
            continuation in
            do {
                let work = try begin { result in
                    switch result {
                    case .success(let value): continuation.yield(value)
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
