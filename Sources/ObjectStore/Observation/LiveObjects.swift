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

/// The objects that an observed query has found, and which rows they were read from.
struct LiveList<Object: Entity>: Sendable {
    let store: Store
    var rows: [Int64] = []
    var fingerprints: [Fingerprint] = []
    var objects: [Object] = []

    /// Whether another list holds the same, object by object.
    func isSame(as other: LiveList) -> Bool {
        rows == other.rows && fingerprints == other.fingerprints
    }
}
