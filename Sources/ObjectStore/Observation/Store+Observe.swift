import LarderPromises

extension Store {
    /// Observes the objects that a query finds.
    ///
    ///     for try await issues in store.observe(Issue.all) { … }
    ///
    /// Objects are the same where their attributes and to-one relationships are; of to-many relationships
    /// it only sees what the query asks about them. After a change only the objects are read which are
    /// new or changed. Nothing is read before it is iterated over or started.
    public func observe<Object: Entity>(_ query: Query<Object>) -> LiveValue<[Object]> {
        lists(of: query).map(\.objects)
    }

    /// Observes what is inserted, deleted, updated and moved among the objects that a query finds.
    ///
    ///     for try await change in store.observeChanges(of: Issue.all) { … }
    ///
    /// The first change inserts all objects; each one leads from the list before it to its own, also for
    /// who takes so long that changes come together: such a change may be empty.
    public func observeChanges<Object: Entity>(
        of query: Query<Object>
    ) -> LiveValue<ListChange<Object>> {
        LiveValue(changesOf: lists(of: query))
    }

    /// The objects that a query finds, with the rows that they were read from.
    func lists<Object: Entity>(of query: Query<Object>) -> LiveValue<LiveList<Object>> {
        LiveValue({ try QuerySource(query, in: $0, names: $0.tableNames) }, of: self)
    }

    // The compiler explains a mistake by the overload that leaves the fewest types open: `Failure`
    // has it be the first where a query is observed, and what is done with its objects is wrong.

    /// Observes whatever a closure reads, in several queries if need be, from one snapshot.
    ///
    ///     store.observe { snapshot in
    ///         Numbers(open: try snapshot.count(open), all: try snapshot.count(Issue.all))
    ///     }
    ///
    /// Which changes concern it is known from what it has read the last time. A value that equals
    /// the one before is not handed on.
    public func observe<Value: Equatable & Sendable, Failure: Error>(
        _ read: @escaping @Sendable (Snapshot) throws(Failure) -> Value
    ) -> LiveValue<Value> {
        LiveValue({ ReadingSource(names: $0.tableNames, read, areSame: ==) }, of: self)
    }

    /// Observes whatever a closure reads, where values can't be compared: each transaction that
    /// has changed something of what it has read makes a new one.
    @_disfavoredOverload
    public func observe<Value: Sendable, Failure: Error>(
        _ read: @escaping @Sendable (Snapshot) throws(Failure) -> Value
    ) -> LiveValue<Value> {
        LiveValue(
            { ReadingSource(names: $0.tableNames, read, areSame: { _, _ in false }) }, of: self)
    }
}

/// Calls that come when what a store holds has changed, until they are cancelled or nobody refers
/// to this any more.
public final class StoreObservation: Sendable {
    private struct Ending {
        /// Ends what has been begun, and keeps it going for as long as it is kept.
        var end: (@Sendable () -> Void)?
    }

    private let ending: Guarded<Ending>

    init(_ end: @escaping @Sendable () -> Void) {
        ending = Guarded(Ending(end: end))
    }

    deinit { cancel() }

    /// Ends the calls; none begins after this has returned, where it is called on their scheduler.
    public func cancel() {
        ending.withLock { $0.end.take() }?()
    }
}
