import Foundation
import LarderClient
import LarderObjectStore
import LarderPromises

/// Kills a process that pulls lines from a server, at random moments, and has the next one go on.
///
/// The server answers `lines` with a page of them behind a number, `{"next": "50", "lines": [{"number": 25}, …]}`, from
/// 0 up to all. A line has no identity: one that is stored twice is there twice.
struct PullRun {
    private let url: String
    private let total: Int
    private let workplace: Workplace
    private var generator: Generator

    init(at url: String, total: Int, seed: UInt64) throws {
        (self.url, self.total) = (url, total)
        workplace = try Workplace()
        generator = Generator(state: seed)
    }

    /// Kills pulls, and begins another one on a new store where one has come to its end; says how many lines were
    /// stored in all.
    ///
    /// - Throws: `Wrong` where a line is missing or there twice, or the file is damaged.
    mutating func kill(_ count: Int) throws -> Int {
        var stored = 0
        for round in 1...count {
            let child = try Child(["pull", workplace.path, url])
            for _ in 0..<generator.next(below: 8) where child.line() != nil {}
            spin(microseconds: generator.next(below: 6_000))
            _ = child.kill()
            if try lineCount("kill \(round)") == total {
                stored += total
                try workplace.put([:])
            }
        }
        // Left alone, it comes to its end.
        let child = try Child(["pull", workplace.path, url])
        var last: String?
        while let line = child.line() { last = line }
        child.end()
        guard last == Self.done, try lineCount("the end") == total else {
            throw Wrong("the last pull said \(last ?? "nothing")")
        }
        return stored + total
    }

    /// The number of lines that are there, in order and each once.
    private func lineCount(_ place: String) throws -> Int {
        guard FileManager.default.fileExists(atPath: workplace.path) else { return 0 }
        let database = Database(path: workplace.path)
        if let damage = try database.damage() { throw Wrong("\(place): \(damage)") }
        let tables = try database.rows("SELECT name FROM sqlite_schema WHERE name = 'Line'")
        guard !tables.isEmpty else { return 0 }
        let numbers = try database.rows("SELECT number FROM Line ORDER BY number")
        guard numbers == (0..<numbers.count).map(String.init) else {
            throw Wrong("\(place): missing or twice: \(numbers)")
        }
        return numbers.count
    }

    // MARK: The process that is killed

    private static let done = "done"

    /// Pulls all lines, and says so with each page, and once that is done.
    static func pull(_ path: String, _ text: String) throws {
        guard let url = URL(string: text) else { throw Wrong("no URL: \(text)") }
        var configuration = Store.Configuration.impatient
        configuration.busyTimeout = .seconds(600)
        let store = try Store(at: path, entities: Line.self, configuration: configuration)
        let client = Client(baseURL: url, store: store)
        let pull = client.pull(
            AdHocEndpoint.get("lines"), as: LinePage.self,
            by: .cursor(query: "after") { $0.next }, from: .named("lines")
        ) { progress in
            say("\(progress.pageCount)")
        }
        _ = try pull.wait()
        try store.close()
        say(done)
    }
}

@Entity struct Line {
    var number: Int
}

private struct LinePage: Wrapper {
    var next: String?
    @Stored var lines: Many<Line>
}
