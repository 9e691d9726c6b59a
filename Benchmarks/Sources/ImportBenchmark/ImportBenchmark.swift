import Foundation

/// Measures how long 50,000 issues take from JSON to rows, Larder beside others in one run.
///
/// `Scripts/import-benchmark` makes the file, builds the programs to compare with and runs this:
/// `ImportBenchmark ISSUES.json ROUNDS [quick] [NAME=PROGRAM[,ARGUMENT]]…`. The sides take turns; ratios
/// are Larder's median over the other's; `quick` leaves GRDB out. `ImportBenchmark ISSUES.json grow [BATCHES]` imports the file
/// again and again as other issues, 40 times unless said otherwise, and prints the rate as the store
/// grows.
@main
enum ImportBenchmark {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.count >= 2, arguments[1] == "grow" {
            let batches = arguments.count > 2 ? Int(arguments[2]) ?? 40 : 40
            return try Growth(file: URL(filePath: arguments[0]), batches: batches).run()
        }
        guard arguments.count >= 2, let rounds = Int(arguments[1]), rounds > 0 else {
            print("usage: ImportBenchmark ISSUES.json ROUNDS [quick] [NAME=PROGRAM[,ARGUMENT]]…")
            exit(2)
        }
        let others = arguments.dropFirst(2)
        // GRDB's side takes longer than all others together.
        let sides: [any Side] =
            [LarderSide()] + (others.first == "quick" ? [] : [GRDBSide()])
            + others.filter { $0 != "quick" }.map(program)
        let file = URL(filePath: arguments[0])
        var times = sides.map { _ in [Times]() }
        for round in 0...rounds {
            for (index, side) in sides.enumerated() {
                let folder = FileManager.default.temporaryDirectory.appending(
                    path: "larder-benchmark-\(UUID().uuidString)")
                try FileManager.default.createDirectory(
                    at: folder, withIntermediateDirectories: true)
                defer { try? FileManager.default.removeItem(at: folder) }
                let result = try side.run(file: file, folder: folder)
                // The first round warms caches up.
                if round > 0 { times[index].append(result) }
            }
        }
        report("first import", sides, times.map { $0.map(\.first) })
        report("the same again", sides, times.map { $0.map(\.again) })
        report("all issues into structs", sides, times.map { $0.compactMap(\.fetch) })
    }

    private static func program(_ argument: String) -> any Side {
        let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
        let command = (parts.last ?? "").split(separator: ",").map(String.init)
        return ProgramSide(
            name: parts[0], program: command.first ?? "", arguments: Array(command.dropFirst()))
    }

    private static func report(_ title: String, _ sides: [any Side], _ times: [[Double]]) {
        print(title)
        let own = median(times[0])
        for (side, times) in zip(sides, times) where !times.isEmpty {
            let spread = "\(rounded(times.min() ?? 0))…\(rounded(times.max() ?? 0))"
            let ratio = side is LarderSide ? "" : "  ratio \(rounded(own / median(times)))"
            let name = side.name.padding(toLength: 24, withPad: " ", startingAt: 0)
            print("  \(name) \(rounded(median(times))) s (\(spread))\(ratio)")
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
