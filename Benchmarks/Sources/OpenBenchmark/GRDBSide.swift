import GRDB

/// `DatabasePool(path:)`, then `fetchOne`.
struct GRDBSide: Side {
    let name = "GRDB, DatabasePool"

    private struct Issue: Codable, FetchableRecord, TableRecord {
        let id: Int
        let number: Int
        let title: String
        let body: String?
        let state: String
        let comments: Int
        let score: Double
        let locked: Bool
        /// Larder keeps seconds since 2001, which GRDB would not read as a date.
        let createdAt: Double
        let user: Int
    }

    func open(_ path: String, id: Int) throws -> Double {
        var pool: DatabasePool?
        var issue: Issue?
        let took = try seconds {
            let opened = try DatabasePool(path: path)
            pool = opened
            issue = try opened.read { try Issue.fetchOne($0, key: id) }
        }
        guard issue?.id == id else { throw WrongResult(side: name) }
        try pool?.close()
        return took
    }
}
