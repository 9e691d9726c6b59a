import Foundation
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
        var json = try Data(contentsOf: file)
        let places = Self.places(in: json)
        var rates: [Double] = []
        for batch in 0..<batches {
            for (index, place) in places.enumerated() {
                let id = String(10_000_000 + batch * places.count + index)
                json.replaceSubrange(place, with: id.utf8)
            }
            let time = try seconds {
                let issues: Many<Issue> = try store.insert(from: json)
                guard try issues.count == places.count else { throw LarderSide.WrongCount() }
            }
            rates.append(Double(places.count) / time)
            guard (batch + 1).isMultiple(of: max(batches / 10, 1)) || batch == 0 else { continue }
            // Single imports meet checkpoints and other programs: the median of the last few.
            let rate = Self.median(rates.suffix(5))
            let part = String(format: "%.2f", rate / Self.median(rates.prefix(5)))
            print(
                "  \((batch + 1) * places.count) rows: \(Int(rate)) issues/s, \(part) of the first")
        }
        guard try store.count(Issue.all) == batches * places.count else {
            throw LarderSide.WrongCount()
        }
    }

    /// Where the eight digits of the issues' ids stand.
    private static func places(in json: Data) -> [Range<Int>] {
        let behind = Data(#", "number":"#.utf8)
        var places: [Range<Int>] = []
        var start = json.startIndex
        while let found = json.range(of: behind, in: start..<json.endIndex) {
            places.append(found.lowerBound - 8..<found.lowerBound)
            start = found.upperBound
        }
        return places
    }

    private static func median(_ values: some Sequence<Double>) -> Double {
        let sorted = values.sorted()
        return sorted[sorted.count / 2]
    }
}
