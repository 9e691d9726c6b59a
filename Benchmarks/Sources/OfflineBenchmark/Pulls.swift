import Foundation
import Issues
import Larder
import Nginx
import Synchronization

/// Pulls of 100,000 issues in 1,000 pages, beside the import of the same pages, each in a store of its own: into an
/// empty one, then the same again.
///
/// The pages come from a transport in the process that has them. Bytes are counted up to
/// where the store is closed.
struct Pulls {
    private static let pageCount = 1_000
    private static let pageSize = 100

    private let folder: URL
    private let rounds: Int
    private let pages: [Data]
    private let responses: [TransportResponse]

    init(of file: IssueFile, in folder: URL, rounds: Int) throws {
        (self.folder, self.rounds) = (folder, rounds)
        pages = try file.pages(Self.pageCount, of: Self.pageSize)
        guard let link = HTTPField.Name("Link"), let token = HTTPField.Name("Sync-Token") else {
            throw WrongResult(what: "the names of fields")
        }
        responses = pages.enumerated().map { index, page in
            var fields: HTTPFields = [.contentType: "application/json", token: "t1"]
            if index + 1 < Self.pageCount {
                fields[link] = "</issues?page=\(index + 1)>; rel=\"next\""
            }
            return TransportResponse(
                head: HTTPResponse(status: .ok, headerFields: fields), body: page)
        }
    }

    func run() throws {
        let token: PullCheckpoint<Many<Issue>> = .named("issues").token(query: "since") { page in
            HTTPField.Name("Sync-Token").flatMap { page.headerFields[$0] }
        }
        let ways: [(name: String, checkpoint: PullCheckpoint<Many<Issue>>?)] = [
            ("pull", nil), ("resumable pull", .named("issues")),
            ("resumable pull with a token", token),
        ]
        var first = ways.map { _ in Comparison(of: "pull", beside: "import") }
        var again = first
        var bytes = ways.map { _ in [Double]() }
        for round in 0...rounds {
            for (index, (_, checkpoint)) in ways.enumerated() {
                let other = try outcome { try importPages(into: $0) }
                let own = try outcome { try pullPages(into: $0, from: checkpoint) }
                // The first round warms up.
                guard round > 0 else { continue }
                let count = Self.pageCount * Self.pageSize
                first[index].add(swift: own.first, c: other.first, total: count)
                again[index].add(swift: own.again, c: other.again, total: count)
                bytes[index].append(Double(own.bytes) / Double(other.bytes))
            }
        }
        for (index, (name, _)) in ways.enumerated() {
            print("\(name), issues: \(first[index])")
            print("\(name), the same again: \(again[index])")
            print(
                "\(name), bytes written for the first: ratio \(median(bytes[index]), decimals: 3)",
                "(\(bytes[index].min() ?? 0, decimals: 3)-\(bytes[index].max() ?? 0, decimals: 3))")
        }
    }

    private struct Outcome {
        let first: Sample
        let again: Sample
        /// The bytes written for the first.
        let bytes: Int
    }

    /// Measures what fills a store, and then does so once more.
    private func outcome(_ fill: (Store) throws -> Void) throws -> Outcome {
        let path = folder.appending(path: "\(UUID().uuidString).sqlite").path()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let start = WrittenBytes.now
        let first = try sample(path, fill)
        let bytes = WrittenBytes.now - start
        return Outcome(first: first, again: try sample(path, fill), bytes: bytes)
    }

    private func sample(_ path: String, _ fill: (Store) throws -> Void) throws -> Sample {
        let store = try Store(at: path, entities: Issue.self, User.self, Label.self)
        var failure: (any Error)?
        let sample = Sample.of {
            do { try fill(store) } catch { failure = error }
            return failure == nil
        }
        if let failure { throw failure }
        guard let sample, try store.count(Issue.all) == Self.pageCount * Self.pageSize else {
            throw WrongResult(what: "the number of issues")
        }
        try store.close()
        return sample
    }

    private func importPages(into store: Store) throws {
        for page in pages {
            let issues = try store.import(Many<Issue>.self, from: page)
            guard try issues.count == Self.pageSize else { throw WrongResult(what: "a page") }
        }
    }

    private func pullPages(
        into store: Store, from checkpoint: PullCheckpoint<Many<Issue>>?
    ) throws {
        let count = Counter()
        let transport = DirectTransport { [responses] request in
            count.add()
            let number = request.head.path?.split(separator: "=").last.flatMap { Int($0) }
            return responses[number ?? 0]
        }
        let client = Client(
            baseURL: "http://example.com/", store: store,
            configuration: Client.Configuration(transport: transport))
        let done = DispatchSemaphore(value: 0)
        let outcome = client.pull(
            .get("issues"), as: Many<Issue>.self, by: .link(isStable: true), from: checkpoint)
        outcome.finally { done.signal() }
        done.wait()
        guard outcome.isFulfilled, count.value == Self.pageCount else {
            throw WrongResult(what: "a pull")
        }
    }
}

/// A number of requests.
private final class Counter: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }

    func add() { count.add(1, ordering: .relaxed) }
}
