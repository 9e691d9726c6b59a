import Testing

@testable import LarderObjectStore

/// The signs between columns, each against what Swift makes of the same values.
struct ColumnOrderTests {
    private let figures: Figures

    init() throws { figures = try Figures() }

    /// Whether two values are in an order, which empty ones never are.
    private func order(_ left: Int?, _ right: Int?, _ isOrdered: (Int, Int) -> Bool) -> Bool {
        guard let left, let right else { return false }
        return isOrdered(left, right)
    }

    @Test func `smaller`() throws {
        try figures.expect({ $0.left < $0.right }) { $0.left < $0.right }
        try figures.expect({ $0.first < $0.second }) { order($0.first, $0.second, <) }
        try figures.expect({ $0.first < $0.left }) { order($0.first, $0.left, <) }
        try figures.expect({ $0.left < $0.first }) { order($0.left, $0.first, <) }
        try figures.expect({ $0.left < 2 }) { $0.left < 2 }
        try figures.expect({ $0.first < 2 }) { order($0.first, 2, <) }
    }

    @Test func `smaller or equal`() throws {
        try figures.expect({ $0.left <= $0.right }) { $0.left <= $0.right }
        try figures.expect({ $0.first <= $0.second }) { order($0.first, $0.second, <=) }
        try figures.expect({ $0.first <= $0.left }) { order($0.first, $0.left, <=) }
        try figures.expect({ $0.left <= $0.first }) { order($0.left, $0.first, <=) }
        try figures.expect({ $0.left <= 2 }) { $0.left <= 2 }
        try figures.expect({ $0.first <= 0 }) { order($0.first, 0, <=) }
    }

    @Test func `larger`() throws {
        try figures.expect({ $0.left > $0.right }) { $0.left > $0.right }
        try figures.expect({ $0.first > $0.second }) { order($0.first, $0.second, >) }
        try figures.expect({ $0.first > $0.left }) { order($0.first, $0.left, >) }
        try figures.expect({ $0.left > $0.first }) { order($0.left, $0.first, >) }
        try figures.expect({ $0.left > 2 }) { $0.left > 2 }
        try figures.expect({ $0.first > -1 }) { order($0.first, -1, >) }
    }

    @Test func `larger or equal`() throws {
        try figures.expect({ $0.left >= $0.right }) { $0.left >= $0.right }
        try figures.expect({ $0.first >= $0.second }) { order($0.first, $0.second, >=) }
        try figures.expect({ $0.first >= $0.left }) { order($0.first, $0.left, >=) }
        try figures.expect({ $0.left >= $0.first }) { order($0.left, $0.first, >=) }
        try figures.expect({ $0.left >= 2 }) { $0.left >= 2 }
        try figures.expect({ $0.first >= 2 }) { order($0.first, 2, >=) }
    }

    @Test func `equal and different, where two empty values are equal`() throws {
        try figures.expect({ $0.left == $0.right }) { $0.left == $0.right }
        try figures.expect({ $0.left != $0.right }) { $0.left != $0.right }
        try figures.expect({ $0.first == $0.second }) { $0.first == $0.second }
        try figures.expect({ $0.first != $0.second }) { $0.first != $0.second }
        try figures.expect({ $0.first == $0.left }) { $0.first == $0.left }
        try figures.expect({ $0.left != $0.first }) { $0.left != $0.first }
        try figures.expect({ $0.first == nil }) { $0.first == nil }
        try figures.expect({ $0.first != 2 }) { $0.first != 2 }
    }

    @Test func `ranges, open at either end`() throws {
        try figures.expect({ $0.left.isIn(-1...2) }) { (-1...2).contains($0.left) }
        try figures.expect({ $0.left.isIn(-1..<2) }) { (-1..<2).contains($0.left) }
        try figures.expect({ $0.left.isIn(2...) }) { (2...).contains($0.left) }
        try figures.expect({ $0.left.isIn(...2) }) { (...2).contains($0.left) }
        try figures.expect({ $0.left.isIn(..<2) }) { (..<2).contains($0.left) }
    }
}
