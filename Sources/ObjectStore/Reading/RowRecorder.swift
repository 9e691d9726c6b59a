import CLarderSQLite

/// Takes note of the rows that objects are read from.
final class RowRecorder {
    private(set) var rows: [Int64] = []
    private(set) var fingerprints: [Fingerprint] = []
    private let columnCount: Int32

    /// - Parameter columnCount: How many columns a row has, its rowid included.
    init(columnCount: Int) {
        self.columnCount = Int32(columnCount)
    }

    func reserveCapacity(_ count: Int) {
        rows.reserveCapacity(count)
        fingerprints.reserveCapacity(count)
    }

    /// Notes the row that a statement stands at.
    func note(_ statement: OpaquePointer) {
        rows.append(sqlite3_column_int64(statement, 0))
        fingerprints.append(Fingerprint(statement, from: 1, count: columnCount))
    }
}
