import CLarderSQLite

/// The rows that a query finds, while they are read into objects.
///
/// They are only valid inside `Entity.all(in:)`.
public struct Rows {
    /// The row that `next()` has moved to.
    public let row: Row
    private let statement: Statement

    init(of statement: Statement, layout: RowLayout, store: Store) {
        self.statement = statement
        row = Row(statement: statement.pointer, layout: layout, store: store)
    }

    /// Moves to the next row, the first one at first; false behind the last.
    ///
    /// - Throws: `StoreError` where the store can't be read.
    public func next() throws -> Bool { try statement.step() }
}
