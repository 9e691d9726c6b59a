public import LarderPromises

/// The objects that a query finds, now and whenever they have changed.
///
///     for try await issues in store.observe(Issue.all) { … }
///
/// It behaves as ``LiveValue`` does. Objects are the same where their attributes and to-one
/// relationships are; of to-many relationships it only sees what the query asks about them.
/// After a change only the objects are read which are new or changed.
public struct LiveObjects<Object: Entity>: Sendable {
    let lists: LiveValue<LiveList<Object>>

    /// The same, told by what has been inserted, deleted, updated and moved.
    public var changes: LiveChanges<Object> { LiveChanges(lists: lists) }

    /// Calls a handler on a scheduler with the objects as they are, and whenever they have changed.
    ///
    /// It goes on until what it returns is cancelled or nobody refers to that any more. The
    /// handlers may read and write the store.
    ///
    /// - Parameter onError: Gets the error that has ended it.
    public func observe(
        on scheduler: Scheduler = .main,
        onError: @escaping @Sendable (any Error) -> Void = { _ in },
        _ onChange: @escaping @Sendable ([Object]) -> Void
    ) -> StoreObservation {
        lists.map(\.objects).observe(on: scheduler, onError: onError, onChange)
    }

    /// Hands the same to a handler on the main actor.
    ///
    /// - Parameter onError: Gets the error that has ended it.
    public func observe(
        on actor: MainActor,
        onError: @escaping @MainActor @Sendable (any Error) -> Void = { _ in },
        _ onChange: @escaping @MainActor @Sendable ([Object]) -> Void
    ) -> StoreObservation {
        observe(
            on: .main, onError: { error in MainActor.assumeIsolated { onError(error) } }
        ) { value in
            MainActor.assumeIsolated { onChange(value) }
        }
    }
}

extension LiveObjects: AsyncSequence {
    /// All objects of the query.
    public typealias Element = [Object]

    /// Waits for the objects of a query; giving it up ends the observation.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var base: LiveValue<LiveList<Object>>.AsyncIterator

        /// The objects, once they are others than before; nil when the task is cancelled.
        ///
        /// - Throws: What reading them has thrown, mostly a `StoreError`.
        public mutating func next() async throws -> [Object]? { try await base.next()?.objects }
    }

    /// Begins to observe.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: lists.makeAsyncIterator())
    }
}
