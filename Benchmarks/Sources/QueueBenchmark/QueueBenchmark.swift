import Foundation
import Larder
import LarderTesting

/// The time of a hundred requests to a host that answers, with and without ten thousand to one that does not.
///
/// Both sides have a queue of their own and are measured in turn, against servers on loopback.
@main
struct QueueBenchmark {
    static let deadRequests = 10_000
    static let liveRequests = 100
    static let rounds = 20

    static func main() async throws {
        let live = try await LoopbackServer()
        live.route(.get, "/live", .json("[]"))
        let dead = try RawServer { $0.waitForClose() }
        defer { dead.stop() }
        let (alone, beside) = (try client(live.baseURL), try client(live.baseURL))
        let waiting: [Promise<Void>] = (0..<deadRequests).map { number in
            beside.enqueue(.get(URLPath(dead.baseURL.appending(path: "\(number)"))))
        }
        var (aloneTimes, besideTimes): ([Duration], [Duration]) = ([], [])
        // One more, first, that warms up.
        for round in 0...rounds {
            let (first, second) = (try await times(alone), try await times(beside))
            guard round > 0 else { continue }
            aloneTimes += first
            besideTimes += second
        }
        print("alone:      \(summary(aloneTimes))")
        print("beside dead: \(summary(besideTimes))")
        print("dead: \(waiting.count { $0.isPending }) of \(deadRequests) still wait")
        beside.cancelAll()
        await live.stop()
    }

    private static func client(_ baseURL: URL) throws -> Client {
        var configuration = Client.Configuration(timeout: .seconds(600))
        configuration.queue = RequestQueue()
        return Client(
            baseURL: baseURL, store: try Store.inMemory(entities: Item.self),
            configuration: configuration)
    }

    /// Sends all at once and returns the time of each.
    private static func times(_ client: Client) async throws -> [Duration] {
        let clock = ContinuousClock()
        let promises = (0..<liveRequests).map { _ in
            let start = clock.now
            return client.enqueue(.get("live"), as: Data.self)
                .then(on: .immediate) { _ in start.duration(to: clock.now) }
        }
        return try await Promise.all(promises).value
    }

    private static func summary(_ times: [Duration]) -> String {
        let sorted = times.sorted()
        let (half, most) = (sorted[sorted.count / 2], sorted[sorted.count * 99 / 100])
        return "p50 \(milliseconds(half)) ms, p99 \(milliseconds(most)) ms"
    }

    private static func milliseconds(_ time: Duration) -> String {
        String(format: "%.2f", time / .milliseconds(1))
    }
}

/// What stands in the store, which nothing is put into.
@Entity struct Item {
    @Identity var id: Int
}
