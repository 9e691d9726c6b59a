import CLarderSQLite
import Foundation

/// A database file as SQLite alone sees it, without any of Larder's code.
struct Database {
    struct Failure: Error, CustomStringConvertible {
        let code: Int32
        let description: String
    }

    let path: String

    /// All that the file holds, as text: two that hold the same are equal.
    ///
    /// Of a damaged file it says so, and which bytes it has; of none, or an empty one, it is empty.
    func contents() throws -> String {
        guard FileManager.default.fileExists(atPath: path) else { return "" }
        return try connected { connection in
            if let damage = try damage(in: connection) {
                return "DAMAGED \(try Data(contentsOf: URL(filePath: path)).hashValue): \(damage)"
            }
            let tables = try rows(
                "SELECT name FROM sqlite_schema WHERE type = 'table'"
                    + " AND name NOT LIKE '$side.responses%' ORDER BY name", connection)
            return try tables.map { table in
                let columns = Self.lastingColumns[table] ?? "*"
                let content = try rows(
                    "SELECT \(columns) FROM \(Self.quoted(table))", connection)
                return (["# " + table] + content.sorted())
                    .joined(separator: "\n")
            }.joined(separator: "\n")
        }
    }

    /// What is wrong with the file, nil where nothing is.
    func damage() throws -> String? { try connected(damage(in:)) }

    /// The rows that a statement finds, their columns joined by bars.
    func rows(_ sql: String) throws -> [String] { try connected { try rows(sql, $0) } }

    /// The columns that are the same for who does the same: without times, salts, and digests with these; none of what
    /// a cache has, which is kept where it can be.
    private static let lastingColumns = [
        "$side.kept": "endpoint, tags, invalid, count, sum, path, hex(head), hex(skeleton)",
        "$side.kept.settings": "name",
    ]

    private static let indexes =
        "SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE % USING fts5%'"

    private static func quoted(_ name: String) -> String {
        "\"" + name.replacing("\"", with: "\"\"") + "\""
    }

    private func connected<Result>(_ body: (OpaquePointer) throws -> Result) throws -> Result {
        var connection: OpaquePointer?
        defer { sqlite3_close(connection) }
        let result = sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE, nil)
        guard result == SQLITE_OK, let connection else {
            throw Failure(code: result, description: "\(path) can't be opened: \(result)")
        }
        return try body(connection)
    }

    private func damage(in connection: OpaquePointer) throws -> String? {
        do {
            let problems =
                try rows("PRAGMA integrity_check", connection)
                + rows("PRAGMA foreign_key_check", connection)
            // A full-text index against what it was made of.
            for index in try rows(Self.indexes, connection) {
                let name = Self.quoted(index)
                let sql = "INSERT INTO \(name) (\(name), rank) VALUES ('integrity-check', 1)"
                _ = try rows(sql, connection)
            }
            return problems == ["ok"] ? nil : problems.joined(separator: "; ")
        } catch let failure as Failure where failure.code & 0xFF == SQLITE_CORRUPT {
            return failure.description
        }
    }

    private func rows(_ sql: String, _ connection: OpaquePointer) throws -> [String] {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else {
            throw failure(of: connection)
        }
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
                throw failure(of: connection)
            }
        }
    }

    private func failure(of connection: OpaquePointer) -> Failure {
        Failure(
            code: sqlite3_errcode(connection),
            description: String(cString: sqlite3_errmsg(connection))
                + " (\(sqlite3_extended_errcode(connection)))")
    }
}
