import Foundation
import LarderClient
import LarderObjectStore
import LarderPromises

/// Many responses that are read as they come at once, one of whose readers stops meanwhile.
struct StreamRun {
    private let workplace: Workplace
    private let client: Client

    /// - Parameter authority: The file of who vouches for the server.
    init(at text: String, authority: String) throws {
        guard let url = URL(string: text) else { throw Wrong("no URL: \(text)") }
        workplace = try Workplace()
        client = Client(
            baseURL: url, store: try Store(at: workplace.path, entities: User.self),
            configuration: Client.Configuration(
                transport: ExchangeRun.transport(
                    trusting: try Data(contentsOf: URL(filePath: authority))),
                timeout: .seconds(600)))
    }

    /// Reads a file that many times at once, and says in a line how many kilobytes of memory that took.
    ///
    /// - Throws: `Wrong` where one of them has not all of it.
    func run(_ path: String, count: Int, size: Int) throws {
        let growth = try Promise { try await self.read("\(path)", count: count, size: size) }.wait()
        print(growth.map(String.init) ?? "unknown")
    }

    private func read(_ path: URLPath, count: Int, size: Int) async throws -> Int? {
        guard try await read(path) == size else { throw Wrong("it is another file") }
        let memory = MemoryPeak()
        var stopped = client.stream(.get(path)).makeAsyncIterator()
        var received = try await stopped.next()?.count ?? 0
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 1..<count { group.addTask { try await read(path) } }
            for try await other in group where other != size { throw Wrong("\(other) bytes") }
        }
        guard received < size else { throw Wrong("the reader has not stopped") }
        while let part = try await stopped.next() { received += part.count }
        guard received == size else { throw Wrong("\(received) bytes behind a stop") }
        return memory.growth
    }

    private func read(_ path: URLPath) async throws -> Int {
        var count = 0
        for try await part in client.stream(.get(path)) { count += part.count }
        return count
    }
}
