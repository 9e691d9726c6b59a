import CLarderSQLite
import Foundation

/// A database file as SQLite alone sees it, without any of Larder's code.
struct Database {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let path: String

    /// All that the file holds, as text: two that hold the same are equal.
    func contents() throws -> String {
        try rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").map { table in
            let name = "\"" + table.replacing("\"", with: "\"\"") + "\""
            return try (["# " + table] + rows("SELECT * FROM \(name)").sorted())
                .joined(separator: "\n")
        }.joined(separator: "\n")
    }

    /// What is wrong with the file, nil where nothing is.
    func damage() throws -> String? {
        let problems = try rows("PRAGMA integrity_check") + rows("PRAGMA foreign_key_check")
        return problems == ["ok"] ? nil : problems.joined(separator: "; ")
    }

    /// The rows that a statement finds, their columns joined by bars.
    func rows(_ sql: String) throws -> [String] {
        var connection: OpaquePointer?
        defer { sqlite3_close_v2(connection) }
        var statement: OpaquePointer?
        guard sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK,
            sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK
        else { throw Failure(description: String(cString: sqlite3_errmsg(connection))) }
        defer { sqlite3_finalize(statement) }
        var rows: [String] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                let columns = (0..<sqlite3_column_count(statement)).map { column in
                    sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL"
                }
                rows.append(columns.joined(separator: "|"))
            case SQLITE_DONE:
                return rows
            default:
                throw Failure(description: String(cString: sqlite3_errmsg(connection)))
            }
        }
    }
}
