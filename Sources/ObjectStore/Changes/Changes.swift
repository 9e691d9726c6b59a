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
    /// The tables of links, and of when objects were fetched, that have changed, by their numbers in
    /// `TableNames`.
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

/// Rows of one table that have changed: which they are, or that it may be any of them.
struct ChangedRows: Sendable {
    /// Of how many rows it is still worth to know which they are.
    static let limit = 8_192

    /// The rows, nil where they were too many to count.
    private(set) var rows: Set<Int64>? = []

    /// No rows.
    init() {}

    /// All rows of the table.
    static var all: ChangedRows {
        var all = ChangedRows()
        all.rows = nil
        return all
    }

    mutating func insert(_ row: Int64) {
        guard let count = rows?.count else { return }
        if count < Self.limit { rows?.insert(row) } else { rows = nil }
    }

    mutating func formUnion(_ other: ChangedRows) {
        guard let added = other.rows else {
            rows = nil
            return
        }
        for row in added { insert(row) }
    }
}
