/// Rows in the order they came, each once.
struct RowList {
    private(set) var rows: [Int64] = []
    private var largest = Int64.min
    private var seen: Set<Int64> = []

    /// Up to how many rows looking through them is faster than hashing.
    private static let shortCount = 16

    /// An empty list.
    init(capacity: Int) { rows.reserveCapacity(capacity) }

    /// Appends a row unless it is there.
    mutating func append(_ row: Int64) {
        if row > largest || rows.isEmpty {
            largest = row
        } else if contains(row) {
            return
        }
        rows.append(row)
        if !seen.isEmpty { seen.insert(row) }
    }

    /// Whether the row is there; long lists are hashed when this is first asked of them.
    private mutating func contains(_ row: Int64) -> Bool {
        if rows.count <= Self.shortCount { return rows.contains(row) }
        if seen.isEmpty { seen = Set(rows) }
        return seen.contains(row)
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
