import Foundation
import Issues

/// Measures what reading offline costs: answers of the store's beside a query of the same issues, hits of the cache,
/// and pulls beside the import of the same pages.
///
/// `OfflineBenchmark ISSUES.json [ROUNDS] [answers[=NAME]] [hits] [pulls]`, with the file that
/// `Scripts/import-benchmark` makes; all three unless some are named, of answers those with a part of a name, such as
/// `answers="list, 304"`. The sides take turns. Servers are in the process, so that what they take
/// is little; a 304 is asked of nginx, too, where that is installed.
@main
enum OfflineBenchmark {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard let path = arguments.first, let rounds = Int(arguments.dropFirst().first ?? "9"),
            rounds > 0
        else {
            print("usage: OfflineBenchmark ISSUES.json [ROUNDS] [answers[=NAME]] [hits] [pulls]")
            exit(2)
        }
        let parts = arguments.dropFirst(2).map { $0.split(separator: "=", maxSplits: 1) }
        func isWanted(_ part: String) -> Bool {
            parts.isEmpty || parts.contains { $0.first.map(String.init) == part }
        }
        let name = parts.first { $0.count == 2 }.map { String($0[1]) }
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "larder-benchmark-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = try IssueFile(contentsOf: URL(filePath: path))
        if isWanted("answers") {
            try Answers(of: file, in: folder, rounds: rounds, named: name).run()
        }
        if isWanted("hits") { try Hits(in: folder, rounds: rounds).run() }
        if isWanted("pulls") { try Pulls(of: file, in: folder, rounds: rounds).run() }
    }
}

/// A side did not do what it should have.
struct WrongResult: Error {
    let what: String
}
