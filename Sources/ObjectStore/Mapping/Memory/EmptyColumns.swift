/// The columns that a document has said to be empty in rows, in little room: there may be one for each
/// of its objects.
///
/// A bit stands for a row, and neighbouring rows stand in one word.
struct EmptyColumns {
    /// By the indices of the entities that tables are named after, by columns, and by rows.
    private var words: [Int: [Int: [Int64: UInt64]]] = [:]

    /// Whether no document has said so of any row.
    var isEmpty: Bool { words.isEmpty }

    /// The columns in a row of a table.
    subscript(row: Int64, in table: Int) -> ColumnSet {
        get {
            var columns = ColumnSet()
            for (column, words) in words[table] ?? [:]
            where words[row >> 6].map({ $0 & Self.bit(of: row) != 0 }) == true {
                columns.insert(column)
            }
            return columns
        }
        set {
            let bit = Self.bit(of: row)
            for column in self[row, in: table].subtracting(newValue) {
                words[table]?[column]?[row >> 6]? &= ~bit
                if words[table]?[column]?[row >> 6] == 0 { words[table]?[column]?[row >> 6] = nil }
            }
            for column in newValue {
                words[table, default: [:]][column, default: [:]][row >> 6, default: 0] |= bit
            }
        }
    }

    mutating func removeAll() { words.removeAll() }

    private static func bit(of row: Int64) -> UInt64 { 1 << UInt64(row & 63) }
}
