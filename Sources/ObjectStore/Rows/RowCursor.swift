/// Reads rows of one entity ahead of a document whose objects mostly come by ascending rowid.
///
/// Most responses repeat what is stored already. One query that is kept open and moves along with
/// the document finds that out for a fraction of what writing each object costs. An object that
/// comes out of order begins a new pass; where that is mostly in vain, no more rows are read.
final class RowCursor {
    let statement: Statement
    /// Whether all columns are read, instead of those that are asked for.
    let isGeneral: Bool
    /// The rowid of the row that the statement is at, nil behind the last.
    private var current: Int64?
    /// The last rowid that was asked for in this pass, nil where there is none.
    private var last: Int64?
    /// Falls with each pass that was begun in vain, rises with each row that was found.
    private var credit = RowCursor.initialCredit

    /// The number of passes that may be begun in vain.
    private static let initialCredit = 16
    /// The number of rows that are passed over before a new pass is begun.
    private static let gap = 8

    /// Reads these columns, or all for nil, in order, of rows by their rowid, which is column 0; behind
    /// them comes what is empty where the row is no reference.
    init(_ columns: ColumnSet?, of plan: EntityPlan, on connection: Connection) throws(StoreError) {
        isGeneral = columns == nil
        let indices = columns?.columns ?? Array(0..<plan.columnCount)
        let names =
            [plan.rowid] + indices.map { plan.columnNames[$0].sqlName }
            + [EntityPlan.referenceColumn.sqlName]
        statement = try Statement(
            "SELECT \(names.joined(separator: ", ")) FROM \(plan.table)"
                + " WHERE \(plan.rowid) >= ? ORDER BY \(plan.rowid)",
            on: connection)
    }

    /// Moves to a row; false where there is none, or where it is not worth looking.
    ///
    /// What is read is only as new as the moment when the row was reached: who has written it
    /// since must not ask.
    func move(to row: Int64) throws(StoreError) -> Bool {
        guard let last, row > last else { return try begin(at: row) }
        var passed = 0
        while let current, current < row {
            if passed == Self.gap { return try begin(at: row) }
            passed += 1
            try step()
        }
        self.last = row
        return current == row
    }

    /// Ends the pass.
    func close() {
        if last != nil { statement.reset() }
        current = nil
        last = nil
        credit = Self.initialCredit
    }

    private func begin(at row: Int64) throws(StoreError) -> Bool {
        guard credit > 0 else { return false }
        statement.reset()
        statement.bind(row, at: 1)
        last = row
        try step()
        let isFound = current == row
        credit = isFound ? min(credit + 1, Self.initialCredit) : credit - 1
        return isFound
    }

    private func step() throws(StoreError) {
        current = try statement.step() ? statement.integer(at: 0) : nil
    }
}

/// Rows in the order they came, each once.
struct RowList {
    private var all: [Int64] = []
    private var largest = Int64.min
    /// The rows that are there, once the list is long or some have been removed.
    private var seen: Set<Int64>?
    /// Where the rows that have been removed count again.
    private var restarts: [Int64: Int] = [:]

    /// Up to how many rows looking through them is faster than hashing.
    private static let shortCount = 16

    /// An empty list.
    init(capacity: Int) { all.reserveCapacity(capacity) }

    /// The rows that are there.
    var rows: [Int64] {
        if restarts.isEmpty { return all }
        return all.indices.filter { $0 >= restarts[all[$0], default: 0] }.map { all[$0] }
    }

    /// Appends a row unless it is there.
    mutating func append(_ row: Int64) {
        if row > largest || all.isEmpty {
            largest = row
        } else if contains(row) {
            return
        }
        all.append(row)
        seen?.insert(row)
    }

    /// Removes a row if it is there; appended again, it is the last.
    mutating func remove(_ row: Int64) {
        if seen == nil { seen = Set(all) }
        if seen?.remove(row) != nil { restarts[row] = all.count }
    }

    /// Whether the row is there; long lists are hashed when this is first asked of them.
    private mutating func contains(_ row: Int64) -> Bool {
        if let seen { return seen.contains(row) }
        if all.count <= Self.shortCount { return all.contains(row) }
        let rows = Set(all)
        seen = rows
        return rows.contains(row)
    }

    /// The rows of one list that another does not have, in order.
    static func difference(_ rows: [Int64], _ others: [Int64]) -> [Int64] {
        if rows.isEmpty || others.isEmpty { return rows }
        if others.count <= shortCount {
            // Mostly there is none.
            if rows.allSatisfy({ others.contains($0) }) { return [] }
            return rows.filter { !others.contains($0) }
        }
        let others = Set(others)
        return rows.filter { !others.contains($0) }
    }
}
