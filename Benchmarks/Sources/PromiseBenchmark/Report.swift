import CAllocationCounter

/// Medians of several rounds, in which the sides take turns; the first side is Larder, the second NIO.
struct Report {
    let contest: Contest
    private(set) var nanoseconds: [[Double]]
    private(set) var allocations: [Double]

    init(_ contest: Contest, count: Int, rounds: Int) async throws {
        self.contest = contest
        nanoseconds = contest.sides.map { _ in [] }
        allocations = []
        var checksums: Set<Int> = []
        for side in contest.sides {
            checksums.insert(try await side.run(count))
            allocation_counter_start()
            _ = try await side.run(1_000)
            allocations.append(Double(allocation_counter_stop()) / 1_000)
        }
        guard checksums.count == 1 else { throw Disagreement(checksums: checksums) }
        for _ in 0..<rounds {
            for (index, side) in contest.sides.enumerated() {
                let clock = ContinuousClock()
                let time = try await clock.measure { _ = try await side.run(count) }
                nanoseconds[index].append(Double(time.attoseconds) / 1e9 / Double(count))
            }
        }
    }

    /// The sides did not compute the same.
    struct Disagreement: Error {
        let checksums: Set<Int>
    }

    var lines: [String] {
        let first = median(of: nanoseconds[0])
        var lines = [contest.title]
        for (index, side) in contest.sides.enumerated() {
            let times = nanoseconds[index].sorted()
            let middle = median(of: times)
            var line = "  \(side.name.padded(to: 32)) \(rounded(middle)) ns"
            line += " (\(rounded(times[0]))…\(rounded(times[times.count - 1])))"
            let perLink = allocations[index] / Double(contest.links)
            line += ", \(tenth(perLink)) allocations a link"
            if !side.name.hasPrefix("Larder") { line += ", ratio \(hundredth(first / middle))" }
            lines.append(line)
        }
        let (took, whereNIOTook) = contest.promiseKit
        let ratio = first / median(of: nanoseconds[1]) * whereNIOTook / took
        lines.append("  PromiseKit 8.2, by way of NIO    ratio \(hundredth(ratio))")
        return lines
    }

    private func median(of values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted[sorted.count / 2]
    }

    private func rounded(_ value: Double) -> Int { Int(value.rounded()) }
    private func tenth(_ value: Double) -> Double { (value * 10).rounded() / 10 }
    private func hundredth(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}

extension Duration {
    fileprivate var attoseconds: Double {
        Double(components.seconds) * 1e18 + Double(components.attoseconds)
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
