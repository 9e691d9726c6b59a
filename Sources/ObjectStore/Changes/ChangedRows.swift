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
