/// A receiver of notes on what a deletion does: the transaction that asked for it, or the import
/// that let something fall out of an array.
protocol DeletionLog {
    /// Whether the rows themselves are to be named where their number would do.
    func wantsRows(of entity: EntityPlan) -> Bool

    /// Whether objects can be without what they need until whoever deletes has ended.
    var mayComplete: Bool { get }

    /// Objects have been deleted.
    func noteDeleted(_ change: DeletionChange, of entity: EntityPlan)

    /// To-one columns of objects that stay have been emptied, of each object one or more.
    ///
    /// - Parameter areRequired: Whether the objects can't be without what they led to.
    func noteEmptied(_ change: DeletionChange, areRequired: Bool, of entity: EntityPlan)

    /// Links of objects that stay have been taken away.
    func noteUnlinked(_ count: Int, of entity: EntityPlan)
}

/// The number of rows that a step of a deletion has changed, and the rows where they are asked for.
struct DeletionChange {
    let count: Int
    /// Nil where nobody wants to know.
    let rows: [Int64]?
}
