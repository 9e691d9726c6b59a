import Foundation

/// What a read takes while four threads read, with and without one that writes all the time.
///
/// `ConcurrencyBenchmark [SECONDS] [READERS]`: how long each of three rounds takes, and how many
/// threads read.
@main
enum ConcurrencyBenchmark {
    private static let count = 50_000

    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        let seconds = arguments.first.flatMap { Double($0) } ?? 5
        let readers = arguments.dropFirst().first.flatMap { Int($0) } ?? 4
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "larder-benchmark-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let sides: [any Side] = [
            try LarderSide(folder: folder, count: count),
            try GRDBSide(folder: folder, count: count),
        ]
        for round in 1...3 {
            print("round \(round)")
            for side in round % 2 == 0 ? sides.reversed() : sides {
                print(try measure(side, for: seconds, readers: readers, writes: false))
                print(try measure(side, for: seconds, readers: readers, writes: true))
            }
        }
    }

    private static func measure(
        _ side: any Side, for seconds: Double, readers: Int, writes: Bool
    ) throws -> String {
        let end = ContinuousClock.now + .seconds(seconds)
        var threads = (0..<readers).map { number in
            Turn {
                var times: [Double] = []
                var id = number * 977
                while ContinuousClock.now < end {
                    id = (id + 7_919) % (count - 50)
                    let start = ContinuousClock.now
                    guard try side.read(from: id) == 50 else { throw Missing() }
                    times.append((ContinuousClock.now - start) / .milliseconds(1))
                }
                return times
            }
        }
        if writes {
            threads.append(
                Turn {
                    var times: [Double] = []
                    while ContinuousClock.now < end {
                        let start = ContinuousClock.now
                        try side.write(from: times.count * 4_999 % (count - 200))
                        times.append((ContinuousClock.now - start) / .milliseconds(1))
                    }
                    return times
                })
        }
        let times = try threads.map { try $0.result() }
        let reads = times.prefix(readers).flatMap(\.self).sorted()
        let written = writes ? ", \(times.last?.count ?? 0) transactions" : ""
        return
            "\(type(of: side).name) \(writes ? "with a writer" : "without"): \(reads.count) reads,"
            + " p50 \(part(0.5, of: reads)) ms, p99 \(part(0.99, of: reads)) ms\(written)"
    }

    private static func part(_ share: Double, of times: [Double]) -> String {
        guard !times.isEmpty else { return "-" }
        return times[Int(Double(times.count - 1) * share)]
            .formatted(.number.precision(.fractionLength(3)))
    }

    private struct Missing: Error {}

    /// A thread with a result.
    ///
    /// Unchecked because `outcome` is written before the semaphore is signalled, and read after.
    private final class Turn: @unchecked Sendable {
        private let isOver = DispatchSemaphore(value: 0)
        private var outcome: Result<[Double], any Error> = .success([])

        init(_ work: @escaping @Sendable () throws -> [Double]) {
            Thread.detachNewThread { [self] in
                outcome = Result(catching: work)
                isOver.signal()
            }
        }

        func result() throws -> [Double] {
            isOver.wait()
            return try outcome.get()
        }
    }
}
