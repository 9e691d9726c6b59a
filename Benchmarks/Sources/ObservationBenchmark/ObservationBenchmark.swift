import Foundation

/// Measures how long a live query over many issues takes to deliver after one of them changed,
/// from the beginning of the write on, Larder beside GRDB in one run.
///
/// `ObservationBenchmark [ISSUES [ROUNDS]]`, 100,000 and 21 unless given. The sides take turns.
@main
enum ObservationBenchmark {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        let count = arguments.first ?? 100_000
        let rounds = arguments.count > 1 ? arguments[1] : 21
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "larder-benchmark-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let sides: [any Side] = [
            try LarderSide(folder: folder, count: count),
            try GRDBSide(folder: folder, count: count),
        ]
        var nextID = count
        for newestFirst in [false, true] {
            let order = newestFirst ? "newest first" : "as inserted"
            let first = try sides.map { [try $0.observe(newestFirst: newestFirst)] }
            report("first delivery of \(count) issues, \(order)", sides, first)
            var updates = sides.map { _ in [Double]() }
            var insertions = updates
            for round in 0...rounds {
                for (index, side) in sides.enumerated() {
                    let update = try side.update(
                        (round &* 4_801) % count, title: "\(order) \(round)")
                    let insertion = try side.insert(nextID)
                    // The first round warms caches up.
                    guard round > 0 else { continue }
                    updates[index].append(update)
                    insertions[index].append(insertion)
                }
                nextID += 1
            }
            report("one title changes, \(order)", sides, updates)
            report("one issue is inserted, \(order)", sides, insertions)
            for side in sides { side.cancel() }
        }
    }

    private static func report(_ title: String, _ sides: [any Side], _ times: [[Double]]) {
        print(title)
        let own = median(times[0])
        for (side, times) in zip(sides, times) {
            let name = type(of: side).name.padding(toLength: 8, withPad: " ", startingAt: 0)
            let spread = "\(rounded(times.min() ?? 0))…\(rounded(times.max() ?? 0))"
            let ratio = side is LarderSide ? "" : "  ratio \(rounded(own / median(times)))"
            print("  \(name) \(rounded(median(times) * 1000)) ms (\(spread) s)\(ratio)")
        }
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? .nan : sorted[sorted.count / 2]
    }

    private static func rounded(_ value: Double) -> String {
        String(format: "%.3f", value)
    }
}
