import Foundation
import Issues
import Larder

/// Measures how fast a large file of issues gets into a store, and how much memory that takes.
///
/// `Scripts/large-benchmark` makes the files, serves them and runs this, one process a measurement:
/// `LargeBenchmark memory|disk FILE` or `LargeBenchmark network URL BYTES`.
@main
enum LargeBenchmark {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count >= 2 else {
            print("usage: LargeBenchmark memory|disk FILE, LargeBenchmark network URL BYTES")
            exit(2)
        }
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "larder-benchmark-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try Store(
            at: folder.appending(path: "larder.sqlite").path(),
            entities: Issue.self, User.self, Label.self)
        let source = try Source(arguments)
        let idle = Memory.now
        let start = ContinuousClock.now
        let count = try await source.insert(into: store)
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let peak = Memory.peak - idle
        guard try store.count(Issue.all) == count else { throw WrongCount() }
        let speed = Double(source.byteCount) / 1e6 / seconds
        print(
            arguments[0].padding(toLength: 8, withPad: " ", startingAt: 0),
            "\(count) issues, \(source.byteCount / 1_000_000) MB in \(Self.rounded(seconds)) s:",
            "\(Self.rounded(speed)) MB/s, \(Self.rounded(Double(peak) / 1024)) MiB over idle")
    }

    private static func rounded(_ value: Double) -> String { String(format: "%.1f", value) }

    struct WrongCount: Error {}
}
