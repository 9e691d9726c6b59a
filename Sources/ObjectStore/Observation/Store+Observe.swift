public import LarderPromises

extension Store {
    /// Observes the objects that a query finds.
    ///
    ///     for try await issues in store.observe(Issue.all) { … }
    ///     for try await change in store.observe(Issue.all).changes { … }
    ///
    /// Nothing is read before the iteration begins.
    public func observe<Object: Entity>(_ query: Query<Object>) -> LiveObjects<Object> {
        LiveObjects(
            lists: LiveValue({ try QuerySource(query, in: $0, names: $0.tableNames) }, of: self))
    }

    /// Observes the objects that a query finds, by calls on a scheduler: with the objects as they
    /// are, and whenever they have changed.
    ///
    /// It goes on until what it returns is cancelled or nobody refers to that any more. The
    /// handlers may read and write the store.
    ///
    /// - Parameter onError: Gets the error that has ended it.
    public func observe<Object: Entity>(
        _ query: Query<Object>, on scheduler: Scheduler,
        onError: @escaping @Sendable (any Error) -> Void = { _ in },
        _ onChange: @escaping @Sendable ([Object]) -> Void
    ) -> StoreObservation {
        observe(query).observe(on: scheduler, onError: onError, onChange)
    }

    /// Hands the same to a handler on the main actor.
    ///
    /// - Parameter onError: Gets the error that has ended it.
    public func observe<Object: Entity>(
        _ query: Query<Object>, on actor: MainActor,
        onError: @escaping @MainActor @Sendable (any Error) -> Void = { _ in },
        _ onChange: @escaping @MainActor @Sendable ([Object]) -> Void
    ) -> StoreObservation {
        observe(query).observe(
            on: .main, onError: { error in MainActor.assumeIsolated { onError(error) } }
        ) { value in
            MainActor.assumeIsolated { onChange(value) }
        }
    }

    /// Observes the first object that a query finds, nil where there is none.
    public func observe<Object: Entity>(first query: Query<Object>) -> LiveValue<Object?> {
        observe(query.limit(Swift.min(query.description.maximumCount ?? 1, 1))).lists.map(
            \.objects.first)
    }

    /// Observes how many objects a query finds.
    public func observe<Object: Entity>(count query: Query<Object>) -> LiveValue<Int> {
        observe { try $0.count(query) }
    }

    /// Observes whatever a closure reads, in several queries if need be, from one snapshot.
    ///
    ///     store.observe { snapshot in
    ///         Numbers(open: try snapshot.count(open), all: try snapshot.count(Issue.all))
    ///     }
    ///
    /// Which changes concern it is known from what it has read the last time. A value that equals
    /// the one before is not handed on.
    public func observe<Value: Equatable & Sendable>(
        _ read: @escaping @Sendable (Snapshot) throws -> Value
    ) -> LiveValue<Value> {
        LiveValue({ ReadingSource(names: $0.tableNames, read, areSame: ==) }, of: self)
    }

    /// Observes whatever a closure reads, where values can't be compared: each transaction that
    /// has changed something of what it has read makes a new one.
    @_disfavoredOverload
    public func observe<Value: Sendable>(
        _ read: @escaping @Sendable (Snapshot) throws -> Value
    ) -> LiveValue<Value> {
        LiveValue(
            { ReadingSource(names: $0.tableNames, read, areSame: { _, _ in false }) }, of: self)
    }
}

/// Calls that come when what a store holds has changed, until they are cancelled or nobody refers
/// to this any more.
public final class StoreObservation: Sendable {
    /// Ends what has been begun, and keeps it going for as long as it is kept.
    typealias Work = @Sendable () -> Void

    private let work: Guarded<Work?>

    init(_ work: @escaping Work) {
        self.work = Guarded(work)
    }

    deinit { cancel() }

    /// Ends the calls; none begins after this has returned, where it is called on their scheduler.
    public func cancel() {
        let work = work.withLock { work in
            defer { work = nil }
            return work
        }
        work?()
    }
}

/// Stand where a call can't be, so that the compiler says what is wrong with it.
extension ObjectReading {
    /// Says how all objects of an entity are fetched.
    @available(
        *, unavailable,
        message: "a query is asked for: write 'fetch(Book.all)', or 'fetch(Book.where { … })'"
    )
    public func fetch<Object: Entity>(_ type: Object.Type) throws -> [Object] { [] }

    /// Says how all objects of an entity are fetched.
    @available(
        *, unavailable,
        message: "a query is asked for: write 'fetch(Book.all)', or 'fetch(Book.where { … })'"
    )
    public func fetch<Object: Entity>(_ type: [Object].Type) throws -> [Object] { [] }

    /// Says how it is asked for whether there is an object of an entity.
    @available(
        *, unavailable,
        message: "a query is asked for: write 'contains(Book.all)', or 'contains(Book.where { … })'"
    )
    public func contains<Object: Entity>(_ type: Object.Type) throws -> Bool { false }

    /// Says how the first object of an entity is fetched.
    @available(
        *, unavailable,
        message: "a query is asked for: write 'first(Book.all)', or 'first(Book.where { … })'"
    )
    public func first<Object: Entity>(_ type: Object.Type) throws -> Object? { nil }

    /// Says how the objects of an entity are counted.
    @available(
        *, unavailable,
        message: "a query is asked for: write 'count(Book.all)', or 'count(Book.where { … })'"
    )
    public func count<Object: Entity>(_ type: Object.Type) throws -> Int { 0 }
}

extension Store {
    /// Says how all objects of an entity are observed.
    @available(
        *, unavailable,
        message: "a query is asked for: write 'observe(Book.all)', or 'observe(Book.where { … })'"
    )
    public func observe<Object: Entity>(_ type: Object.Type) -> LiveObjects<Object> {
        observe(Object.all)
    }
}
