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
        for part in query.parts {
            switch part {
            case .text(let text): sql += text
            case .entity(let name): sql += try store.plan.entity(name).objects
            case .value(let value):
                values.append(value)
                sql += "?\(values.count)"
            }
        }
        try checkReading(sql, parameterCount: values.count)
        let statement = try Statement(sql, on: connection)
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

    /// Throws unless the SQL is one statement that only reads.
    private func checkReading(_ sql: String, parameterCount: Int) throws {
        // A statement's text ends at its first NUL.
        guard !sql.utf8.contains(0) else { throw refusal("the SQL has a NUL in it", sql) }
        try sql.withCString { text in
            var statement: OpaquePointer?
            var tail: UnsafePointer<CChar>?
            let result = sqlite3_prepare_v2(connection.pointer, text, -1, &statement, &tail)
            defer { sqlite3_finalize(statement) }
            guard result == SQLITE_OK else { throw connection.error(result, sql: sql) }
            guard let statement else { throw refusal("the SQL is empty", sql) }
            guard sqlite3_stmt_readonly(statement) != 0, Self.reads(sql) else {
                throw refusal("the statement does more than read", sql)
            }
            var rest: OpaquePointer?
            let restResult = sqlite3_prepare_v2(connection.pointer, tail, -1, &rest, nil)
            defer { sqlite3_finalize(rest) }
            guard restResult == SQLITE_OK, rest == nil else {
                throw refusal("the SQL is more than one statement", sql)
            }
            guard sqlite3_bind_parameter_count(statement) == parameterCount else {
                throw refusal("the statement has parameters besides the interpolated values", sql)
            }
        }
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

    private func refusal(_ message: String, _ sql: String) -> StoreError {
        StoreError(.sqlite, message, sql: sql)
    }
}
