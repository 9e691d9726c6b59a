import Foundation

/// Measures how long rows take to become structs, Larder beside GRDB and C on one and the same file.
///
/// `FetchBenchmark ISSUES.json [ROUNDS] [quick]`, with the file that `Scripts/import-benchmark`
/// makes. The sides take turns; ratios are Larder's median over the other's; `quick` leaves GRDB
/// out.
@main
enum FetchBenchmark {
    private static let lookups = 20_000

    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard let file = arguments.first, let rounds = Int(arguments.dropFirst().first ?? "7")
        else {
            print("usage: FetchBenchmark ISSUES.json [ROUNDS] [quick]")
            exit(2)
        }
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "larder-benchmark-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "larder.sqlite").path()
        let larder = try LarderSide(file: URL(filePath: file), path: path)
        var sides: [any Side] = [larder, CSide(path: path, count: larder.count)]
        if !arguments.contains("quick") {
            sides.append(try GRDBSide(path: path, count: larder.count))
        }
        var all = sides.map { _ in [Double]() }
        var find = sides.map { _ in [Double]() }
        for round in 0...rounds {
            for (index, side) in sides.enumerated() {
                let times = (try side.fetchAll(), try side.find(lookups))
                // The first round warms caches up.
                guard round > 0 else { continue }
                all[index].append(times.0)
                find[index].append(times.1)
            }
        }
        report("\(larder.count) issues into structs, ms", sides, all, unit: 1e-3)
        report("one issue by its id, µs", sides, find, unit: 1e-6 * Double(lookups))
    }

    private static func report(
        _ title: String, _ sides: [any Side], _ times: [[Double]], unit: Double
    ) {
        print(title)
        let own = median(times[0])
        for (index, (side, times)) in zip(sides, times).enumerated() {
            let spread =
                "\(rounded((times.min() ?? 0) / unit))…\(rounded((times.max() ?? 0) / unit))"
            let ratio = index == 0 ? "" : "  ratio \(rounded(own / median(times)))"
            let name = side.name.padding(toLength: 24, withPad: " ", startingAt: 0)
            print("  \(name) \(rounded(median(times) / unit)) (\(spread))\(ratio)")
        }
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? .nan : sorted[sorted.count / 2]
    }

    private static func rounded(_ value: Double) -> String { String(format: "%.2f", value) }
}
