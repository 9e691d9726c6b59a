import Foundation
import GRDB

/// As most would write it: `JSONDecoder` into structs, then an upsert a record.
struct GRDBSide: Side {
    let name = "JSONDecoder + GRDB"

    private struct Issue: Codable {
        let id: Int
        let number: Int
        let title: String
        let body: String?
        let state: String
        let comments: Int
        let score: Double
        let locked: Bool
        let createdAt: Date
        let user: User
        let labels: [Label]

        var record: IssueRecord {
            IssueRecord(
                id: id, number: number, title: title, body: body, state: state,
                comments: comments, score: score, locked: locked, createdAt: createdAt,
                userID: user.id)
        }
    }

    private struct IssueRecord: Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "issue"
        let id: Int
        let number: Int
        let title: String
        let body: String?
        let state: String
        let comments: Int
        let score: Double
        let locked: Bool
        let createdAt: Date
        let userID: Int
    }

    private struct User: Codable, FetchableRecord, PersistableRecord {
        let id: Int
        let login: String
        let avatarUrl: String
        let type: String
        let siteAdmin: Bool
    }

    private struct Label: Codable, FetchableRecord, PersistableRecord {
        let id: Int
        let name: String
        let color: String
        let `default`: Bool
    }

    private struct IssueLabel: Codable, PersistableRecord {
        let issueID: Int
        let labelID: Int
    }

    func run(file: URL, folder: URL) throws -> Times {
        let pool = try DatabasePool(path: folder.appending(path: "grdb.sqlite").path())
        try pool.write(createTables)
        var times = Times(first: 0, again: 0)
        let bytes = try Data(contentsOf: file)
        times.first = try seconds { try importOnce(bytes, into: pool) }
        times.again = try seconds { try importOnce(bytes, into: pool) }
        times.fetch = try seconds {
            guard try pool.read({ try IssueRecord.fetchAll($0) }).count == 50_000 else {
                throw WrongCount()
            }
        }
        return times
    }

    struct WrongCount: Error {}

    private func importOnce(_ bytes: Data, into pool: DatabasePool) throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        let issues = try decoder.decode([Issue].self, from: bytes)
        try pool.write { database in
            for issue in issues {
                try issue.user.upsert(database)
                try issue.record.upsert(database)
                for label in issue.labels {
                    try label.upsert(database)
                    try IssueLabel(issueID: issue.id, labelID: label.id).insert(
                        database, onConflict: .ignore)
                }
            }
        }
    }

    private func createTables(in database: Database) throws {
        try database.create(table: "user") { table in
            table.primaryKey("id", .integer)
            table.column("login", .text)
            table.column("avatarUrl", .text)
            table.column("type", .text)
            table.column("siteAdmin", .boolean)
        }
        try database.create(table: "label") { table in
            table.primaryKey("id", .integer)
            table.column("name", .text)
            table.column("color", .text)
            table.column("default", .boolean)
        }
        try database.create(table: "issue") { table in
            table.primaryKey("id", .integer)
            for name in ["number", "comments", "userID"] { table.column(name, .integer) }
            for name in ["title", "body", "state"] { table.column(name, .text) }
            table.column("score", .double)
            table.column("locked", .boolean)
            table.column("createdAt", .datetime)
        }
        try database.create(table: "issueLabel") { table in
            table.column("issueID", .integer)
            table.column("labelID", .integer)
            table.primaryKey(["issueID", "labelID"])
        }
    }
}
