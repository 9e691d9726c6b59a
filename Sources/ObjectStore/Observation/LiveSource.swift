/// How an observed value comes about.
protocol LiveSource: Sendable {
    associatedtype Value: Sendable

    /// Reads the value anew, nil where it is what it was; called for one snapshot at a time, each
    /// at least as new as the changes.
    ///
    /// - Parameter changes: What has changed since the last call.
    mutating func evaluate(in snapshot: Snapshot, after changes: Changes) throws -> Value?

    /// What the value was read from.
    var dependencies: Dependencies { get }
}
