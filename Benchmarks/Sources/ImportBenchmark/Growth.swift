import Foundation
import Issues
import Larder

/// How the rate of import holds while a store grows: the file again and again, each time as other
/// issues behind those that are stored.
struct Growth {
    let file: URL
    /// How often the file is imported.
    let batches: Int

    /// Prints issues a second, and what that is of the first import's.
    func run() throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "larder-benchmark-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try Store(
            at: folder.appending(path: "larder.sqlite").path(),
            entities: Issue.self, User.self, Label.self)
        var issues = try IssueFile(contentsOf: file)
        var rates: [Double] = []
        for batch in 0..<batches {
            issues.setIDs(from: IssueFile.firstID + batch * issues.count)
            let time = try seconds {
                let imported: Many<Issue> = try store.import(from: issues.json)
                guard try imported.count == issues.count else { throw LarderSide.WrongCount() }
            }
            rates.append(Double(issues.count) / time)
            guard (batch + 1).isMultiple(of: max(batches / 10, 1)) || batch == 0 else { continue }
            // Single imports meet checkpoints and other programs: the median of the last few.
            let rate = Self.median(rates.suffix(5))
            let part = String(format: "%.2f", rate / Self.median(rates.prefix(5)))
            print(
                "  \((batch + 1) * issues.count) rows: \(Int(rate)) issues/s, \(part) of the first")
        }
        guard try store.count(Issue.all) == batches * issues.count else {
            throw LarderSide.WrongCount()
        }
    }

    private static func median(_ values: some Sequence<Double>) -> Double {
        let sorted = values.sorted()
        return sorted[sorted.count / 2]
    }
}
