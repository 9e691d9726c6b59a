import Dispatch
import Foundation
import GRDB

/// `ValueObservation` of a request in a pool.
final class GRDBSide: Side {
    static let name = "GRDB"

    private struct Issue: Codable, FetchableRecord, PersistableRecord {
        let id: Int
        let number: Int
        var title: String
        let body: String?
        let state: String
        let comments: Int
        let score: Double
        let locked: Bool
        /// As Larder keeps it; GRDB would write text, which takes longer to read.
        let createdAt: Double

        init(_ id: Int, title: String) {
            self.id = id
            number = id
            self.title = title
            body = Sample.body
            state = "open"
            comments = 3
            score = 1.5
            locked = false
            createdAt = Sample.date(id).timeIntervalSinceReferenceDate
        }
    }

    private let pool: DatabasePool
    private let count: Int
    private var delivery = Delivery<[Issue]>()
    private let queue = DispatchQueue(label: "benchmark.observer")
    private var observation: AnyDatabaseCancellable?

    init(folder: URL, count: Int) throws {
        self.count = count
        pool = try DatabasePool(path: folder.appending(path: "grdb.sqlite").path())
        try pool.write { database in
            try database.create(table: "issue") { table in
                table.primaryKey("id", .integer)
                for name in ["number", "comments"] { table.column(name, .integer) }
                for name in ["title", "body", "state"] { table.column(name, .text) }
                for name in ["score", "createdAt"] { table.column(name, .double) }
                table.column("locked", .boolean)
            }
            for id in 0..<count { try Issue(id, title: "Issue \(id)").insert(database) }
        }
    }

    func observe(newestFirst: Bool) throws -> Double {
        let observation = ValueObservation.tracking { database in
            newestFirst
                ? try Issue.order(Column("createdAt").desc).fetchAll(database)
                : try Issue.fetchAll(database)
        }
        delivery = Delivery()
        return try delivery.seconds {
            self.observation = observation.start(
                in: pool, scheduling: .async(onQueue: queue),
                onError: { print("GRDB failed: \($0)") },
                onChange: { [delivery] in delivery.arrived($0) })
        } until: {
            $0.count >= count
        }
    }

    func cancel() { observation = nil }

    func update(_ id: Int, title: String) throws -> Double {
        try delivery.seconds {
            try pool.write { try Issue(id, title: title).update($0, columns: ["title"]) }
        } until: {
            $0.contains { $0.id == id && $0.title == title }
        }
    }

    func insert(_ id: Int) throws -> Double {
        try delivery.seconds {
            try pool.write { try Issue(id, title: "Issue \(id)").insert($0) }
        } until: {
            $0.contains { $0.id == id }
        }
    }
}
