/// The changes of one or more transactions to a store's tables.
///
/// It may say more than is true, where a savepoint was rolled back or a value was set to what it
/// was; it never says less.
struct Changes: Sendable {
    /// The changes to a table of objects.
    struct Table: Sendable {
        var rows = ChangedRows()
        /// The columns that were updated in some of the rows.
        var columns = ColumnSet()
        /// Whether rows were inserted or deleted.
        var hasOtherRows = false
    }

    /// The changes to tables of objects, by their numbers in `TableNames`.
    private(set) var tables: [Int: Table] = [:]
    /// The tables of links that have changed, by their numbers in `TableNames`.
    private(set) var links: Set<Int> = []
    /// Whether nothing more is known than that something has changed.
    private(set) var isEverything = false

    /// Nothing has changed.
    init() {}

    /// Anything may have changed.
    static var everything: Changes {
        var changes = Changes()
        changes.isEverything = true
        return changes
    }

    var isEmpty: Bool { tables.isEmpty && links.isEmpty && !isEverything }

    mutating func noteUpdate(of row: Int64, in table: Int, columns: ColumnSet) {
        tables[table, default: Table()].rows.insert(row)
        tables[table]?.columns.formUnion(columns)
    }

    /// Notes that a row has been inserted or deleted.
    mutating func noteOtherRow(_ row: Int64, in table: Int) {
        tables[table, default: Table()].rows.insert(row)
        tables[table]?.hasOtherRows = true
    }

    /// Notes that any row of a table may have been inserted, updated or deleted.
    mutating func noteAll(of table: Int) {
        tables[table] = Table(rows: .all, columns: .all, hasOtherRows: true)
    }

    mutating func noteLinks(in table: Int) { links.insert(table) }

    mutating func formUnion(_ other: Changes) {
        if isEverything { return }
        if other.isEverything {
            self = .everything
            return
        }
        for (table, added) in other.tables {
            var merged = tables[table] ?? Table()
            merged.rows.formUnion(added.rows)
            merged.columns.formUnion(added.columns)
            merged.hasOtherRows = merged.hasOtherRows || added.hasOtherRows
            tables[table] = merged
        }
        links.formUnion(other.links)
    }
}
