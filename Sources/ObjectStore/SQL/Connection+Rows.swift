import CLarderSQLite

extension Connection {
    /// All rows that a statement finds, its parameters bound to values.
    func allRows(_ sql: String, _ values: [SQLValue] = []) throws(StoreError) -> [[SQLValue]] {
        let statement = try Statement(sql, on: self)
        try statement.bind(values)
        let count = sqlite3_column_count(statement.pointer)
        var rows: [[SQLValue]] = []
        while try statement.step() {
            rows.append((0..<count).map { statement.value(at: $0) })
        }
        return rows
    }

    /// Runs a statement with its parameters bound to values.
    func run(_ sql: String, _ values: [SQLValue]) throws(StoreError) {
        let statement = try Statement(sql, on: self)
        try statement.bind(values)
        while try statement.step() {}
    }

    /// The whole number that a statement finds, 0 where it finds none.
    func number(_ sql: String) throws(StoreError) -> Int {
        guard case .integer(let number)? = try allRows(sql).first?.first else { return 0 }
        return Int(number)
    }
}
