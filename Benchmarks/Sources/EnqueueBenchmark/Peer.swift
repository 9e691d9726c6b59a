import Dispatch
import Foundation
import GRDB
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// As most would write it: `URLSession`, `JSONDecoder`, and an upsert into a database of GRDB's.
final class Peer: Sendable {
    private struct Item: Codable, FetchableRecord, PersistableRecord {
        let id: Int
        let title: String
        let body: String
        let state: String
        let score: Double
        let isOpen: Bool
        let createdAt: Date
        let comments: Int
    }

    private let database: DatabasePool
    private let session: URLSession
    private let base: String
    private let parallel: Int

    init(_ path: String, _ base: String, parallel: Int) throws {
        database = try DatabasePool(path: path)
        self.base = base
        self.parallel = parallel
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = parallel
        session = URLSession(configuration: configuration)
        try database.write { database in
            try database.create(table: "item") { table in
                table.primaryKey("id", .integer)
                for column in ["title", "body", "state"] { table.column(column, .text).notNull() }
                table.column("score", .double).notNull()
                table.column("isOpen", .boolean).notNull()
                table.column("createdAt", .datetime).notNull()
                table.column("comments", .integer).notNull()
            }
        }
    }

    /// Waits for all items, so many at once as there are connections, and says whether each was stored.
    func perform(count: Int) -> Bool {
        let done = DispatchSemaphore(value: 0)
        let (started, failed) = (Counter(), Counter())
        Task {
            await withTaskGroup { group in
                for _ in 0..<parallel {
                    group.addTask {
                        while let number = started.next(below: count) {
                            do { try await self.fetch(number) } catch { failed.add() }
                        }
                    }
                }
            }
            done.signal()
        }
        done.wait()
        return failed.value == 0
    }

    private func fetch(_ number: Int) async throws {
        guard let url = URL(string: "\(base)items/\(number)") else { throw URLError(.badURL) }
        let (data, response) = try await session.data(from: url)
        guard (response as? HTTPURLResponse)?.statusCode == 200 else {
            throw URLError(.badServerResponse)
        }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let item = try decoder.decode(Item.self, from: data)
        try await database.write { try item.upsert($0) }
    }
}

private final class Counter: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }

    func add() {
        count.add(1, ordering: .relaxed)
    }

    func next(below limit: Int) -> Int? {
        let number = count.add(1, ordering: .relaxed).newValue - 1
        return number < limit ? number : nil
    }
}
