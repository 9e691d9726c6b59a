import Foundation
import GRDB

/// Codable records, read from the very same file.
struct GRDBSide: Side {
    let name = "GRDB, Codable"
    let count: Int
    private let pool: DatabasePool

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

    init(path: String, count: Int) throws {
        self.count = count
        pool = try DatabasePool(path: path)
    }

    func fetchAll() throws -> Double {
        var issues: [Issue] = []
        let took = try seconds {
            issues = try pool.read { try Issue.order(Column("id")).fetchAll($0) }
        }
        guard issues.count == count else { throw WrongResult(side: name) }
        return took
    }

    func find(_ count: Int) throws -> Double {
        var found = 0
        let took = try seconds {
            for index in 0..<count {
                let id = IDs.first + index % IDs.count
                let issue = try pool.read { try Issue.fetchOne($0, key: id) }
                if issue != nil { found += 1 }
            }
        }
        guard found == count else { throw WrongResult(side: name) }
        return took
    }
}
