import CLarderSQLite

/// The rows that a query finds, while they are read into objects.
///
/// They are only valid inside `Entity.all(in:)`.
public struct Rows {
    /// The row that `next()` has moved to.
    public let row: Row
    private let statement: Statement
    /// The recorder that takes note of each row that is read.
    private let recorder: RowRecorder?

    init(
        of statement: Statement, layout: RowLayout, store: Store, recorder: RowRecorder? = nil
    ) {
        self.statement = statement
        self.recorder = recorder
        row = Row(statement: statement.pointer, layout: layout, store: store)
    }

    /// Moves to the next row, the first one at first; false behind the last.
    ///
    /// - Throws: `StoreError` where the store can't be read.
    public func next() throws -> Bool {
        guard try statement.step() else { return false }
        recorder?.note(statement.pointer)
        return true
    }
}
