import Foundation

/// How long one run took, by the clock on the wall and by the processor's.
package struct Sample {
    package let seconds: Double
    package let processorSeconds: Double

    package init(seconds: Double, processorSeconds: Double) {
        (self.seconds, self.processorSeconds) = (seconds, processorSeconds)
    }

    /// Measures `run`; nil if it says that it failed.
    package static func of(_ run: () -> Bool) -> Sample? {
        let start = Start()
        return run() ? start.end() : nil
    }

    /// Measures `run`.
    package static func of(
        _ isolation: isolated (any Actor)? = #isolation, _ run: () async throws -> Void
    ) async rethrows -> Sample {
        let start = Start()
        try await run()
        return start.end()
    }

    private struct Start {
        private let instant = ContinuousClock.now
        private let processor = clock()

        func end() -> Sample {
            Sample(
                seconds: instant.duration(to: .now) / .seconds(1),
                processorSeconds: Double(clock() - processor) / Double(CLOCKS_PER_SEC))
        }
    }
}

/// Both sides of several rounds, of which the second is C over libcurl unless another is named.
package struct Comparison: CustomStringConvertible {
    private let name: String
    private let other: String
    private var swift: [Double] = []
    private var c: [Double] = []
    private var ratios: [Double] = []
    private var processorRatios: [Double] = []

    package init(of name: String, beside other: String = "C over libcurl") {
        self.name = name
        self.other = other
    }

    /// Adds a round of `total` requests of either side.
    package mutating func add(swift: Sample, c: Sample, total: Int) {
        self.swift.append(Double(total) / swift.seconds)
        self.c.append(Double(total) / c.seconds)
        ratios.append(c.seconds / swift.seconds)
        processorRatios.append(c.processorSeconds / swift.processorSeconds)
    }

    package var description: String {
        let spread = "\(rounded(ratios.min() ?? 0))-\(rounded(ratios.max() ?? 0))"
        return "\(name) \(Int(median(swift)))/s, \(other) \(Int(median(c)))/s, "
            + "ratio \(rounded(median(ratios))) (\(spread)), "
            + "by processor time \(rounded(median(processorRatios)))"
    }

    private func median(_ values: [Double]) -> Double {
        values.isEmpty ? 0 : values.sorted()[values.count / 2]
    }

    private func rounded(_ value: Double) -> Double {
        (value * 100).rounded() / 100
    }
}
