import Foundation
import GRDB

/// `fetchAll` and `updateAll` on a `DatabasePool`.
struct GRDBSide: Side {
    static let name = "GRDB"

    private struct Issue: Codable, FetchableRecord, PersistableRecord {
        let id: Int
        let title: String
        let body: String?
        let comments: Int
        let score: Double
        let createdAt: Date
    }

    private let pool: DatabasePool

    init(folder: URL, count: Int) throws {
        var configuration = GRDB.Configuration()
        configuration.maximumReaderCount = 4
        pool = try DatabasePool(
            path: folder.appending(path: "grdb.sqlite").path(), configuration: configuration)
        try pool.write { database in
            try database.create(table: "issue") { table in
                table.primaryKey("id", .integer)
                for name in ["title", "body"] { table.column(name, .text) }
                table.column("comments", .integer)
                table.column("score", .double)
                table.column("createdAt", .double)
            }
            for id in 0..<count {
                try Issue(
                    id: id, title: "Issue \(id)", body: Sample.body, comments: 3, score: 1.5,
                    createdAt: Date(timeIntervalSinceReferenceDate: Double(id))
                ).insert(database)
            }
        }
    }

    func read(from id: Int) throws -> Int {
        try pool.read { database in
            try Issue.filter(Column("id") >= id).order(Column("id")).limit(50)
                .fetchAll(database).count
        }
    }

    func write(from id: Int) throws {
        try pool.write { database -> Void in
            try Issue.filter(Column("id") >= id && Column("id") < id + 200)
                .updateAll(database, Column("comments") += 1)
        }
    }
}
