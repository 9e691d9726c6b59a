import Foundation

/// The times of one call of two sides, in rounds of both.
struct TimeComparison: CustomStringConvertible {
    private let other: String
    private var rounds: [(own: Round, other: Round)] = []

    init(beside other: String) { self.other = other }

    mutating func add(_ own: Round, beside other: Round) { rounds.append((own, other)) }

    var description: String {
        let ratios = rounds.map { $0.own.seconds / $0.other.seconds }
        let processorRatios = rounds.map { $0.own.processorSeconds / $0.other.processorSeconds }
        let spread = "\(ratios.min() ?? 0, decimals: 2)-\(ratios.max() ?? 0, decimals: 2)"
        return "Larder \(median(rounds.map(\.own.seconds)) * 1e3, decimals: 3) ms, \(other) "
            + "\(median(rounds.map(\.other.seconds)) * 1e3, decimals: 3) ms, "
            + "ratio \(median(ratios), decimals: 2) (\(spread)), "
            + "by processor time \(median(processorRatios), decimals: 2)"
    }
}

/// The value in the middle.
func median(_ values: [Double]) -> Double {
    values.isEmpty ? .nan : values.sorted()[values.count / 2]
}

extension DefaultStringInterpolation {
    /// A number with so many decimals.
    mutating func appendInterpolation(_ number: Double, decimals: Int) {
        appendInterpolation(String(format: "%.\(decimals)f", number))
    }
}
