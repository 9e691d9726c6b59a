public import LarderPromises

/// The changes of the objects that a query finds, from one time they are looked at to the next.
///
/// It behaves as ``LiveObjects`` does. The first change inserts all objects; each one leads from
/// the list before it to its own, also for who takes so long that changes come together.
public struct LiveChanges<Object: Entity>: Sendable {
    let lists: LiveValue<LiveList<Object>>

    /// Calls a handler on a scheduler with each change.
    ///
    /// It goes on until what it returns is cancelled or nobody refers to that any more. The
    /// handlers may read and write the store.
    ///
    /// - Parameter onError: Gets the error that has ended it.
    public func observe(
        on scheduler: Scheduler = .main,
        onError: @escaping @Sendable (any Error) -> Void = { _ in },
        _ onChange: @escaping @Sendable (ListChange<Object>) -> Void
    ) -> StoreObservation {
        let last = Guarded<LiveList<Object>?>(nil)
        return lists.observe(on: scheduler, onError: onError) { list in
            let before = last.withLock { last in
                defer { last = list }
                return last
            }
            onChange(ListChange(from: before, to: list))
        }
    }

    /// Hands the same to a handler on the main actor.
    ///
    /// - Parameter onError: Gets the error that has ended it.
    public func observe(
        on actor: MainActor,
        onError: @escaping @MainActor @Sendable (any Error) -> Void = { _ in },
        _ onChange: @escaping @MainActor @Sendable (ListChange<Object>) -> Void
    ) -> StoreObservation {
        observe(
            on: .main, onError: { error in MainActor.assumeIsolated { onError(error) } }
        ) { value in
            MainActor.assumeIsolated { onChange(value) }
        }
    }
}

extension LiveChanges: AsyncSequence {
    /// The change from the list before.
    public typealias Element = ListChange<Object>

    /// Waits for changes; giving it up ends the observation.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var base: LiveValue<LiveList<Object>>.AsyncIterator
        private var last: LiveList<Object>?

        fileprivate init(base: LiveValue<LiveList<Object>>.AsyncIterator) {
            self.base = base
        }

        /// The next change; nil when the task is cancelled.
        ///
        /// - Throws: What reading the objects has thrown, mostly a `StoreError`.
        public mutating func next() async throws -> ListChange<Object>? {
            guard let list = try await base.next() else { return nil }
            defer { last = list }
            return ListChange(from: last, to: list)
        }
    }

    /// Begins to observe.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: lists.makeAsyncIterator())
    }
}
