/// A source of an observed value.
protocol LiveSource: Sendable {
    associatedtype Value: Sendable

    /// Reads the value anew, nil where it is what it was; called for one snapshot at a time.
    ///
    /// - Parameter changes: What lies between the snapshot of the last call and this one: all of it,
    ///   and nothing that comes later.
    mutating func evaluate(in snapshot: Snapshot, after changes: Changes) throws -> Value?

    /// The tables and columns that the value was read from.
    var dependencies: Dependencies { get }
}
