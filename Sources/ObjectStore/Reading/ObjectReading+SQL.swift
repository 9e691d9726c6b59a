import CLarderSQLite
import Foundation

extension ObjectReading {
    /// The rows that a question in SQL finds.
    ///
    /// One statement that begins with `SELECT`, `WITH`, `VALUES` or `EXPLAIN`, which can't write
    /// anything, also in a transaction.
    /// Tables are named as entities, columns as properties; dates are seconds since the beginning of
    /// 2001 (UTC), booleans 0 and 1, decimal numbers, URLs and UUIDs text.
    ///
    /// - Throws: `StoreError` where the SQL has a mistake, would write, or is more than one
    ///   statement.
    public func rows(_ query: SQLQuery) throws -> [SQLRow] {
        try reader { try $0.rows(query) }
    }
}

extension EntityPlan {
    /// The table or subquery of the entity's objects, as it stands behind `FROM`.
    fileprivate var objects: String {
        scope(table).map { "(SELECT * FROM \(table) WHERE \($0))" } ?? table
    }
}

extension Reader {
    func rows(_ query: SQLQuery) throws -> [SQLRow] {
        var sql = ""
        var values: [SQLValue] = []
        for (index, part) in query.parts.enumerated() {
            switch part {
            case .text(let text): sql += text
            case .entity(let name): sql += try store.plan.entity(name).objects
            case .value(let value, let isList):
                if isList, Self.isInList(sql, before: query.parts[(index + 1)...].first) {
                    throw StoreError(
                        .sqlite,
                        "an array is one value, by which IN finds nothing: write IN (SELECT value"
                            + " FROM json_each(…)) with the array in it, or = for all of it",
                        sql: sql + "…")
                }
                values.append(value)
                sql += "?\(values.count)"
            }
        }
        try connection.checkIsOne(sql, valueCount: values.count, isNumbered: true)
        let statement = try Statement(sql, on: connection)
        guard sqlite3_stmt_readonly(statement.pointer) != 0, Self.reads(sql) else {
            throw StoreError(.sqlite, "the statement does more than read", sql: sql)
        }
        try statement.bind(values)
        let count = sqlite3_column_count(statement.pointer)
        let columns = (0..<count).map { index in
            sqlite3_column_name(statement.pointer, index).map { String(cString: $0) } ?? ""
        }
        var rows: [SQLRow] = []
        while try statement.step() {
            rows.append(
                SQLRow(columns: columns, values: (0..<count).map { statement.value(at: $0) }))
        }
        return rows
    }

    /// Whether a value behind SQL is all that there is in `IN`.
    private static func isInList(_ sql: String, before rest: SQLQuery.Part?) -> Bool {
        let word = sql.split { $0.isWhitespace || $0 == "(" }.last
        guard word?.lowercased() == "in" else { return false }
        guard case .text(let text)? = rest else { return true }
        return text.first { !$0.isWhitespace } != ","
    }

    /// Whether the first word, behind space and comments, is one of a statement that gives rows;
    /// others, such as `BEGIN` and `PRAGMA`, count as reading in SQLite too.
    private static func reads(_ sql: String) -> Bool {
        var rest = sql[...]
        while true {
            rest = rest.drop { $0.isWhitespace || $0 == ";" || $0 == "\u{FEFF}" }
            if rest.hasPrefix("--") {
                rest = rest.drop { !$0.isNewline }
            } else if rest.hasPrefix("/*"), let end = rest.range(of: "*/") {
                rest = rest[end.upperBound...]
            } else {
                break
            }
        }
        let word = rest.prefix { $0.isLetter }.lowercased()
        return ["select", "with", "values", "explain"].contains(word)
    }
}
