import CEnqueueBaseline
import CRequestBaseline
import Foundation
import Larder
import Nginx

/// Endpoints a second that are enqueued, stored and handed over, and requests a second of C over libcurl that
/// fetches the same, in turn, and their ratio; then beside C that stores what it fetches, on a thread of its own, and
/// beside URLSession, JSONDecoder and GRDB.
///
/// `EnqueueBenchmark [COUNT]` serves so many items, 1,000 unless given. Each is stored at first; then it is there
/// already, and nothing changes. `EnqueueBenchmark COUNT TOTAL [PARALLEL]` enqueues so many in all, 64 at once
/// unless given, and says ten times how many those are a second, how much processor time each takes, and what the
/// process holds: memory, threads and descriptors, which have to stay as they are. `Scripts/enqueue-beside` runs that in
/// turn with another program, such as one that was built of an earlier commit.
@main
enum EnqueueBenchmark {
    static func main() throws {
        let count = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 1_000
        let files = Dictionary(
            uniqueKeysWithValues: (0..<count).map { ("items/\($0)", Item.json($0)) })
        guard let nginx = try NginxServer(files: files) else {
            print("nginx is not installed; nothing was measured (apt-get install nginx-light)")
            return
        }
        defer { nginx.stop() }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let base = "http://127.0.0.1:\(nginx.port)/"
        if let total = CommandLine.arguments.dropFirst(2).first.flatMap(Int.init) {
            let parallel = CommandLine.arguments.dropFirst(3).first.flatMap(Int.init) ?? 64
            return try soak(base, count, total, parallel)
        }
        for (parallel, total) in [(1, 2 * count), (64, 10 * count)] {
            try measure("stored already", base, count, parallel, total, isNew: false)
        }
        for parallel in [1, 64] {
            try measure("new", base, count, parallel, count, isNew: true)
        }
        for (parallel, total) in [(1, 2 * count), (64, 10 * count)] {
            try measureStoring(base, count, parallel, total)
        }
        for parallel in [1, 64] { try measurePeer(base, count, parallel) }
    }

    private static func soak(
        _ base: String, _ count: Int, _ total: Int, _ parallel: Int
    ) throws {
        let client = try makeClient(base)
        for part in 1...10 {
            let sample = Sample.of {
                EnqueueRun(client, count: count, total: total / 10)
                    .perform(parallel: parallel)
            }
            guard let sample else {
                print("a request failed")
                return
            }
            let rate = Int(Double(total / 10) / sample.seconds)
            let time = Int(sample.processorSeconds * 1e9 / Double(total / 10))
            print("\(part * (total / 10)) requests, \(rate)/s, \(time) ns each: \(Holdings())")
        }
    }

    /// Beside the least that storing takes; both store what is there already.
    private static func measureStoring(
        _ base: String, _ count: Int, _ parallel: Int, _ total: Int
    ) throws {
        let file = folder.appending(path: "\(UUID().uuidString).db")
        try measure(
            beside: "C over libcurl and SQLite, a thread each", base, count, parallel, total
        ) {
            larder_baseline_enqueue(
                base + "items/", file.path(), Int32(count), Int32(total), Int32(parallel)) > 0
        }
    }

    /// Beside what most would put together; both store what is there already.
    private static func measurePeer(_ base: String, _ count: Int, _ parallel: Int) throws {
        let file = folder.appending(path: "\(UUID().uuidString).db")
        let peer = try Peer(file.path(), base, parallel: parallel)
        try measure(beside: "URLSession, JSONDecoder and GRDB", base, count, parallel, count) {
            peer.perform(count: count)
        }
    }

    private static func measure(
        beside name: String, _ base: String, _ count: Int, _ parallel: Int, _ total: Int,
        _ perform: () -> Bool
    ) throws {
        var comparison = Comparison(of: "Larder", beside: name)
        let client = try makeClient(base)
        for round in 0..<7 {
            let other = Sample.of(perform)
            let larder = Sample.of {
                EnqueueRun(client, count: count, total: total).perform(parallel: parallel)
            }
            guard let other, let larder else {
                print("a request failed")
                return
            }
            // The first round warms up, and stores.
            if round > 0 { comparison.add(swift: larder, c: other, total: total) }
        }
        print("stored already, \(parallel) at once: \(comparison)")
    }

    private static func measure(
        _ name: String, _ base: String, _ count: Int, _ parallel: Int, _ total: Int, isNew: Bool
    ) throws {
        var comparison = Comparison(of: "Larder")
        var client = try makeClient(base)
        for round in 0..<7 {
            if isNew { client = try makeClient(base) }
            // Opened, with its statements and its connections.
            guard EnqueueRun(client, count: 1, total: 100).perform(parallel: parallel) else {
                return
            }
            let c = Sample.of {
                larder_baseline_fetch_many(
                    base + "items/", Int32(count), Int32(total), Int32(parallel)) > 0
            }
            let larder = Sample.of {
                EnqueueRun(client, count: count, total: total).perform(parallel: parallel)
            }
            guard let c, let larder else {
                print("a request failed")
                return
            }
            // The first round warms up.
            if round > 0 { comparison.add(swift: larder, c: c, total: total) }
        }
        print("\(name), \(parallel) at once: \(comparison)")
    }

    private static let folder = FileManager.default.temporaryDirectory
        .appending(path: "larder-enqueue-\(UUID().uuidString)")

    private static func makeClient(_ base: String) throws -> Client {
        let file = folder.appending(path: "\(UUID().uuidString).db")
        return Client(baseURL: base, store: try Store(at: file.path(), entities: Item.self))
    }
}
