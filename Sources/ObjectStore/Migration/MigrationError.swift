/// A migration that is refused because the store would lose something by it.
///
/// The store is as it was. Allow the losses by `MigrationOptions.allowedLosses`, or supply a step.
public struct MigrationError: Error, Hashable, Sendable {
    /// The losses that are neither allowed nor resolved by a step, with counts.
    public let losses: [MigrationLoss]
    /// All that the migration would do.
    public let plan: MigrationPlan
    /// The store's file.
    public let path: String?
}

extension MigrationError: CustomStringConvertible {
    /// A line for each loss.
    public var description: String {
        "The store is not migrated, since it would lose:"
            + losses.map { "\n  \($0); \($0.remedy)" }.joined()
            + "\nWhat may go is named in MigrationOptions.allowedLosses."
            + (path.map { "\n(\($0))" } ?? "")
    }
}
