import Foundation
import Issues
import Larder

/// Measures how long a store of 100 MB that is there takes to open, up to the result of its first
/// query, Larder beside GRDB on one and the same file.
///
/// `OpenBenchmark ISSUES.json [ROUNDS]`, with the file that `Scripts/import-benchmark` makes. The
/// sides take turns; ratios are Larder's median over the other's. The file is in the system's cache.
@main
enum OpenBenchmark {
    /// How large the store is to be, in bytes.
    private static let size = 100_000_000

    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard let file = arguments.first, let rounds = Int(arguments.dropFirst().first ?? "51"),
            rounds > 0
        else {
            print("usage: OpenBenchmark ISSUES.json [ROUNDS]")
            exit(2)
        }
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "larder-benchmark-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "larder.sqlite").path()
        let ids = try fill(path, with: IssueFile(contentsOf: URL(filePath: file)))
        print("opening \(try byteCount(of: path) / 1_000_000) MB up to the first issue, ms")
        let sides: [any Side] = [LarderSide(), GRDBSide()]
        var times = sides.map { _ in [Double]() }
        for round in 0...rounds {
            for (index, side) in sides.enumerated() {
                let time = try side.open(path, id: ids.lowerBound + round * 37 % ids.count)
                // The first round warms caches up.
                if round > 0 { times[index].append(time) }
            }
        }
        report(sides, times)
    }

    /// Imports the issues, again and again as others, until the store is large enough; returns
    /// their ids.
    private static func fill(_ path: String, with file: IssueFile) throws -> Range<Int> {
        let store = try Store(at: path, entities: Issue.self, User.self, Label.self)
        defer { try? store.close() }
        var file = file
        var next = IssueFile.firstID
        while try byteCount(of: path) < size {
            file.setIDs(from: next)
            next += file.count
            let imported: Many<Issue> = try store.import(from: file.json)
            guard try imported.count == file.count else { throw WrongResult(side: "Larder") }
        }
        return IssueFile.firstID..<next
    }

    private static func byteCount(of path: String) throws -> Int {
        try URL(filePath: path).resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
    }

    private static func report(_ sides: [any Side], _ times: [[Double]]) {
        let own = median(times[0])
        for (index, (side, times)) in zip(sides, times).enumerated() {
            let spread = "\(milliseconds(times.min() ?? 0))…\(milliseconds(times.max() ?? 0))"
            let ratio = index == 0 ? "" : String(format: "  ratio %.2f", own / median(times))
            let name = side.name.padding(toLength: 24, withPad: " ", startingAt: 0)
            print("  \(name) \(milliseconds(median(times))) (\(spread))\(ratio)")
        }
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? .nan : sorted[sorted.count / 2]
    }

    private static func milliseconds(_ seconds: Double) -> String {
        String(format: "%.2f", seconds * 1e3)
    }
}
