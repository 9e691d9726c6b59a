import Foundation
import LarderClient
import LarderObjectStore
import LarderPromises

/// Kills a process that downloads a file from a server, at random moments, and has the next one go on.
///
/// The server answers `file` with a strong tag, and with the rest of the content where that is asked for.
struct DownloadRun {
    private static let name = "film.bin"
    private static let (held, done) = ("held", "done")
    private let url: String
    private let content: Data
    private let workplace: Workplace
    private var generator: Generator

    init(at url: String, seed: UInt64) throws {
        self.url = url
        let promise: Promise<Data> = try Self.client(at: url).enqueue(.get("file"))
        content = try promise.wait()
        workplace = try Workplace()
        generator = Generator(state: seed)
    }

    /// Kills downloads, and begins another one where one has come to its end; says how many have.
    ///
    /// - Throws: `Wrong` where a file is there that is not whole, or what is there of one is no beginning of it.
    mutating func kill(_ count: Int) throws -> Int {
        var ended = 0
        for round in 1...count {
            // Each second one waits somewhere amid the file, for the rest has to be there to be asked for.
            let place = round % 2 == 0 ? generator.next(below: content.count) : nil
            let child = try begin(holdingBehind: place)
            if place == nil {
                for _ in 0..<generator.next(below: 300) where child.line() != nil {}
            } else {
                while let line = child.line(), line != Self.held {}
            }
            spin(microseconds: generator.next(below: 6_000))
            _ = child.kill()
            guard try isThere("kill \(round)") else { continue }
            ended += 1
            try FileManager.default.removeItem(at: workplace.url(Self.name))
        }
        // Left alone, it comes to its end.
        let child = try begin(holdingBehind: nil)
        var last: String?
        while let line = child.line() { last = line }
        child.end()
        guard last == Self.done, try isThere("the end") else {
            throw Wrong("the last download said \(last ?? "nothing")")
        }
        let beside = [".download", ".download.json"].map { Self.name + $0 }
        let left = try workplace.names().intersection(beside)
        guard left.isEmpty else { throw Wrong("left behind: \(left.sorted())") }
        return ended + 1
    }

    private func begin(holdingBehind place: Int?) throws -> Child {
        let path = workplace.url(Self.name).path()
        return try Child(["download", path, url, place.map(String.init) ?? "all"])
    }

    /// Whether the file is there, and so all of it.
    private func isThere(_ place: String) throws -> Bool {
        let files = try workplace.files()
        if let part = files[Self.name + ".download"], part != content.prefix(part.count) {
            throw Wrong("\(place): \(part.count) bytes that are no beginning of the file")
        }
        guard let whole = files[Self.name] else { return false }
        guard whole == content else { throw Wrong("\(place): \(whole.count) bytes, not the file") }
        return true
    }

    // MARK: The process that is killed

    /// Downloads the file, and says so with each part of it, and once that is done.
    ///
    /// - Parameter place: The number of bytes behind which it waits to be killed; nil where it goes on.
    static func download(_ path: String, _ url: String, holdingBehind place: Int?) throws {
        let client = try Self.client(at: url).reportingProgress { progress in
            say("\(progress.received)")
            guard let place, progress.received > Int64(place) else { return }
            say(held)
            while true { sleep(1_000) }
        }
        _ = try client.download(.get("file"), to: URL(filePath: path)).wait()
        say(done)
    }

    private static func client(at text: String) throws -> Client {
        guard let url = URL(string: text) else { throw Wrong("no URL: \(text)") }
        return Client(baseURL: url, store: try Store.inMemory(entities: User.self))
    }
}
